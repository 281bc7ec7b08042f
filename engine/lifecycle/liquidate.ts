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
import { cancelIncreasing, cancelWorking, tellMoved } from './liquidation-orders.js'
import { clearDebtor, nextLookMillis, transition } from './liquidation-transitions.js'
import { givesTooMuch, isRepriceDue, reprice } from './partial-orders.js'
import { turnTimers } from './timers.js'

/** Wallets that one batch looks at; the others wait for the next, so that no order waits for all of them. */
const checksPerBatchMax = 256

const margin = new MaintenanceMargin()
/** Accounts with cash below 0; reused. */
const debtors: number[] = []

/** Whether wallets are left that the check has not come round to. */
export function hasWaiting(state: CoreState): boolean {
  return state.risk.changed.count > 0
}

/** What the check may do in the batch that begins. */
export function beginChecks({ liquidations, config }: CoreState): void {
  liquidations.checksLeft = checksPerBatchMax
  liquidations.positionsLeft = config.remarkedPositions
}

/**
 * The continuous check against maintenance margin, when everything that was decided is
 * carried out: looks at the wallets whose cash, positions or marks have changed, or whose time has come, by rising account.
 * Sums over marks that have changed cost by the position, so a batch looks at so many only, and the next one goes on.
 * @returns whether it has sent anything to matchers: then it is called again once that is answered.
 */
export function liquidate(state: CoreState, batch: Batch): boolean {
  const { liquidations } = state
  const { changed } = state.risk
  if (liquidations.moved.length > 0) {
    tellMoved(state, batch)
    return true
  }
  noteRemarks(state)
  // Whom a step of the clock would liquidate is looked at when it is over: all that is noted stays noted.
  if (state.clockAlarm) return false
  noteDue(state)
  while (changed.count > 0 && liquidations.checksLeft > 0 && batch.count < commandsPerBatchMax) {
    if (!takesPositions(state, changed.next())) break
    liquidations.checksLeft--
    const account = changed.take()
    check(state, batch, account)
    // Who was auto-deleveraged may have reduce-only orders that are too large now.
    if (liquidations.moved.length > 0) break
    // It wants matchers that owe nothing, or more tickets than are left: both are there in the next round.
    if (batch.count > 0 && changed.has(account)) break
  }
  if (changed.count > 0) clearDebtors(state)
  return batch.count > 0 || liquidations.moved.length > 0 || state.safety.purges.length > 0
}

/**
 * Of those who wait for the next batch, who owe cash and have no position are cleared in the step that has made it so:
 * no mark can change what they owe.
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

/** Whether a debt is what its record says that nobody has borne. */
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
 * Counts the positions of a re-marked wallet, whether or not an order has made its sums fresh meanwhile: a replay from a
 * snapshot could not tell.
 * @returns whether the batch may look at it: one with more than a batch's positions is looked at first of all or not.
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

/** Every wallet in a re-marked underlying is looked at; the others cost nothing. */
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

/** Every wallet whose time has come is looked at, and then has another deadline. */
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
  while (!isWaiting(state, row, judged) && transition(state, row, judged, mayMove)) {
    judged = judge(state, account)
  }
  if (row.waiting === 1) {
    // The engine's orders name prices of before, and nobody's needs one to be cancelled.
    if (row.state === LiquidationState.InLiquidation) purge(state, batch, row)
    return
  }
  act(state, batch, row, judged)
  if (row.state === LiquidationState.Healthy && row.purging === 0) liquidations.remove(row)
  else liquidations.setDeadline(row, nextLookMillis(state, row, judged))
}

/** Nobody is liquidated by prices that are missing: everything stands still until they are there. */
function isWaiting(state: CoreState, row: Liquidation, judged: Judgement): boolean {
  const { liquidations } = state
  // What is owed without a position depends on no price.
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

/** What the state that the wallet is in now asks for. */
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

/** Cancels what has to go. @returns whether all of it is on its way; else the wallet is looked at again. */
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

/** New terms of the auction: its price falls, and marks have moved. */
function value(state: CoreState, row: Liquidation, judged: Judgement): void {
  assert(row.purging === 0, 'liquidation auction: it is priced after all orders are cancelled')
  state.liquidations.amend(row, (changed) => {
    changed.version++
  })
  const { requiredMicros } = termsOf(state, row, judged)
  const change = row.version === 2 ? AuctionChange.Begun : AuctionChange.Valued
  publishAuction(state, row, change, requiredMicros)
}
