/** Returns the next nonce of a wallet. */
export type NonceSource = () => number

const microsPerMilli = 1000

/**
 * Creates a source of unique, ascending nonces, also across restarts: microseconds since the epoch, incremented by one
 * while the clock does not advance. They stay below 2^53 until the year 2255, so JSON carries them as numbers.
 * @param nowMillis Clock. If it goes backwards, nonces still do not repeat within the process.
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
