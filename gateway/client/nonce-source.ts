/** Gives the next nonce of a wallet. */
export type NonceSource = () => number

const microsPerMilli = 1000

/**
 * Nonces that are unique and rising, also over restarts: microseconds since the epoch, stepped by one when the
 * clock has not moved on. They stay below 2^53 until the year 2255, so JSON carries them as numbers.
 * @param nowMillis the clock; a clock that goes back does not make nonces repeat within the process.
 * @example
 * const nextNonce = createNonceSource()
 * const [first, second] = [nextNonce(), nextNonce()] // second > first
 */
export function createNonceSource(nowMillis: () => number = Date.now): NonceSource {
  let latest = 0
  return () => {
    latest = Math.max(latest + 1, nowMillis() * microsPerMilli)
    return latest
  }
}
