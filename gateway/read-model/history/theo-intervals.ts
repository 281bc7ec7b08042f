/** Buckets kept of each interval: three times what an answer can show, so a gap may be as long. */
export const theoBucketsKept = 300

/** Start of the bucket that a time falls into; buckets are aligned to the epoch. */
export function bucketStartMillis(timeMillis: number, intervalMillis: number): number {
  return Math.floor(timeMillis / intervalMillis) * intervalMillis
}

/** Instrument under which the index of an underlying is recorded: none has a number below 0. */
export function indexRowOf(underlying: number): number {
  return -1 - underlying
}

/** The underlying whose index is recorded under an instrument's number; below 0 for an instrument. */
export function underlyingOfRow(instrument: number): number {
  return -1 - instrument
}
