const daysOfOwn = 30
let days = daysOfOwn
let daysOfShared = daysOfOwn

/** Days from now to the expiry of the options that the running file of tests trades. */
export function marketDays(): number {
  return days
}

/** Files that share a venue have books of their own: each trades options of another day, until its tests are over. */
export function takeMarketDay(): void {
  days = ++daysOfShared
}

/** A file with a venue of its own needs no other day than any: what its support has named once stays right. */
export function leaveMarketDay(): void {
  days = daysOfOwn
}
