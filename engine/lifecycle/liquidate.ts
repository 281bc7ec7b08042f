import { commandsPerBatchMax } from '../../schemas/bounds.js'
import {
  AuctionChange,
  LiquidationChange,
  LiquidationMode,
  LiquidationState,
} from '../../schemas/liquidation.js'
import type { Batch } from '../core/batch.js'
import type { CoreState } from '../core/core-state.js'
import { none } from '../core/orders.js'
import { rowCells } from '../memory/rows.js'
import { MaintenanceMargin } from '../risk/order-check.js'
import { type Judgement, judge, termsOf } from './judgement.js'
import { cancelIncreasing, cancelWorking, tellMoved } from './liquidation-orders.js'
import type { Liquidation } from './liquidation-table.js'
import { nextLookMillis, transition } from './liquidation-transitions.js'
import { publishAuction, publishLiquidation } from './publish-liquidation.js'
import { isRepriceDue, reprice } from './reprice.js'

/** Wallets that one batch looks at; the others wait for the next, so that no order waits for all of them. */
export const checksPerBatchMax = 256

const margin = new MaintenanceMargin()

/** Whether wallets are left that the check has not come round to. */
export function hasWaiting(state: CoreState): boolean {
  return state.risk.ledger.changed.count > 0
}

/**
 * The continuous check against maintenance margin (risk-and-pricing.md 6), when everything that was decided is
 * settled: looks at the wallets whose cash, positions or marks have changed, or whose time has come, by rising account.
 * @returns whether it has sent anything to matchers: then it is called again once that is settled.
 */
export function liquidate(state: CoreState, batch: Batch): boolean {
  const { liquidations } = state
  const { changed } = state.risk.ledger
  noteRemarks(state)
  if (liquidations.nextMillis <= state.nowMillis) noteDue(state)
  if (liquidations.moved.length > 0) {
    tellMoved(state, batch)
    return true
  }
  while (changed.count > 0 && liquidations.checksLeft > 0 && batch.count < commandsPerBatchMax) {
    liquidations.checksLeft--
    check(state, batch, changed.take())
    // Who was auto-deleveraged may have reduce-only orders that are too large now.
    if (liquidations.moved.length > 0) break
  }
  return batch.count > 0 || liquidations.moved.length > 0
}

/** Every wallet in a re-marked underlying is looked at. */
function noteRemarks(state: CoreState): void {
  const { seenMarks } = state.liquidations
  const { buckets, changed, markVersion } = state.risk.ledger
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    if (seenMarks[underlying] === markVersion[underlying]) continue
    seenMarks[underlying] = markVersion[underlying]
    for (let row = 0; row < buckets.high * rowCells; row += rowCells) {
      if (buckets.underlying[row] !== underlying || buckets.account[row] === none) continue
      changed.add(buckets.account[row])
    }
  }
}

function noteDue(state: CoreState): void {
  for (const { account, deadlineMillis } of state.liquidations.rows) {
    if (deadlineMillis <= state.nowMillis) state.risk.ledger.changed.add(account)
  }
}

function check(state: CoreState, batch: Batch, account: number): void {
  const { liquidations, risk } = state
  const known = liquidations.find(account)
  if (known === null) {
    risk.maintenance(account, margin)
    if (margin.equityMicros >= margin.requiredMicros) return
  }
  const row = known ?? liquidations.add(account)
  if (row.state === LiquidationState.Liquidated && row.revived === 0) {
    if (row.purging === 1) purge(state, batch, row)
    return
  }
  let judged = judge(state, account)
  if (isWaiting(state, row, judged)) return
  const mayMove = batch.count === 0
  while (transition(state, row, judged, mayMove)) judged = judge(state, account)
  act(state, batch, row, judged)
  if (row.state === LiquidationState.Healthy && row.purging === 0) liquidations.remove(row)
  else liquidations.setDeadline(row, nextLookMillis(state, row, judged))
}

/** Nobody is liquidated by prices that are missing: everything stands still until they are there. */
function isWaiting(state: CoreState, row: Liquidation, judged: Judgement): boolean {
  const { liquidations } = state
  const waiting = state.risk.lacksMarks(row.account) ? 1 : 0
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
  if (row.purging === 1 && !purge(state, batch, row)) return
  if (row.mode === LiquidationMode.Partial && isRepriceDue(state, row)) {
    reprice(state, batch, row, judged)
  } else if (row.mode === LiquidationMode.Full) {
    value(state, row, judged)
  }
}

/** Cancels what has to go. @returns whether all of it is on its way; else the wallet is looked at again. */
function purge(state: CoreState, batch: Batch, row: Liquidation): boolean {
  const isGrace = row.state === LiquidationState.PreLiquidation
  const isDone = isGrace
    ? cancelIncreasing(state, batch, row.account)
    : cancelWorking(state, batch, row.account, row.state === LiquidationState.Healthy)
  if (isDone) {
    state.liquidations.amend(row, (changed) => {
      changed.purging = 0
    })
  } else {
    state.risk.ledger.changed.add(row.account)
  }
  return isDone
}

/** New terms of the auction: its price falls, and marks have moved. */
function value(state: CoreState, row: Liquidation, judged: Judgement): void {
  state.liquidations.amend(row, (changed) => {
    changed.version++
  })
  const { requiredMicros } = termsOf(state, row, judged)
  const change = row.version === 1 ? AuctionChange.Begun : AuctionChange.Valued
  publishAuction(state, row, judged, { change, requiredMicros, paidMicros: 0, bonusMicros: 0 })
}
