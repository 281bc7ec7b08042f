import { assert } from '../../schemas/assert.js'
import { commandsPerBatchMax } from '../../schemas/bounds.js'
import {
  AuctionChange,
  LiquidationChange,
  LiquidationMode,
  LiquidationState,
} from '../../schemas/record-values.js'
import { publishAuction, publishLiquidation } from '../publish/publish-liquidation.js'
import { MaintenanceMargin } from '../risk/order-check.js'
import type { Batch } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'
import { type Judgement, judge, lacksPrices, termsOf } from '../state/judgement.js'
import { positionsOf } from '../state/wallet-rows.js'
import type { Liquidation } from '../tables/generated/liquidation.js'
import { cancelIncreasing, cancelWorking, sendMoved } from './liquidation-orders.js'
import { clearDebtor, nextLookMillis, transition } from './liquidation-transitions.js'
import { givesTooMuch, isRepriceDue, reprice } from './partial-orders.js'
import { turnTimers } from './timers.js'

/**
 * Maximum number of wallets that one batch checks. The others wait for the next batch, so that the check delays no order
 * by much.
 */
const checksPerBatchMax = 256

const margin = new MaintenanceMargin()
/** Accounts with negative cash; reused. */
const debtors: number[] = []

/** Returns true if wallets still wait for their check. */
export function hasWaiting(state: CoreState): boolean {
  return state.risk.changed.count > 0
}

/** Resets the limits of the checks for a new batch. */
export function beginChecks({ liquidations, config }: CoreState): void {
  liquidations.checksLeft = checksPerBatchMax
  liquidations.positionsLeft = config.remarkedPositions
}

/**
 * Checks wallets against maintenance margin after all decided commands are executed: those whose cash, positions or
 * marks changed or whose deadline passed, by rising account. Recomputing sums over changed marks costs time per
 * position, so a batch is limited to a number of positions, and the next one continues.
 * @returns true if it sent anything to matchers; it is then called again after their results.
 */
export function liquidate(state: CoreState, batch: Batch): boolean {
  const { liquidations } = state
  const { changed } = state.risk
  if (liquidations.moved.length > 0) {
    sendMoved(state, batch)
    return true
  }
  noteRemarks(state)
  // Wallets that a clock step would liquidate are checked after the clock alarm. Everything noted stays noted.
  if (state.clockAlarm) return false
  noteDue(state)
  while (changed.count > 0 && liquidations.checksLeft > 0 && batch.count < commandsPerBatchMax) {
    if (!takesPositions(state, changed.next())) break
    liquidations.checksLeft--
    const account = changed.take()
    check(state, batch, account)
    // A deleveraged wallet may have reduce-only orders that are now too large.
    if (liquidations.moved.length > 0) break
    // The account needs idle matchers, or more tickets than are left; the next round has both.
    if (batch.count > 0 && changed.has(account)) break
  }
  if (changed.count > 0) clearDebtors(state)
  return batch.count > 0 || liquidations.moved.length > 0 || state.safety.purges.length > 0
}

/**
 * Clears waiting wallets that owe cash and have no position, in the step that caused the debt. No mark can change what
 * they owe.
 */
function clearDebtors(state: CoreState): void {
  const { changed, cashMicros } = state.risk
  debtors.length = 0
  changed.forEach((account) => {
    if (cashMicros[account] < 0) debtors.push(account)
  })
  for (const account of debtors) {
    if (isRecorded(state, account) || positionsOf(state, account).length > 0) continue
    clearDebtor(state, account, null)
  }
}

/** Returns true if a debt equals the uncovered loss in the wallet's record. */
function isRecorded({ liquidations, risk }: CoreState, account: number): boolean {
  const row = liquidations.find(account)
  if (row?.state !== LiquidationState.Liquidated || row.revived === 1) return false
  return row.uncoveredMicros === -risk.cashMicros[account]
}

/** Returns true if a cleared wallet has positions again, or owes cash that no recorded loss covers. */
function isBurdened(state: CoreState, account: number): boolean {
  if (positionsOf(state, account).length > 0) return true
  return state.risk.cashMicros[account] < 0 && !isRecorded(state, account)
}

/**
 * Counts the positions of a re-marked wallet, even if an order has already refreshed its sums, because a replay from a
 * snapshot could not know that.
 * @returns true if the batch may check the wallet. A wallet with more positions than the limit is checked only as the
 * first of a batch.
 */
function takesPositions(state: CoreState, account: number): boolean {
  const { liquidations, risk, config } = state
  const { remarked, positionsCounted } = risk
  if (!remarked.has(account)) return true
  const positions = positionsCounted[account]
  const { positionsLeft } = liquidations
  if (positions > positionsLeft && positionsLeft < config.remarkedPositions) return false
  liquidations.positionsLeft = Math.max(0, positionsLeft - positions)
  remarked.remove(account)
  return true
}

