import { uuidBytes } from './bounds.js'
import { formatHex } from './hex.js'

/** Text of the 16 bytes from `at` on: 8-4-4-4-12 lower-case digits. */
export function formatUuid(bytes: Uint8Array, at: number): string {
  const digits = formatHex(bytes, at, uuidBytes).slice(2)
  const ends = [8, 12, 16, 20, 32]
  return ends.map((end, part) => digits.slice(ends[part - 1] ?? 0, end)).join('-')
}

/**
 * A UUID of version 7 for something that is unique by its number: time, then zeros, then the number.
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

/**
 * The id of what was asked for with a signed digest, so that a repeat has the same: a UUID of version 8 of its first bytes.
 * @returns 16 fresh bytes.
 */
export function directiveIdOf(digest: Uint8Array, at: number): Uint8Array {
  const bytes = digest.slice(at, at + uuidBytes)
  bytes[6] = 0x80 | (bytes[6] & 0x0f)
  bytes[8] = 0x80 | (bytes[8] & 0x3f)
  return bytes
}

/** Big-endian, as the layout of a UUID has it. */
function writeNumber(bytes: Uint8Array, at: number, count: number, value: number): void {
  let left = value
  for (let i = at + count - 1; i >= at; i--) {
    bytes[i] = left % 256
    left = Math.floor(left / 256)
  }
}
