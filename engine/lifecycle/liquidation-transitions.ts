import { assert } from '../../schemas/assert.js'
import {
  AuctionChange,
  CancelScope,
  LiquidationChange,
  LiquidationMode,
  LiquidationState,
} from '../../schemas/record-values.js'
import { Result } from '../../schemas/results.js'
import { isMove, liquidationMoves } from '../../schemas/state-moves.js'
import { none } from '../memory/rows.js'
import { publishAuction, publishLiquidation } from '../publish/publish-liquidation.js'
import { insolventMicros, unpayableAfter } from '../risk/auction-terms.js'
import { atLeast } from '../risk/exact-share.js'
import type { SafetyTable } from '../state/accounts/safety-table.js'
import {
  auctionStateOf,
  deadlineOf,
  type Judgement,
  judge,
  neededMicros,
  reaches,
  rowEndOf,
  rowMillis,
} from '../state/judgement.js'
import { Fund } from '../state/money/funds.js'
import type { RfqTable } from '../state/rfq/rfq-table.js'
import { awaitsSettlement, positionsOf } from '../state/wallet-rows.js'
import type { Liquidation } from '../tables/generated/liquidation.js'
import { type AutoDeleveragingState, deleverage } from './auto-deleveraging.js'
import { coverDebt, coverLoss, type Lender } from './loss-sharing.js'
import { isReducible, isRepriceDue, type RepriceState } from './partial-orders.js'
import { beginTimers } from './timers.js'

interface LiquidationTransitionsState extends RepriceState, AutoDeleveragingState {
  readonly safety: SafetyTable
  readonly rfqs: RfqTable
}

const { Healthy, InLiquidation, Liquidated, PreLiquidation } = LiquidationState
const { Full, None, Partial } = LiquidationMode

/** Shares are rounded to lots, so after a won bid this much may be missing per position; it is ignored. */
const roundingMicrosMax = 10_000

/**
 * Moves a wallet one state on.
 * @param mayMove true if matchers owe no results. Only then may positions of others move off the book, because orders
 * on their way were sent with the old positions. If false, the wallet is checked again.
 * @returns true if its state or its account changed; it is then judged and called again.
 */
export function transition(
  state: LiquidationTransitionsState,
  row: Liquidation,
  judged: Judgement,
  mayMove: boolean,
): boolean {
  if (row.state === Liquidated) {
    return row.revived === 1 && enter(state, row, Healthy, None, judged)
  }
  if (row.state === Healthy) {
    if (judged.equityMicros >= judged.requiredMicros) return false
    return enter(state, row, PreLiquidation, None, judged)
  }
  if (row.state === PreLiquidation) return leaveGrace(state, row, judged)
  if (row.mode === Partial) return leavePartial(state, row, judged)
  return leaveFull(state, row, judged, mayMove)
}

/** Returns the time of the row's next check if nothing else happens. */
export function nextLookMillis(
  state: LiquidationTransitionsState,
  row: Liquidation,
  judged: Judgement,
): number {
  const { liquidation: parameters } = state.config
  if (row.state === Healthy || row.state === Liquidated) return Number.POSITIVE_INFINITY
  // The restart of the timers triggers a check.
  if (row.standingMillis > 0) return Number.POSITIVE_INFINITY
  const endMillis = deadlineOf(state, row)
  if (row.mode === Partial) {
    // Orders that are still being cancelled trigger a check by themselves.
    if (row.repricedMillis === 0) return endMillis
    return Math.min(endMillis, row.repricedMillis + parameters.repriceSeconds * 1000)
  }
  if (row.mode !== Full) return endMillis
  const wholeMicros = judged.requiredMicros - judged.equityMicros
  const heldMicros = state.funds.balanceMicros[Fund.Insurance]
  const unpayableMillis =
    row.insolventMillis === 0
      ? Number.POSITIVE_INFINITY
      : row.insolventMillis + row.stoodMillis + unpayableAfter(parameters, wholeMicros, heldMicros)
  return Math.min(afterNow(state, endMillis), afterNow(state, unpayableMillis))
}

