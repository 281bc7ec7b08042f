import { uuidBytes } from './bounds.js'
import { formatHex } from './hex.js'

/** Returns the text of the 16 bytes from `at` on: 8-4-4-4-12 lower-case digits. */
export function formatUuid(bytes: Uint8Array, at: number): string {
  const digits = formatHex(bytes, at, uuidBytes).slice(2)
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, part) => digits.slice(ends[part - 1] ?? 0, end)).join('-')
}

/**
 * Returns a UUID of version 7 for an object with a unique number: time, then zeros, then the number.
 * @param number integer from 0 to 2^53 - 1.
 * @returns 16 fresh bytes.
 */
export function uuidOf(timeMillis: number, number: number): Uint8Array {
  const bytes = new Uint8Array(uuidBytes)
  writeNumber(bytes, 0, 6, timeMillis)
  writeNumber(bytes, 8, 8, number)
  bytes[6] = 0x70
  bytes[8] |= 0x80
  return bytes
}

/** Returns the id of a signed request by its digest, as `writeDirectiveId` writes it. @returns 16 fresh bytes. */
export function directiveIdOf(digest: Uint8Array, at: number): Uint8Array {
  const bytes = new Uint8Array(uuidBytes)
  writeDirectiveId(digest, at, bytes, 0)
  return bytes
}

/** Writes a UUID of version 8 from the digest's first bytes, so that a duplicate has the same id. */
export function writeDirectiveId(
  digest: Uint8Array,
  at: number,
  target: Uint8Array,
  targetAt: number,
): void {
  for (let i = 0; i < uuidBytes; i++) target[targetAt + i] = digest[at + i]
  target[targetAt + 6] = 0x80 | (digest[at + 6] & 0x0f)
  target[targetAt + 8] = 0x80 | (digest[at + 8] & 0x3f)
}

/** Writes big-endian, as in the layout of a UUID. */
function writeNumber(bytes: Uint8Array, at: number, count: number, value: number): void {
  let left = value
  for (let i = at + count - 1; i >= at; i--) {
    bytes[i] = left % 256
    left = Math.floor(left / 256)
  }
}
