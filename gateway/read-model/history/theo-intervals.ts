/** Number of buckets kept per interval: three times as many as an answer can show, to allow for long gaps. */
export const theoBucketsKept = 300

/** Returns the start of the bucket that contains a time. Buckets are aligned to the epoch. */
export function bucketStartMillis(timeMillis: number, intervalMillis: number): number {
  return Math.floor(timeMillis / intervalMillis) * intervalMillis
}

/** Returns the instrument number under which the index of an underlying is stored, below those of instruments. */
export function indexRowOf(underlying: number): number {
  return -1 - underlying
}

/** Returns the underlying whose index is stored under an instrument number; negative for a real instrument. */
export function underlyingOfRow(instrument: number): number {
  return -1 - instrument
}