/**
 * Returns a future time, or Infinity for a passed one. Action at a passed time was blocked by an instrument that awaits
 * its settlement, and the wallet is checked when that ends.
 */
function afterNow(state: LiquidationTransitionsState, millis: number): number {
  return millis > state.nowMillis ? millis : Number.POSITIVE_INFINITY
}

function leaveGrace(
  state: LiquidationTransitionsState,
  row: Liquidation,
  judged: Judgement,
): boolean {
  const { liquidation: parameters } = state.config
  const { equityMicros, requiredMicros } = judged
  if (equityMicros <= 0 && equityMicros < requiredMicros) {
    return enter(state, row, InLiquidation, Full, judged)
  }
  if (reaches(judged, parameters.recoverRatio)) return enter(state, row, Healthy, None, judged)
  if (!hasEnded(state, row)) return false
  if (equityMicros >= requiredMicros) return enter(state, row, Healthy, None, judged)
  return enter(state, row, InLiquidation, Partial, judged)
}

function leavePartial(
  state: LiquidationTransitionsState,
  row: Liquidation,
  judged: Judgement,
): boolean {
  const { liquidation: parameters } = state.config
  if (reaches(judged, parameters.targetRatio)) return enter(state, row, Healthy, None, judged)
  const escalates =
    judged.equityMicros <= 0 ||
    hasEnded(state, row) ||
    (isRepriceDue(state, row) && !isReducible(state, row, judged))
  return escalates && enter(state, row, InLiquidation, Full, judged)
}

function leaveFull(
  state: LiquidationTransitionsState,
  row: Liquidation,
  judged: Judgement,
  mayMove: boolean,
): boolean {
  const { liquidation: parameters } = state.config
  const { length: positions } = positionsOf(state, row.account)
  if (positions === 0) {
    return clear(state, row, null)
  }
  const isWon = row.winner > 0 && row.version === row.positionsVersion
  const missingMicros = neededMicros(parameters, judged)
  if (missingMicros <= (isWon ? roundingMicrosMax * positions : 0)) {
    return enter(state, row, Healthy, None, judged)
  }
  noteInsolvency(state, row, judged)
  if (row.standingMillis > 0 || awaitsSettlement(state, row.account)) return false
  if (!mustDeleverage(state, row, judged)) return false
  if (!mayMove) {
    state.risk.changed.add(row.account)
    return false
  }
  deleverage(state, row, judged)
  return true
}

/** Returns true if the time of the row's state and mode has ended; false while its timers are stopped. */
function hasEnded(state: LiquidationTransitionsState, row: Liquidation): boolean {
  if (row.standingMillis > 0) return false
  return rowMillis(state, row) >= rowEndOf(state.config.liquidation, row)
}

/** Returns true if nobody bid in time, or if the insurance fund cannot pay the offer to a bidder. */
function mustDeleverage(
  state: LiquidationTransitionsState,
  row: Liquidation,
  judged: Judgement,
): boolean {
  const { liquidation: parameters } = state.config
  if (hasEnded(state, row)) return true
  if (judged.equityMicros > 0) return false
  const offerMicros = insolventMicros(parameters, auctionStateOf(state, row, judged))
  return offerMicros > state.funds.balanceMicros[Fund.Insurance]
}

function noteInsolvency(
  state: LiquidationTransitionsState,
  row: Liquidation,
  judged: Judgement,
): void {
  const isInsolvent = judged.equityMicros <= 0
  if (isInsolvent === row.insolventMillis > 0) return
  state.liquidations.amend(row, (changed) => {
    changed.insolventMillis = isInsolvent ? rowMillis(state, row) : 0
  })
}

/**
 * Pays the debt of an account that has only cash left, and clears the account. Its orders end before the core decides
 * any other command, so none of them can trade before the next check of the account.
 */
