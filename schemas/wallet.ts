import { formatHex, hasHexPrefix, writeHex } from './hex.js'

export const addressBytes = 20
/** `0x` and the digits. */
export const addressTextLength = 2 + 2 * addressBytes

/**
 * Parses an address to its 20 bytes: `0x` and 40 hexadecimal digits in any case; the checksum is not checked.
 * @returns null if the text is no address. The zero address is one: see `isZeroAddress`.
 */
export function parseAddress(text: string): Uint8Array | null {
  const bytes = new Uint8Array(addressBytes)
  return writeAddress(text, bytes, 0) ? bytes : null
}

/**
 * Writes the 20 bytes of an address text to `target` from `at` on, without allocation.
 * @returns false if the text is no address; the target may then be partly written.
 */
export function writeAddress(text: string, target: Uint8Array, at: number): boolean {
  if (text.length !== addressTextLength || !hasHexPrefix(text)) return false
  return writeHex(text, 2, target, at, addressBytes)
}

/** Returns the text of the 20 bytes from `at` on: `0x` and 40 lower-case digits. */
export function formatAddress(bytes: Uint8Array, at: number): string {
  return formatHex(bytes, at, addressBytes)
}

/** Returns true if the 20 bytes from `at` on are the zero address, which owns nothing and signs nothing. */
export function isZeroAddress(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < addressBytes; i++) if (bytes[at + i] !== 0) return false
  return true
}

/** Returns true if the addresses at two places are equal. */
export function sameAddress(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): boolean {
  for (let i = 0; i < addressBytes; i++) if (a[aAt + i] !== b[bAt + i]) return false
  return true
}
