import type { Core } from '../../../engine/core/core.js'
import { clearingOf } from '../../../engine/invariants/money.js'
import { positionsBreach } from '../../../engine/invariants/positions.js'
import { activeIn, exposuresIn, ordersIn } from '../../../engine/invariants/state-rows.js'
import type { Book } from '../../../engine/matching/book.js'
import { assertBookConsistent } from '../../../engine/matching/book-check.js'
import { noLevel } from '../../../engine/matching/level-index.js'
import type { Matcher } from '../../../engine/matching/matcher.js'
import { notResting } from '../../../engine/matching/order-book.js'
import { orderField } from '../../../engine/matching/order-pool.js'
import { slotShape } from '../../../engine/matching/slot-pool.js'
import { StateReader, StateWriter } from '../../../engine/memory/state-codec.js'
import { MarginSummary } from '../../../engine/risk/order-check.js'
import type { CoreState } from '../../../engine/state/core-state.js'
import { judge } from '../../../engine/state/judgement.js'
import { Fund } from '../../../engine/state/money/funds.js'
import { handleOf } from '../../../engine/state/orders/orders.js'
import { differencesOf } from '../../../engine/state/snapshot/state-differences.js'
import { loadState, saveState } from '../../../engine/state/snapshot/state-snapshot.js'
import { ordersOf, positionsOf } from '../../../engine/state/wallet-rows.js'
import { InstrumentState, Side } from '../../../schemas/domain.js'
import { LiquidationState, SettlementPhase } from '../../../schemas/record-values.js'
import { levelKey, type MarketFollower } from '../published/market-follower.js'
import { isSameHash } from '../run/batch-history.js'
import { replayCore } from '../run/replay-core.js'
import { mustHold } from '../run/simulation-errors.js'
import { checkPush, checkReferrals } from './account-invariants.js'
import { checkAuctions } from './auction-invariants.js'
import { checkCompetitions } from './competition-invariants.js'
import {
  checkEquity,
  checkExact,
  checkInTransit,
  checkMoney,
  mustBeNone,
} from './exact-invariants.js'
import { checkFreezes, checkWindows } from './mmp-invariants.js'
import { checkRfqs } from './rfq-invariants.js'
import { checkUsernames } from './username-invariants.js'

/**
 * Checks everything that must hold in the core's state after every batch.
 * @throws Violation
 */
export function checkState(state: CoreState): void {
  checkMoney(state)
  checkInTransit(state)
  checkExact(state)
  mustBeNone(positionsBreach(state))
  checkSettled(state)
  checkPayouts(state)
  checkDebts(state)
  checkDebtors(state)
  checkCleared(state)
  checkReduceOnly(state)
  checkFreezes(state)
  checkRfqs(state)
  checkAuctions(state)
  checkReferrals(state)
  checkPush(state)
  checkUsernames(state)
  checkCompetitions(state)
  const working = new Int32Array(state.accounts.count)
  for (let instrument = 0; instrument < state.instruments.count; instrument++) {
    checkOrders(state, instrument, working)
  }
  for (const [account, found] of working.entries()) {
    const counted = state.accounts.workingOrders[account]
    mustHold(counted === found, () => `account ${account} counts ${counted} orders, has ${found}`)
  }
}

/**
 * Checks that the matchers' books hold exactly the core's working orders and are consistent.
 * @param matchers empty where the core runs its only matcher itself, which hides its books
 */
export function checkBooks(state: CoreState, matchers: readonly Matcher[]): void {
  if (matchers.length === 0) return
  checkWindows(state, matchers)
  const { instruments, orders } = state
  for (const instrument of activeIn(state)) {
    const book = matchers[instruments.underlying[instrument] % matchers.length].books[instrument]
    const count = book === undefined ? 0 : assertBookConsistent(book)
    let found = 0
    for (const slot of ordersIn(state, instrument)) {
      const resting = book?.openLotsOf(handleOf(slot)) ?? notResting
      const isWaiting = state.auctions.has(slot)
      const open = isWaiting ? notResting : orders.openLots[slot]
      const what = () => `order ${orders.orderId[slot]} is open ${open}, rests ${resting}`
      mustHold(resting === open, what)
      if (!isWaiting) found++
    }
    if (book !== undefined) checkQueues(state, instrument, book)
    mustHold(count === found, () => `book ${instrument} holds ${count} orders, the core ${found}`)
  }
}

