import { CreateReferralCodeCommand, SetReferrerCommand } from '../../schemas/generated/commands.js'
import { AnyEvent, EventType, OutcomeEvent, ReferralEvent } from '../../schemas/generated/events.js'
import { CoreRig } from './core-rig.js'
import { resultNames } from './rfq-rig.js'
import { type RigCommands, type RigOrder, walletOf } from './rig-commands.js'

const creation = new CreateReferralCodeCommand()
const binding = new SetReferrerCommand()
const outcome = new OutcomeEvent()
const referral = new ReferralEvent()

/** Writes a CreateReferralCode. */
export function referralCodeOf(
  rig: RigCommands,
  wallet: number,
  code: string,
  signed: Partial<RigOrder> = {},
): number {
  creation.claim(rig)
  rig.sign(creation, wallet, signed)
  creation.codeText = code
  return rig.requests
}

/** Writes a SetReferrer. */
export function setReferrer(
  rig: RigCommands,
  wallet: number,
  code: string,
  referrer: number,
  signed: Partial<RigOrder> = {},
): number {
  binding.claim(rig)
  rig.sign(binding, wallet, signed)
  binding.codeText = code
  binding.u8.set(walletOf(referrer), binding.referrerAt)
  return rig.requests
}

/** Core whose wallets 1 to 9 have accounts; it shows events and answers about referrals as lines. */
export class ReferralRig extends CoreRig {
  opened(): this {
    for (let wallet = 1; wallet <= 9; wallet++) this.deposit(wallet, 100)
    this.run()
    this.events()
    return this
  }

  code(wallet: number, code: string, signed: Partial<RigOrder> = {}): this {
    referralCodeOf(this, wallet, code, signed)
    return this
  }

  refer(wallet: number, code: string, referrer: number, signed: Partial<RigOrder> = {}): this {
    setReferrer(this, wallet, code, referrer, signed)
    return this
  }

  /** Runs pending commands and returns the lines. */
  story(): string[] {
    this.run()
    this.log.storeDurable(this.log.publish())
    const event = new AnyEvent()
    const lines: string[] = []
    for (let at = this.reader.next(); at >= 0; at = this.reader.next()) {
      const line = lineOf(event.over(this.reader, at))
      if (line !== null) lines.push(line)
    }
    this.reader.release()
    return lines
  }
}

function lineOf(event: AnyEvent): string | null {
  if (event.recordType === EventType.Outcome) return resultNames[outcome.of(event).result]!
  if (event.recordType !== EventType.Referral) return null
  const { u8, walletAt, referrerAt, codeText, number } = referral.of(event)
  const [wallet, referrer] = [u8[walletAt + 19], u8[referrerAt + 19]]
  return `${wallet} has ${codeText || 'no code'}, came ${number} by ${referrer || 'itself'}`
}