function clear(state: LiquidationTransitionsState, row: Liquidation, lend: Lender | null): boolean {
  const { account } = row
  assert(positionsOf(state, account).length === 0, 'liquidation: a cleared wallet has no positions')
  coverDebt(state, row, lend)
  const owedMicros = Math.max(0, -state.risk.cashMicros[account])
  assert(owedMicros <= row.uncoveredMicros, 'liquidation: a remaining debt is recorded')
  if (state.accounts.workingOrders[account] > 0) {
    const reason = Result.AccountInLiquidation
    state.safety.purges.push({ account, reason, scope: CancelScope.All, target: none })
  }
  return enter(state, row, Liquidated, None, judge(state, account))
}

/**
 * Clears a wallet that owes cash and has no position, in the step that caused the debt.
 * @param lend pays what the insurance fund lacks, as far as possible.
 */
export function clearDebtor(
  state: LiquidationTransitionsState,
  account: number,
  lend: Lender | null,
): void {
  clear(state, takeOver(state, account), lend)
}

/** Covers a loss of a wallet that still has positions, so that closing them causes no loss to others. */
export function clearInsolvent(
  state: LiquidationTransitionsState,
  account: number,
  lossMicros: number,
  lend: Lender,
): void {
  assert(lossMicros > 0, 'liquidation: the loss is positive')
  const row = takeOver(state, account)
  coverLoss(state, row, lossMicros, lend)
  publishLiquidation(state, row, LiquidationChange.Borne, judge(state, account))
}

/** Moves an insolvent wallet to the full phase from any state. */
function takeOver(state: LiquidationTransitionsState, account: number): Liquidation {
  const row = state.liquidations.find(account) ?? state.liquidations.add(account)
  const judged = judge(state, account)
  if (row.state === Liquidated) enter(state, row, Healthy, None, judged)
  if (row.state === Healthy) enter(state, row, PreLiquidation, None, judged)
  if (row.mode !== Full) enter(state, row, InLiquidation, Full, judged)
  return row
}

function enter(
  state: LiquidationTransitionsState,
  row: Liquidation,
  to: LiquidationState,
  mode: LiquidationMode,
  judged: Judgement,
): boolean {
  const { liquidations, nowMillis, config } = state
  const [beforeState, beforeMode] = [row.state, row.mode]
  assert(isMove(liquidationMoves, beforeState, to), 'liquidation: the state change is allowed')
  assert(
    (to === InLiquidation) === (mode !== None),
    'liquidation: only a wallet in liquidation has a mode',
  )
  const auction = mode === Full ? liquidations.nextAuction() : row.auction
  liquidations.amend(row, (changed) => {
    changed.state = to
    changed.mode = mode
    changed.enteredMillis = nowMillis
    changed.purging = 1
    changed.revived = 0
    changed.repricedMillis = 0
    changed.targetMicros =
      mode === Partial ? atLeast(config.liquidation.targetRatio, judged.requiredMicros) : 0
    changed.bonusBps = mode === Partial ? config.liquidation.bonusBps : 0
    beginTimers(state, changed)
    if (to === PreLiquidation) clearResults(changed)
    if (mode !== Full) return
    changed.auction = auction
    changed.auctionMillis = nowMillis
    // Version 1 is that of the terms published with this change.
    changed.version = 1
    changed.positionsVersion = 1
    changed.winner = 0
    changed.bonusMicros = 0
    changed.insolventMillis = judged.equityMicros <= 0 ? nowMillis : 0
  })
  if (to === InLiquidation) state.rfqs.mayBeStale = true
  if (beforeMode === Full) publishAuction(state, row, AuctionChange.Ended, 0)
  publishLiquidation(state, row, LiquidationChange.State, judged, beforeState, beforeMode)
  return true
}

/** Clears the results of an earlier liquidation when a new one starts. */
function clearResults(row: Liquidation): void {
  row.auction = 0
  row.auctionMillis = 0
  row.version = 0
  row.positionsVersion = 0
  row.insolventMillis = 0
  row.winner = 0
  row.bonusMicros = 0
  row.insuranceMicros = 0
  row.deleveragedMicros = 0
  row.uncoveredMicros = 0
  row.sharedMicros = 0
  row.feeMicros = 0
}
