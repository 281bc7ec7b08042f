const daysOfOwn = 30
let days = daysOfOwn
let daysOfShared = daysOfOwn

/** Returns the days until the expiry of the options that the running test file trades. */
export function marketDays(): number {
  return days
}

/**
 * Takes another expiry for the calling file: files that share a venue trade different options and so have separate
 * books.
 */
export function takeMarketDay(): void {
  days = ++daysOfShared
}

/** Restores the default expiry after the file: a file with a venue of its own can use any. */
export function leaveMarketDay(): void {
  days = daysOfOwn
}
