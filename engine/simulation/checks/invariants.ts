import { InstrumentState, Side } from '../../../schemas/domain.js'
import { LiquidationState, SettlementPhase } from '../../../schemas/record-values.js'
import { assertBookConsistent } from '../../matching/book-check.js'
import type { Matcher } from '../../matching/matcher.js'
import { none } from '../../memory/rows.js'
import { StateReader, StateWriter } from '../../memory/state-codec.js'
import { MarginSummary } from '../../risk/order-check.js'
import type { CoreState } from '../../state/core-state.js'
import { Fund } from '../../state/funds.js'
import { judge } from '../../state/judgement.js'
import { handleOf } from '../../state/orders.js'
import { differencesOf } from '../../state/state-differences.js'
import { loadState, saveState } from '../../state/state-snapshot.js'
import { hashKey } from '../batch-history.js'
import { replayCore } from '../replay-core.js'
import { mustHold } from '../simulation-errors.js'
import {
  checkEquity,
  checkExact,
  checkMoney,
  clearingOf,
  positionSums,
} from './exact-invariants.js'
import { levelKey, type MarketFollower } from './market-follower.js'
import { checkFreezes, checkWindows } from './mmp-invariants.js'

/** Everything that must hold in the core's state at every batch border. @throws Violation */
export function checkState(state: CoreState): void {
  checkMoney(state)
  checkExact(state)
  checkPositions(state)
  checkSettled(state)
  checkDebts(state)
  checkDebtors(state)
  checkReduceOnly(state)
  checkFreezes(state)
  const working = new Int32Array(state.accounts.count)
  for (let instrument = 0; instrument < state.instruments.count; instrument++) {
    checkOrders(state, instrument, working)
  }
  for (let account = 0; account < working.length; account++) {
    const counted = state.accounts.workingOrders[account]
    const found = working[account]
    mustHold(counted === found, () => `account ${account} counts ${counted} orders, has ${found}`)
  }
}

/**
 * The books of the matchers hold exactly the core's working orders, and are whole in themselves.
 * @param matchers empty where the core runs its one matcher itself: nobody sees into that.
 */
export function checkBooks(state: CoreState, matchers: readonly Matcher[]): void {
  if (matchers.length === 0) return
  checkWindows(state, matchers)
  const { instruments, orders } = state
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    if (instruments.state[instrument] !== InstrumentState.Active) continue
    const book = matchers[instruments.underlying[instrument] % matchers.length].books[instrument]
    const count = book === undefined ? 0 : assertBookConsistent(book)
    let found = 0
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]) {
      const resting = book?.openLotsOf(handleOf(slot))
      const open = orders.openLots[slot]
      mustHold(
        resting === open,
        () => `order ${orders.orderId[slot]} is open ${open}, rests ${resting}`,
      )
      found++
    }
    mustHold(count === found, () => `book ${instrument} holds ${count} orders, the core ${found}`)
  }
}

/** The books that readers were told of are those of the core's orders; for a reader that has read all. */
export function checkFollower(state: CoreState, follower: MarketFollower): void {
  const { instruments, orders } = state
  for (let instrument = 0; instrument < instruments.count; instrument++) {
    if (instruments.state[instrument] !== InstrumentState.Active) continue
    const levels = new Map<string, number>()
    let slot = orders.firstOf(instrument)
    for (; slot !== none; slot = orders.nextInInstrument[slot]) {
      const level = levelKey(orders.side[slot], orders.priceMicros[slot])
      levels.set(level, (levels.get(level) ?? 0) + orders.openLots[slot])
    }
    const told = follower.bookOf(instrument)
    const same =
      told.size === levels.size && [...levels].every(([key, lots]) => told.get(key) === lots)
    mustHold(same, () => `readers were told another book of instrument ${instrument}`)
  }
}

