import { assert } from '../../../schemas/assert.js'
import { InstrumentState, OrderFlag } from '../../../schemas/domain.js'
import {
  type AnyCommand,
  CancelAllCommand,
  EndConnectionCommand,
  SetCancelOnDisconnectCommand,
  SetDeadManCommand,
} from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { CancelScope, Signer } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { addressBytes } from '../../../schemas/wallet.js'
import { sendCancel, ticketsLeft } from '../../lifecycle/liquidation-orders.js'
import { none } from '../../memory/rows.js'
import { endRfqsBy } from '../../rfq/rfq-states.js'
import type { Purge } from '../../state/accounts/safety-table.js'
import type { Batch } from '../../state/batch.js'
import type { CoreState } from '../../state/core-state.js'
import type { Rfq } from '../../state/rfq/rfq-row.js'
import { ordersOf } from '../../state/wallet-rows.js'
import type { MarketOutcome } from '../steps/market-outcome.js'
import { signerOf } from '../steps/signed.js'

const deadManMillisMin = 1000
const deadManMillisMax = 86_400_000

const cancelAll = new CancelAllCommand()
const deadMan = new SetDeadManCommand()
const onDisconnect = new SetCancelOnDisconnectCommand()
const ended = new EndConnectionCommand()

/** Returns an error if a CancelAll names an unknown scope or target, else `Accepted`. */
export function checkCancelAll(state: CoreState, _account: number, command: AnyCommand): Result {
  const { scope } = cancelAll.of(command)
  const isScope = scope >= CancelScope.All && scope <= CancelScope.Instrument
  if (!isScope) return Result.ValueRefused
  return scope === CancelScope.All || targetOf(state) !== none
    ? Result.Accepted
    : Result.InvalidSymbol
}

/** CancelAll: requests and quotes end at once, orders before anything else trades. */
export function applyCancelAll(
  state: CoreState,
  account: number,
  command: AnyCommand,
  out: OrderFacts,
): void {
  const { scope } = cancelAll.of(command)
  const target = scope === CancelScope.All ? none : targetOf(state)
  const purge = { account, reason: Result.CanceledWithAll, scope, target }
  beginPurge(state, purge)
  out.canceledCount = purgedOf(state, purge).length
}

export function checkDeadMan(_state: CoreState, _account: number, command: AnyCommand): Result {
  const { timeoutMillis } = deadMan.of(command)
  if (timeoutMillis === 0) return Result.Accepted
  const isTimeout =
    Number.isInteger(timeoutMillis) &&
    timeoutMillis >= deadManMillisMin &&
    timeoutMillis <= deadManMillisMax
  return isTimeout ? Result.Accepted : Result.ValueRefused
}

export function applyDeadMan(
  state: CoreState,
  account: number,
  command: AnyCommand,
  out: OrderFacts,
): void {
  const { timeoutMillis } = deadMan.of(command)
  state.safety.setDeadMan(account, timeoutMillis, state.nowMillis)
  out.firesMillis = timeoutMillis === 0 ? 0 : state.nowMillis + timeoutMillis
}

export function checkOnDisconnect(state: CoreState, account: number, command: AnyCommand): Result {
  const { enabled, gateway, session } = onDisconnect.of(command)
  if (enabled === 0) return Result.Accepted
  return state.safety.mayBind(account, { gateway, session })
    ? Result.Accepted
    : Result.LimitExceeded
}

/**
 * SetCancelOnDisconnect: binds the wallet to the connection that sent the command. A duplicate binds no other
 * connection.
 */
export function applyOnDisconnect(state: CoreState, account: number, command: AnyCommand): void {
  const { enabled, gateway, session, signerAt, u8 } = onDisconnect.of(command)
  if (enabled === 0) {
    state.safety.unbind(account, { gateway, session })
    return
  }
  const isOwner = signerOf(state, account, command) === Signer.Owner
  const agent = isOwner ? null : u8.subarray(signerAt, signerAt + addressBytes)
  state.safety.bind(account, { gateway, session }, agent)
}

/** EndConnection: a connection that is bound to no wallet changes nothing. */
export function endConnection(state: CoreState, command: AnyCommand, out: MarketOutcome): Result {
  const { gateway, session, u8, walletAt } = ended.of(command)
  const account = state.accounts.find(u8, walletAt)
  out.repeat = account < 0 || !state.safety.unbind(account, { gateway, session })
  if (!out.repeat) purgeAll(state, account, Result.Disconnected)
  return Result.Accepted
}

/** Ends all connections of a process that has ended. */
export function endConnections(state: CoreState): void {
  for (const account of state.safety.unbindAll()) purgeAll(state, account, Result.Disconnected)
}

/** Cancels everything of wallets whose dead-man timer has fired. */
export function fireDeadMen(state: CoreState): void {
  const { nowMillis, safety } = state
  for (let account = safety.takeFired(nowMillis); account >= 0; ) {
    purgeAll(state, account, Result.DeadManFired)
    account = safety.takeFired(nowMillis)
  }
}

/**
 * Cancels the orders of pending cancel-alls before any other order can trade with them.
 * @returns true if there were any; call again after they are answered.
 */
export function cancelPurged(state: CoreState, batch: Batch): boolean {
  const { purges } = state.safety
  if (purges.length === 0) return false
  while (purges.length > 0) {
    const [purge] = purges
    for (const slot of purgedOf(state, purge)) {
      if (ticketsLeft(batch) === 0) return true
      sendCancel(state, batch, slot, purge.reason)
    }
    purges.shift()
  }
  return true
}

function purgeAll(state: CoreState, account: number, reason: Result): void {
  beginPurge(state, { account, reason, scope: CancelScope.All, target: none })
}

function beginPurge(state: CoreState, purge: Purge): void {
  const { account, reason, scope, target } = purge
  assert(account >= 0, 'cancel all: the wallet has an account')
  assert(
    (scope === CancelScope.All) === (target === none),
    'cancel all: every scope but all names its target',
  )
  const isConcerned = ({ terms }: Rfq) =>
    terms.legs.some(({ instrument }) => isIn(state, purge, instrument))
  state.safety.purges.push(purge)
  endRfqsBy(state, account, reason, () => true, isConcerned)
}

/**
 * Returns the wallet's working orders within the scope. Closed instruments cancel their own orders, and the engine its
 * liquidation orders.
 */
function purgedOf(state: CoreState, purge: Purge): readonly number[] {
  const { instruments, orders } = state
  return ordersOf(state, purge.account).filter((slot) => {
    const instrument = orders.instrument[slot]
    const isWallets = (orders.flags[slot] & OrderFlag.Liquidation) === 0
    const isOpen = instruments.state[instrument] === InstrumentState.Active
    return isWallets && isOpen && isIn(state, purge, instrument)
  })
}

function isIn({ instruments }: CoreState, { scope, target }: Purge, instrument: number): boolean {
  if (scope === CancelScope.All) return true
  if (scope === CancelScope.Instrument) return instrument === target
  return instruments.underlying[instrument] === target
}

/** Returns the underlying or instrument that a CancelAll names, or `none`. */
function targetOf({ instruments }: CoreState): number {
  const { key, scope } = cancelAll
  return scope === CancelScope.Underlying ? instruments.findNamed(key) : instruments.findKey(key)
}
