import { underlyingBytesMax } from '../../schemas/bounds.js'
import { commandNonceHighAt, commandNonceLowAt } from '../../schemas/commands.js'
import { OrderFlag } from '../../schemas/domain.js'
import { CommandType } from '../../schemas/generated/commands.js'
import {
  factsMmpDeltaMicrosAt,
  factsMmpFrozenUntilAt,
  factsMmpQtyMicrosAt,
  factsMmpVegaMicrosAt,
  mmpFrozenMillisAt,
  mmpIntervalMillisAt,
  mmpLimitsAt,
  mmpUnderlyingAt,
} from '../../schemas/mmp.js'
import { MmpAction, MmpChange } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { Result } from '../../schemas/results.js'
import {
  CountedFill,
  intervalMillisMax,
  limitMicrosMax,
  measureCount,
  signedSumMicros,
} from '../matching/mmp-window.js'
import {
  countedAccountAt,
  countedDeltaMicrosAt,
  countedSizeLotsAt,
  countedTriggersAt,
  countedUnderlyingAt,
  countedVegaMicrosAt,
} from '../matching/records.js'
import { readText } from '../memory/bytes.js'
import type { Ring } from '../memory/ring.js'
import { publishMmp, publishMmpFill } from '../publish/publish-mmp.js'
import type { FactsScratch } from '../publish/publish-orders.js'
import type { Batch } from '../state/batch.js'
import type { CoreState } from '../state/core-state.js'

const fill = new CountedFill()

/**
 * Guards of a SetMmp, DeleteMmp or ResetMmp whose nonce and signer are right.
 */
export function checkMmp(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
): Result {
  const underlying = underlyingOf(state, views, at)
  if (type !== CommandType.SetMmp) {
    return underlying >= 0 && state.mmp.find(account, underlying)
      ? Result.Accepted
      : Result.NotFound
  }
  if (underlying < 0 || state.instruments.ofUnderlying[underlying].length === 0) {
    return Result.ValueRefused
  }
  return areTermsSound(views, at) ? Result.Accepted : Result.ValueRefused
}

/** Carries an accepted command out, in the matcher of the underlying too, and tells it. */
export function applyMmp(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  type: number,
): void {
  const { matchers, mmp } = state
  const underlying = underlyingOf(state, views, at)
  const matcher = matchers.of(underlying)
  const known = mmp.find(account, underlying)
  if (type === CommandType.DeleteMmp) {
    mmp.delete(known!)
    matchers.protect(matcher, MmpAction.Delete, known!, state.nowMillis)
    publishMmp(state, known!, MmpChange.Deleted)
  } else if (type === CommandType.ResetMmp) {
    mmp.reset(known!)
    matchers.protect(matcher, MmpAction.Reset, known!, state.nowMillis)
    publishMmp(state, known!, MmpChange.Reset)
  } else {
    const { f64, i32 } = views
    const limits = f64.subarray((at + mmpLimitsAt) >> 3, ((at + mmpLimitsAt) >> 3) + measureCount)
    const intervalMillis = f64[(at + mmpIntervalMillisAt) >> 3]
    const frozenMillis = f64[(at + mmpFrozenMillisAt) >> 3]
    const row = mmp.set(account, underlying, state.nowMillis, intervalMillis, frozenMillis, limits)
    mmp.setNonce(row, i32[(at + commandNonceHighAt) >> 2], i32[(at + commandNonceLowAt) >> 2])
    matchers.protect(matcher, MmpAction.Set, row, state.nowMillis)
    publishMmp(state, row, MmpChange.Set)
  }
}

/** Window and freeze of what a SetMmp has set, into the facts of its outcome. */
export function mmpFacts(
  state: CoreState,
  account: number,
  views: RecordViews,
  at: number,
  out: FactsScratch,
): void {
  const underlying = underlyingOf(state, views, at)
  const { sums } = state.mmp.find(account, underlying)!
  const { f64 } = out
  f64[factsMmpQtyMicrosAt >> 3] = signedSumMicros(sums, 0)
  f64[factsMmpDeltaMicrosAt >> 3] = signedSumMicros(sums, 1)
  f64[factsMmpVegaMicrosAt >> 3] = signedSumMicros(sums, 2)
  f64[factsMmpFrozenUntilAt >> 3] = state.mmp.frozenUntil(account, underlying, state.nowMillis)
}

/** Why a new order is refused for its protection, or `Accepted`; the freeze's end stands in the details then. */
export function checkFreeze(
  state: CoreState,
  batch: Batch,
  ticket: number,
  account: number,
  flags: number,
): Result {
  if ((flags & OrderFlag.MmpEnabled) === 0) return Result.Accepted
  const underlying = state.instruments.underlying[batch.instrument[ticket]]
  const untilMillis = state.mmp.frozenUntil(account, underlying, state.nowMillis)
  if (untilMillis === 0) return Result.Accepted
  const at = batch.beginDetails(ticket)
  batch.details[at] = underlying
  batch.details[at + 1] = untilMillis
  return Result.MmpFrozen
}

/** A matcher has counted the fill that it tells next. */
export function applyCounted(state: CoreState, ring: Ring, at: number): void {
  const { f64, i32 } = ring
  const triggers = i32[(at + countedTriggersAt) >> 2]
  fill.account = i32[(at + countedAccountAt) >> 2]
  fill.underlying = i32[(at + countedUnderlyingAt) >> 2]
  fill.nowMillis = state.nowMillis
  fill.sizeLots = f64[(at + countedSizeLotsAt) >> 3]
  fill.deltaMicros = f64[(at + countedDeltaMicrosAt) >> 3]
  fill.vegaMicros = f64[(at + countedVegaMicrosAt) >> 3]
  publishMmpFill(state, state.mmp.count(fill, triggers), fill)
}

function underlyingOf(state: CoreState, views: RecordViews, at: number): number {
  return state.instruments.findUnderlying(
    readText(views.u8, at + mmpUnderlyingAt, underlyingBytesMax),
  )
}

function areTermsSound({ f64 }: RecordViews, at: number): boolean {
  const intervalMillis = f64[(at + mmpIntervalMillisAt) >> 3]
  const frozenMillis = f64[(at + mmpFrozenMillisAt) >> 3]
  let limited = false
  for (let measure = 0; measure < measureCount; measure++) {
    const limit = f64[((at + mmpLimitsAt) >> 3) + measure]
    if (!(limit >= 0 && limit <= limitMicrosMax)) return false
    if (limit > 0) limited = true
  }
  return (
    limited &&
    intervalMillis >= 1 &&
    intervalMillis <= intervalMillisMax &&
    frozenMillis >= 0 &&
    frozenMillis <= intervalMillisMax
  )
}
