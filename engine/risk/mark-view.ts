import type { BandParameters, PriceBand } from '../pricing/price-bands.js'

/**
 * Marks that margin reads. Columns may be replaced when they grow: never keep one. An instrument beyond the end of the
 * columns has no mark.
 */
export interface MarkView {
  /** By instrument, micros per contract; NaN if missing. */
  readonly markMicros: Float64Array
  /**
   * Returns risk arrays, row-major: [instrument × scenarios + scenario], micros per contract. Only the row of
   * `instrument` is guaranteed to belong to its current mark.
   */
  standardDeltasOf(instrument: number): Float64Array
  portfolioDeltasOf(instrument: number): Float64Array
  /** Latest index by underlying, of any age; NaN if there is none yet. */
  readonly indexMicros: Float64Array
  /** Returns true if the index is missing or too old: "No spot price available". */
  indexIsMissing(underlying: number, nowMillis: number): boolean
  /** Writes the price band around an instrument's mark. Without a mark returns false and leaves `out` unchanged. */
  bandOf(instrument: number, parameters: BandParameters, out: PriceBand): boolean
}

/** Returns the mark of an instrument in micros, or NaN. */
export function markOf(marks: MarkView, instrument: number): number {
  const column = marks.markMicros
  return instrument < column.length ? column[instrument] : Number.NaN
}

/** Returns true if an instrument has a mark. */
export function isMarked(marks: MarkView, instrument: number): boolean {
  const column = marks.markMicros
  return instrument < column.length && column[instrument] >= 0
}

/** Returns the latest index of an underlying in micros; 0 if there is none. */
export function indexMicrosOf(marks: MarkView, underlying: number): number {
  const column = marks.indexMicros
  const known = underlying < column.length && !Number.isNaN(column[underlying])
  return known ? column[underlying] : 0
}
