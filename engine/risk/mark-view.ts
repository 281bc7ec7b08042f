import type { BandParameters, PriceBand } from '../pricing/price-bands.js'

/**
 * What margin needs of the marks. Columns may be replaced when they grow: never keep one. An
 * instrument that the columns do not reach yet counts as one without a mark.
 */
export interface MarkView {
  /** Per instrument, micros per contract; NaN: missing. */
  readonly markMicros: Float64Array
  /**
   * Risk arrays, row-major: [instrument × scenarios + scenario], micros per contract. Only the row of `instrument` is sure
   * to be of its mark.
   */
  standardDeltasOf(instrument: number): Float64Array
  portfolioDeltasOf(instrument: number): Float64Array
  /** Latest index per underlying, however old; NaN: none yet. */
  readonly indexMicros: Float64Array
  /** Whether the index is absent or too old: "No spot price available". */
  indexIsMissing(underlying: number, nowMillis: number): boolean
  /** Price band of an instrument by its mark; false, and `out` as it was, without one. */
  bandOf(instrument: number, parameters: BandParameters, out: PriceBand): boolean
}

/** Mark of an instrument in micros, NaN when there is none. */
export function markOf(marks: MarkView, instrument: number): number {
  const column = marks.markMicros
  return instrument < column.length ? column[instrument] : Number.NaN
}

/** Whether an instrument has a mark. */
export function isMarked(marks: MarkView, instrument: number): boolean {
  const column = marks.markMicros
  return instrument < column.length && column[instrument] >= 0
}

/** Latest index of an underlying in micros, 0 when there is none. */
export function indexMicrosOf(marks: MarkView, underlying: number): number {
  const column = marks.indexMicros
  const known = underlying < column.length && !Number.isNaN(column[underlying])
  return known ? column[underlying] : 0
}