/** Checks that the orders of a price level queue in the core's order, in which a snapshot loads them. */
function checkQueues(state: CoreState, instrument: number, { pool }: Book): void {
  const { words } = pool.orders
  const { level, prev } = orderField
  const lastByLevel = new Map<number, number>()
  for (const slot of ordersIn(state, instrument)) {
    if (state.auctions.has(slot)) continue
    const place = pool.slotOf[handleOf(slot)]
    const at = place << slotShape.shift
    const before = lastByLevel.get(words[at | level]) ?? noLevel
    const what = () => `order ${state.orders.orderId[slot]} has another place in its queue`
    mustHold(words[at | prev] === before, what)
    lastByLevel.set(words[at | level], place)
  }
}

/** Checks that the published books are those of the core's orders, for a reader that has read everything. */
export function checkFollower(state: CoreState, follower: MarketFollower): void {
  const { orders } = state
  for (const instrument of activeIn(state)) {
    const levels = new Map<string, number>()
    for (const slot of ordersIn(state, instrument)) {
      if (state.auctions.has(slot)) continue
      const level = levelKey(orders.side[slot], orders.priceMicros[slot])
      levels.set(level, (levels.get(level) ?? 0) + orders.openLots[slot])
    }
    const published = follower.bookOf(instrument)
    const same =
      published.size === levels.size &&
      [...levels].every(([key, lots]) => published.get(key) === lots)
    mustHold(same, () => `readers received another book of instrument ${instrument}`)
  }
}

/** Returns a new core with this state, loaded from a snapshot of it. */
export function reloaded(state: CoreState): Core {
  const writer = new StateWriter()
  saveState(state, writer)
  const core = replayCore(state.config, 1)
  loadState(core.state, new StateReader(writer.result()))
  return core
}

/** Checks that a snapshot loads as the same state, and that recomputed margins equal the stored ones. */
export function checkReload(state: CoreState): void {
  const other = reloaded(state).state
  mustHold(isSameHash(other.hash, state.hash), () => 'a snapshot loads as another state')
  const [difference] = differencesOf(state, other)
  mustHold(difference === undefined, () => `a snapshot loads otherwise: ${difference}`)
  other.risk.setTime(state.nowMillis)
  const [kept, fresh] = [new MarginSummary(), new MarginSummary()]
  for (let account = 0; account < state.accounts.count; account++) {
    checkEquity(state, account)
    state.risk.summarize(account, kept)
    other.risk.summarize(account, fresh)
    for (const field of Object.keys(kept) as (keyof MarginSummary)[]) {
      const what = () => `account ${account}: ${field} is ${kept[field]}, anew ${fresh[field]}`
      mustHold(Object.is(kept[field], fresh[field]), what)
    }
  }
}

/** Checks that no wallet has a position in a settled instrument. */
function checkSettled(state: CoreState): void {
  const { account, instrument } = state.risk.exposures
  for (const row of exposuresIn(state)) {
    const isSettled = state.instruments.state[instrument[row]] === InstrumentState.Settled
    mustHold(
      !isSettled,
      () => `account ${account[row]} is in instrument ${instrument[row]}, settled`,
    )
  }
}

/** Checks that every expiry and every round of funding comes to zero except for its dust. */
function checkPayouts({ settlements, fundings, funds }: CoreState): void {
  let clearingMicros = 0n
  for (const { phase, clearingMicros: open, priceMicros } of settlements.rows) {
    clearingMicros += open
    const isPaying = phase === SettlementPhase.Paying
    mustHold(open === 0n || isPaying, () => `open ${open} in phase ${phase}`)
    const isOver = phase === SettlementPhase.Settled
    mustHold(!Number.isNaN(priceMicros) || !isOver, () => 'an expiry was settled without a price')
  }
  for (const round of fundings.rounds) clearingMicros += round.clearingMicros
  const kept = clearingOf(funds)
  mustHold(kept === clearingMicros, () => `clearing is ${kept}, of what is paid ${clearingMicros}`)
  const dustMicros = Math.abs(funds.balanceMicros[Fund.Dust])
  // Half a micro for each position that was ever paid or charged.
  const paidCount = settlements.payoutCount + fundings.paymentCount
  mustHold(dustMicros * 2 <= paidCount, () => `${dustMicros} micros of dust`)
}

