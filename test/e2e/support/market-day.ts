const daysFirst = 30
let days = daysFirst

/** Days from now to the expiry of the options that the running file of tests trades. */
export function marketDays(): number {
  return days
}

/** Files that share a venue have books of their own: each trades options of another day. */
export function nextMarketDay(): void {
  days++
}
