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
import { AuctionRig } from './auction-rig.js'
import { resultNames } from './rfq-rig.js'
import {
  type RigCommands,
  type RigInstrument,
  type RigOrder,
  walletOf,
  writeKey,
} from './rig-commands.js'

const cancelAll = new CancelAllCommand()
const deadMan = new SetDeadManCommand()
const onDisconnect = new SetCancelOnDisconnectCommand()
const ended = new EndConnectionCommand()
const outcome = new OutcomeEvent()
const safetyCommands: readonly number[] = [
  CommandType.CancelAll,
  CommandType.SetDeadMan,
  CommandType.SetCancelOnDisconnect,
]

/** All orders, or the orders of an underlying or option. */
export type RigScope = 'all' | { readonly underlying: string } | RigInstrument

/** Writes a CancelAll. */
export function cancelAllOf(
  rig: RigCommands,
  wallet: number,
  scope: RigScope = 'all',
  signed: Partial<RigOrder> = {},
): number {
  cancelAll.claim(rig)
  rig.sign(cancelAll, wallet, signed)
  if (scope === 'all') {
    cancelAll.scope = CancelScope.All
  } else if ('underlying' in scope) {
    cancelAll.scope = CancelScope.Underlying
    cancelAll.key.underlyingText = scope.underlying!
  } else {
    cancelAll.scope = CancelScope.Instrument
    writeKey(cancelAll.key, scope)
  }
  return rig.requests
}

/** Writes a SetDeadMan. */
export function setDeadMan(
  rig: RigCommands,
  wallet: number,
  timeoutMillis: number,
  signed: Partial<RigOrder> = {},
): number {
  deadMan.claim(rig)
  rig.sign(deadMan, wallet, signed)
  deadMan.timeoutMillis = timeoutMillis
  return rig.requests
}

/** Writes a SetCancelOnDisconnect of a connection of gateway 0. */
export function setOnDisconnect(
  rig: RigCommands,
  wallet: number,
  session: number,
  enabled = true,
  signed: Partial<RigOrder> = {},
): number {
  onDisconnect.claim(rig)
  rig.sign(onDisconnect, wallet, signed)
  onDisconnect.session = session
  onDisconnect.enabled = enabled ? 1 : 0
  return rig.requests
}

/** Writes an EndConnection. */
export function endConnectionOf(rig: RigCommands, wallet: number, session: number): number {
  ended.claim(rig)
  ended.u8.set(walletOf(wallet), ended.walletAt)
  ended.session = session
  return rig.requests
}

/** Core whose wallets use the protections against unattended orders. */
export class SafetyRig extends AuctionRig {
  cancelAll(wallet: number, scope: RigScope = 'all'): number {
    return cancelAllOf(this, wallet, scope)
  }

  deadMan(wallet: number, timeoutMillis: number): number {
    return setDeadMan(this, wallet, timeoutMillis)
  }

  onDisconnect(
    wallet: number,
    session: number,
    enabled = true,
    signed: Partial<RigOrder> = {},
  ): number {
    return setOnDisconnect(this, wallet, session, enabled, signed)
  }

  endConnection(wallet: number, session: number): number {
    return endConnectionOf(this, wallet, session)
  }

  /** Returns the number of working orders of a wallet. */
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