/** Checks that a wallet with negative equity is in liquidation, and that after it ends the record states the debt. */
function checkDebts(state: CoreState): void {
  for (let account = 0; account < state.accounts.count; account++) {
    const { equityMicros, requiredMicros } = judge(state, account)
    // Under defined_risk the worst payoff counts, whatever the marks are.
    if (equityMicros >= Math.min(0, requiredMicros) || state.risk.changed.has(account)) continue
    const row = state.liquidations.find(account)
    mustHold(row !== null, () => `account ${account} owes ${-equityMicros} and is healthy`)
    const isOver = row?.state === LiquidationState.Liquidated
    const recorded = row?.uncoveredMicros ?? 0
    const what = () => `account ${account} owes ${-equityMicros}, on record are ${recorded}`
    mustHold(!isOver || recorded === -equityMicros, what)
  }
}

/**
 * Checks that a wallet with negative cash and no position was cleared in that batch, with the unpaid rest on its
 * record.
 */
function checkDebtors(state: CoreState): void {
  const { cashMicros } = state.risk
  for (let account = 0; account < state.accounts.count; account++) {
    if (cashMicros[account] >= 0 || positionsOf(state, account).length > 0) continue
    const liquidation = state.liquidations.find(account)
    const isCleared = liquidation?.state === LiquidationState.Liquidated
    const recorded = isCleared ? liquidation.uncoveredMicros : 0
    const what = () =>
      `account ${account} ends at ${cashMicros[account]}, on record are ${recorded}`
    mustHold(recorded === -cashMicros[account], what)
  }
}

/** Checks that a cleared wallet has no order that could still trade. */
function checkCleared(state: CoreState): void {
  for (const { account, revived, state: place } of state.liquidations.rows) {
    if (place !== LiquidationState.Liquidated || revived === 1) continue
    const orders = ordersOf(state, account)
    const isOpen = (slot: number) =>
      state.instruments.state[state.orders.instrument[slot]] === InstrumentState.Active
    mustHold(!orders.some(isOpen), () => `account ${account} is cleared, and has orders`)
  }
}

/** Checks that working reduce-only orders never add up to more than their position. */
function checkReduceOnly(state: CoreState): void {
  const { exposures } = state.risk
  const { account, instrument, positionLots } = exposures
  for (const row of exposuresIn(state)) {
    if (state.instruments.state[instrument[row]] !== InstrumentState.Active) continue
    const lots = positionLots[row]
    const fits =
      exposures.reduceOnlyBuyLots[row] <= Math.max(0, -lots) &&
      exposures.reduceOnlySellLots[row] <= Math.max(0, lots)
    mustHold(fits, () => `account ${account[row]}: reduce-only orders beyond its ${lots} lots`)
  }
}

function checkOrders(state: CoreState, instrument: number, working: Int32Array): void {
  const { orders, orderIndex, instruments } = state
  let bid = 0
  let ask = Number.POSITIVE_INFINITY
  for (const slot of ordersIn(state, instrument)) {
    const id = orders.orderId[slot]
    const parts = orders.openLots[slot] + orders.filledLots[slot]
    mustHold(parts === orders.sizeLots[slot], () => `order ${id}: open and filled are not its size`)
    mustHold(orderIndex.find(id) === slot, () => `order ${id} is not found`)
    working[orders.account[slot]]++
    if (state.auctions.has(slot)) continue
    const price = orders.priceMicros[slot]
    if (orders.side[slot] === Side.Buy) bid = Math.max(bid, price)
    else ask = Math.min(ask, price)
  }
  if (instruments.state[instrument] !== InstrumentState.Active) return
  mustHold(bid < ask, () => `book ${instrument} is crossed: ${bid} and ${ask}`)
}
