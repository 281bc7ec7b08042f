export const millisPerYear = 31_536_000_000

/** Returns the years of 365 days to the expiry; 0 after it. */
export function yearsToExpiry(expiryMillis: number, nowMillis: number): number {
  return expiryMillis > nowMillis ? (expiryMillis - nowMillis) / millisPerYear : 0
}
