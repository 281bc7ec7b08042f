import { ordersOf } from '../../engine/state/wallet-rows.js'
import {
  CancelAllCommand,
  CommandType,
  EndConnectionCommand,
  SetCancelOnDisconnectCommand,
  SetDeadManCommand,
} from '../../schemas/generated/commands.js'
import { type AnyEvent, EventType, OutcomeEvent } from '../../schemas/generated/events.js'
import { CancelScope } from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { AuctionRig } from './auction-rig.js'
import { type RigInstrument, type RigOrder, walletOf, writeKey } from './rig-commands.js'

const cancelAll = new CancelAllCommand()
const deadMan = new SetDeadManCommand()
const onDisconnect = new SetCancelOnDisconnectCommand()
const ended = new EndConnectionCommand()
const outcome = new OutcomeEvent()
const resultNames = Object.fromEntries(Object.entries(Result).map(([name, n]) => [n, name]))
const safetyCommands: readonly number[] = [
  CommandType.CancelAll,
  CommandType.SetDeadMan,
  CommandType.SetCancelOnDisconnect,
]

/** All of it, an underlying, an option, or the number of a perp. */
export type RigScope = 'all' | { readonly underlying: string } | RigInstrument | number

/** A core whose wallets are kept from orders that nobody looks after. */
export class SafetyRig extends AuctionRig {
  cancelAll(wallet: number, scope: RigScope = 'all', signed: Partial<RigOrder> = {}): number {
    cancelAll.claim(this)
    this.sign(cancelAll, wallet, signed)
    cancelAll.asset = typeof scope === 'number' ? scope : -1
    if (typeof scope !== 'object') {
      cancelAll.scope = scope === 'all' ? CancelScope.All : CancelScope.Instrument
    } else if ('underlying' in scope) {
      cancelAll.scope = CancelScope.Underlying
      cancelAll.key.underlyingText = scope.underlying!
    } else {
      cancelAll.scope = CancelScope.Instrument
      writeKey(cancelAll.key, scope)
    }
    return this.requests
  }

  deadMan(wallet: number, timeoutMillis: number, signed: Partial<RigOrder> = {}): number {
    deadMan.claim(this)
    this.sign(deadMan, wallet, signed)
    deadMan.timeoutMillis = timeoutMillis
    return this.requests
  }

  /** Binds a connection of gateway 0. */
  onDisconnect(
    wallet: number,
    session: number,
    enabled = true,
    signed: Partial<RigOrder> = {},
  ): number {
    onDisconnect.claim(this)
    this.sign(onDisconnect, wallet, signed)
    onDisconnect.session = session
    onDisconnect.enabled = enabled ? 1 : 0
    return this.requests
  }

  endConnection(wallet: number, session: number): number {
    ended.claim(this)
    ended.u8.set(walletOf(wallet), ended.walletAt)
    ended.session = session
    return this.requests
  }

  /** Working orders of a wallet. */
  workingOf(wallet: number): number {
    return ordersOf(this.state, wallet - 1).length
  }

  protected override tell(event: AnyEvent): void {
    super.tell(event)
    if (event.recordType !== EventType.Outcome) return
    const { command, facts, request, result } = outcome.of(event)
    if (!safetyCommands.includes(command)) return
    const count = command === CommandType.CancelAll ? ` ${facts.canceledCount}` : ''
    this.lines.push(`${request}: ${resultNames[result]}${count}`)
  }
}