/** Notes every wallet in a re-marked underlying; the others cost nothing. */
function noteRemarks(state: CoreState): void {
  const { seenMarks } = state.liquidations
  const { markVersion } = state.risk
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    if (seenMarks[underlying] === markVersion[underlying]) continue
    seenMarks[underlying] = markVersion[underlying]
    state.risk.noteRemark(underlying)
  }
}

/** Notes every wallet whose deadline has passed, and clears the deadline. */
function noteDue(state: CoreState): void {
  const { liquidations, nowMillis } = state
  while (liquidations.nextMillis <= nowMillis) {
    const due = liquidations.rows[0]
    state.risk.changed.add(due.account)
    liquidations.setDeadline(due, Number.POSITIVE_INFINITY)
  }
}

function check(state: CoreState, batch: Batch, account: number): void {
  const { liquidations, risk } = state
  assert(account >= 0 && account < state.accounts.count, 'liquidation: the account exists')
  const known = liquidations.find(account)
  if (known === null) {
    risk.maintenance(account, margin)
    if (margin.equityMicros >= margin.requiredMicros) return
  }
  const row = known ?? liquidations.add(account)
  if (row.state === LiquidationState.Liquidated && row.revived === 0) {
    if (!isBurdened(state, account)) {
      if (row.purging === 1) purge(state, batch, row)
      return
    }
    liquidations.amend(row, (changed) => {
      changed.revived = 1
    })
  }
  turnTimers(state, row)
  let judged = judge(state, account)
  const mayMove = batch.count === 0
  while (!pausesForPrices(state, row, judged) && transition(state, row, judged, mayMove)) {
    judged = judge(state, account)
  }
  if (row.waiting === 1) {
    // The engine's own orders have outdated prices, and cancelling them requires no price.
    if (row.state === LiquidationState.InLiquidation) purge(state, batch, row)
    return
  }
  act(state, batch, row, judged)
  if (row.state === LiquidationState.Healthy && row.purging === 0) liquidations.remove(row)
  else liquidations.setDeadline(row, nextLookMillis(state, row, judged))
}

/**
 * Returns true while prices are missing. No wallet is liquidated on missing prices; its liquidation pauses until they
 * are available.
 */
function pausesForPrices(state: CoreState, row: Liquidation, judged: Judgement): boolean {
  const { liquidations } = state
  // A debt without a position depends on no price.
  const isHolding = positionsOf(state, row.account).length > 0
  const waiting = isHolding && lacksPrices(state, row) ? 1 : 0
  if (waiting !== row.waiting) {
    liquidations.amend(row, (changed) => {
      changed.waiting = waiting
    })
    publishLiquidation(state, row, LiquidationChange.Waiting, judged)
  }
  if (waiting === 1) liquidations.setDeadline(row, Number.POSITIVE_INFINITY)
  return waiting === 1
}

/** Performs the actions of the wallet's current state. */
function act(state: CoreState, batch: Batch, row: Liquidation, judged: Judgement): void {
  if (row.state === LiquidationState.PreLiquidation) {
    const isDone = cancelIncreasing(state, batch, row.account, judged.equityMicros)
    notePurge(state, row, isDone)
    return
  }
  if (row.purging === 1 && !purge(state, batch, row)) return
  const isPartial = row.mode === LiquidationMode.Partial
  if (isPartial && (isRepriceDue(state, row) || givesTooMuch(state, row, judged))) {
    reprice(state, batch, row, judged)
  } else if (row.mode === LiquidationMode.Full) {
    value(state, row, judged)
  }
}

/**
 * Cancels the orders that must be cancelled. @returns true if all cancels were sent; otherwise the wallet is checked
 * again.
 */
function purge(state: CoreState, batch: Batch, row: Liquidation): boolean {
  const isOwn = row.state === LiquidationState.Healthy
  return notePurge(state, row, cancelWorking(state, batch, row.account, isOwn))
}

function notePurge(state: CoreState, row: Liquidation, isDone: boolean): boolean {
  if (!isDone) {
    state.risk.changed.add(row.account)
  } else if (row.purging === 1) {
    state.liquidations.amend(row, (changed) => {
      changed.purging = 0
    })
  }
  return isDone
}

/** Publishes new terms of the auction: its price falls, and marks have moved. */
function value(state: CoreState, row: Liquidation, judged: Judgement): void {
  assert(row.purging === 0, 'liquidation auction: it is priced after all orders are cancelled')
  state.liquidations.amend(row, (changed) => {
    changed.version++
  })
  const { requiredMicros } = termsOf(state, row, judged)
  const change = row.version === 2 ? AuctionChange.Begun : AuctionChange.Valued
  publishAuction(state, row, change, requiredMicros)
}