/** A snapshot of the state loads as the same state, and its margins, computed anew, are the same. */
export function checkReload(state: CoreState): void {
  const writer = new StateWriter()
  saveState(state, writer)
  const other = replayCore(state.config, 1).state
  loadState(other, new StateReader(writer.result()))
  const hash = hashKey(state.hash.low, state.hash.high)
  mustHold(
    hashKey(other.hash.low, other.hash.high) === hash,
    () => 'a snapshot loads as another state',
  )
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

/** What a wallet's perps were entered for, and nobody has paid. */
export function perpCostMicros({ risk }: CoreState, account: number): number {
  const { exposures, firstExposure } = risk
  let micros = 0
  for (let row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
    if (risk.isPerp(row)) micros += exposures.costMicros[row]
  }
  return micros
}

function checkPositions(state: CoreState): void {
  for (const [instrument, sum] of positionSums(state).entries()) {
    if (isBeingPaid(state, instrument)) continue
    mustHold(sum === 0n, () => `positions of instrument ${instrument} add up to ${sum} lots`)
  }
}

/** Some of the wallets are paid out, and the others hold their positions still. */
function isBeingPaid({ instruments, settlements }: CoreState, instrument: number): boolean {
  if (instruments.state[instrument] !== InstrumentState.ExpiredPendingPrice) return false
  const { underlying, expiryMillis } = instruments
  const row = settlements.find(underlying[instrument], expiryMillis[instrument])
  return row?.phase === SettlementPhase.Paying
}

/** Nobody holds what is settled, and every expiry and every round of funding has come to zero but for its dust. */
function checkSettled(state: CoreState): void {
  const { instruments, settlements, fundings, funds } = state
  const { exposures, firstExposure } = state.risk
  for (let account = 0; account < state.accounts.count; account++) {
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      const instrument = exposures.instrument[row]
      const isSettled = instruments.state[instrument] === InstrumentState.Settled
      mustHold(!isSettled, () => `account ${account} is in instrument ${instrument}, settled`)
    }
  }
  let clearingMicros = 0n
  for (const { phase, clearingMicros: open, priceMicros } of settlements.rows) {
    clearingMicros += open
    const isOver = phase === SettlementPhase.Settled
    mustHold(
      open === 0n || phase === SettlementPhase.Paying,
      () => `open ${open} in phase ${phase}`,
    )
    mustHold(!Number.isNaN(priceMicros) || !isOver, () => 'an expiry was settled without a price')
  }
  for (const round of fundings.rounds) clearingMicros += round.clearingMicros
  const kept = clearingOf(funds)
  mustHold(kept === clearingMicros, () => `clearing is ${kept}, of what is paid ${clearingMicros}`)
  const dustMicros = Math.abs(funds.balanceMicros[Fund.Dust])
  // Half a micro for each position that was ever paid, or paid for.
  const paidCount = settlements.payoutCount + fundings.paymentCount
  mustHold(dustMicros * 2 <= paidCount, () => `${dustMicros} micros of dust`)
}

/** Whoever is worth less than nothing is in liquidation; if that is over, what is owed is on record. */
function checkDebts(state: CoreState): void {
  for (let account = 0; account < state.accounts.count; account++) {
    const { equityMicros, requiredMicros } = judge(state, account)
    // Under defined_risk what counts is the worst payoff, whatever the marks say meanwhile.
    if (equityMicros >= Math.min(0, requiredMicros) || state.risk.changed.has(account)) continue
    const row = state.liquidations.find(account)
    mustHold(row !== null, () => `account ${account} owes ${-equityMicros} and is healthy`)
    const isOver = row?.state === LiquidationState.Liquidated
    const recorded = row?.uncoveredMicros ?? 0
    const what = () => `account ${account} owes ${-equityMicros}, on record are ${recorded}`
    mustHold(!isOver || recorded === -equityMicros, what)
  }
}

/** Who has cash below 0 and no position was cleared in that batch, and its record says that nobody has borne the rest. */
function checkDebtors(state: CoreState): void {
  const { exposures, firstExposure, cashMicros } = state.risk
  for (let account = 0; account < state.accounts.count; account++) {
    if (cashMicros[account] >= 0) continue
    let row = firstExposure[account]
    while (row !== none && exposures.positionLots[row] === 0) row = exposures.nextInAccount[row]
    if (row !== none) continue
    const liquidation = state.liquidations.find(account)
    const isCleared = liquidation?.state === LiquidationState.Liquidated
    const recorded = isCleared ? liquidation.uncoveredMicros : 0
    const what = () =>
      `account ${account} ends at ${cashMicros[account]}, on record are ${recorded}`
    mustHold(recorded === -cashMicros[account], what)
  }
}

/** Working reduce-only orders never add up to more than closes their position. */
function checkReduceOnly(state: CoreState): void {
  const { exposures, firstExposure } = state.risk
  const { instruments } = state
  for (let account = 0; account < state.accounts.count; account++) {
    let row = firstExposure[account]
    for (; row !== none; row = exposures.nextInAccount[row]) {
      if (instruments.state[exposures.instrument[row]] !== InstrumentState.Active) continue
      const lots = exposures.positionLots[row]
      const fits =
        exposures.reduceOnlyBuyLots[row] <= Math.max(0, -lots) &&
        exposures.reduceOnlySellLots[row] <= Math.max(0, lots)
      mustHold(fits, () => `account ${account}: reduce-only orders beyond its ${lots} lots`)
    }
  }
}

function checkOrders(state: CoreState, instrument: number, working: Int32Array): void {
  const { orders, orderIndex, instruments } = state
  let idBefore = 0
  let bid = 0
  let ask = Number.POSITIVE_INFINITY
  let slot = orders.firstOf(instrument)
  for (; slot !== none; slot = orders.nextInInstrument[slot]) {
    const id = orders.orderId[slot]
    mustHold(id > idBefore, () => `instrument ${instrument}: orders are not by age`)
    idBefore = id
    const parts = orders.openLots[slot] + orders.filledLots[slot]
    mustHold(parts === orders.sizeLots[slot], () => `order ${id}: open and filled are not its size`)
    mustHold(orderIndex.find(id) === slot, () => `order ${id} is not found`)
    working[orders.account[slot]]++
    const price = orders.priceMicros[slot]
    if (orders.side[slot] === Side.Buy) bid = Math.max(bid, price)
    else ask = Math.min(ask, price)
  }
  if (instruments.state[instrument] !== InstrumentState.Active) return
  mustHold(bid < ask, () => `book ${instrument} is crossed: ${bid} and ${ask}`)
}
