import { exactBound } from '../../schemas/bounds.js'
import { Result, scenariosPerModel } from '../../schemas/results.js'
import type { ExactLimits } from '../risk/exact-limits.js'
import type { MarginVerdict } from '../risk/order-check.js'
import type { Batch } from '../state/batch.js'

/** Writes the values that the result's text names, in the order of its `details` in schemas/results.ts. */
export function writeVerdictDetails(
  result: Result,
  verdict: MarginVerdict,
  batch: Batch,
  ticket: number,
): void {
  const out = batch.details
  const at = batch.beginDetails(ticket)
  switch (result) {
    case Result.InsufficientMargin:
      out[at] = verdict.required
      out[at + 1] = verdict.equity
      out[at + 2] = verdict.shortfall
      out[at + 3] = verdict.consumedIm
      out[at + 4] = verdict.incrementalIm
      out[at + 5] = verdict.consumedMm
      out[at + 6] = verdict.incrementalMm
      out[at + 7] = verdict.scenario < 0 ? -1 : verdict.model * scenariosPerModel + verdict.scenario
      out[at + 8] = verdict.boundBy
      break
    case Result.NoMarkPrice:
      out[at] = verdict.instrument
      break
    case Result.OutsidePriceBand:
      out[at] = verdict.lower
      out[at + 1] = verdict.upper
      break
    case Result.NoSpotPrice:
      out[at] = verdict.underlying
      break
    case Result.NakedShortCalls:
    case Result.NakedShortPuts:
      out[at] = verdict.underlying
      out[at + 1] = verdict.expiryDate
      break
    case Result.TierLongOnly:
      out[at] = verdict.longPositionLots
      out[at + 1] = verdict.workingSellLots
      out[at + 2] = verdict.orderSizeLots
      break
  }
}

/** The same of an order that would have left the range of exact sums. */
export function writeLimitDetails(
  result: Result,
  { bound, usedMicros }: ExactLimits,
  batch: Batch,
  ticket: number,
): void {
  const out = batch.details
  const at = batch.beginDetails(ticket)
  switch (result) {
    case Result.ValueLimit:
      // What no sum can hold counts as the most that one can.
      out[at] = Math.min(usedMicros, Number.MAX_SAFE_INTEGER)
      out[at + 1] = bound
      break
    case Result.BookLimit:
      out[at] = exactBound
      break
    default:
      out[at] = bound
  }
}

/** The same of an order whose route is not served. */
export function writeRouteDetails(route: number, batch: Batch, ticket: number): void {
  batch.details[batch.beginDetails(ticket)] = route
}
