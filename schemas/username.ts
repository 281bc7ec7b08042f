import { usernameBytesMax } from './bounds.js'

// Names of wallets. One that a wallet has chosen begins with a letter, one that is derived with a digit: nobody can choose
// what another wallet without a name is shown as.

const usernamePattern = new RegExp(`^[a-z][a-z0-9_]{2,${usernameBytesMax - 1}}$`)
const shownDigits = 4

/** Whether a text, in lower case already, may be a wallet's name. */
export function isUsername(text: string): boolean {
  return usernamePattern.test(text)
}

/**
 * What a wallet is shown as.
 * @param wallet `0x` and 40 lower-case digits.
 * @param username its own name; null, or empty: it has none.
 * @returns the name, or the beginning and the end of the address, as `0x12ab...89ef`.
 */
export function displayNameOf(wallet: string, username: string | null): string {
  if (username !== null && username !== '') return username
  return `${wallet.slice(0, 2 + shownDigits)}...${wallet.slice(-shownDigits)}`
}
