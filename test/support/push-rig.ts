import { pushKeyBytes } from '../../schemas/bounds.js'
import { DropPushCommand, PushActionCommand } from '../../schemas/generated/commands.js'
import { AnyEvent, EventType, OutcomeEvent, PushEvent } from '../../schemas/generated/events.js'
import { PushActionKind, PushChange } from '../../schemas/record-values.js'
import { CoreRig } from './core-rig.js'
import { resultNames } from './rfq-rig.js'
import { type RigCommands, type RigOrder, walletOf } from './rig-commands.js'

const action = new PushActionCommand()
const gone = new DropPushCommand()
const outcome = new OutcomeEvent()
const push = new PushEvent()
const changeNames = Object.keys(PushChange)

/** Writes a PushAction. */
export function pushActionOf(
  rig: RigCommands,
  wallet: number,
  fields: Partial<PushActionCommand>,
  endpoint: string,
  signed: Partial<RigOrder> = {},
): void {
  action.claim(rig, PushActionCommand.bytesWith(endpoint.length))
  rig.sign(action, wallet, signed)
  Object.assign(action, { endpointBytes: endpoint.length, ...fields })
  action.u8.fill(wallet, action.keysAt, action.keysAt + pushKeyBytes)
  for (let i = 0; i < endpoint.length; i++)
    action.u8[action.endpointAt + i] = endpoint.charCodeAt(i)
}

/** Writes a DropPush. */
export function dropPushOf(rig: RigCommands, wallet: number, subscriptionId: number): void {
  gone.claim(rig)
  gone.u8.set(walletOf(wallet), gone.walletAt)
  gone.subscriptionId = subscriptionId
}

/** Core whose wallets 1 to 3 have accounts; it shows events and answers about notifications as lines. */
export class PushRig extends CoreRig {
  opened(): this {
    for (const wallet of [1, 2, 3]) this.deposit(wallet, 100)
    this.run()
    this.events()
    return this
  }

  subscribe(wallet: number, endpoint: string, signed: Partial<RigOrder> = {}): this {
    return this.act(wallet, { kind: PushActionKind.Subscribe }, endpoint, signed)
  }

  unsubscribe(wallet: number, endpoint: string): this {
    return this.act(wallet, { kind: PushActionKind.Unsubscribe }, endpoint)
  }

  prefer(wallet: number, mask: number, topics: number): this {
    return this.act(wallet, { kind: PushActionKind.Preferences, mask, topics }, '')
  }

  act(
    wallet: number,
    fields: Partial<PushActionCommand>,
    endpoint: string,
    signed: Partial<RigOrder> = {},
  ): this {
    pushActionOf(this, wallet, fields, endpoint, signed)
    return this
  }

  drop(wallet: number, subscriptionId: number): this {
    dropPushOf(this, wallet, subscriptionId)
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
  if (event.recordType === EventType.Outcome) {
    const { result, facts } = outcome.of(event)
    return `${resultNames[result]} ${facts.pushTopics} ${facts.removedCount}`
  }
  if (event.recordType !== EventType.Push) return null
  const { u8, walletAt, endpointAt, endpointBytes, subscriptionId, change, topics } = push.of(event)
  const endpoint = Buffer.from(u8.subarray(endpointAt, endpointAt + endpointBytes)).toString()
  const what = subscriptionId === 0 ? `topics ${topics}` : `${subscriptionId} ${endpoint}`
  return `${u8[walletAt + 19]} ${changeNames[change]} ${what}`
}
