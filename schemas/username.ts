import { usernameBytesMax } from './bounds.js'

// Names of wallets. A chosen name starts with a letter, a derived one with a digit, so no wallet can choose the name
// that is shown for another wallet without a name.

const usernamePattern = new RegExp(`^[a-z][a-z0-9_]{2,${usernameBytesMax - 1}}$`)
const shownDigits = 4

/** Returns true if a lower-case text may be a wallet's name. */
export function isUsername(text: string): boolean {
  return usernamePattern.test(text)
}

/**
 * Returns the name that is shown for a wallet.
 * @param wallet `0x` and 40 lower-case digits.
 * @param username its own name; null or empty if it has none.
 * @returns the name, or the start and end of the address, as `0x12ab...89ef`.
 */
export function displayNameOf(wallet: string, username: string | null): string {
  if (username !== null && username !== '') return username
  return `${wallet.slice(0, 2 + shownDigits)}...${wallet.slice(-shownDigits)}`
}
