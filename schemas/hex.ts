import { bufferOf } from './bytes-view.js'

const notHex = -1
const zeroCode = 0x30
const letterACode = 0x61
const letterXCode = 0x78
const caseBit = 0x20
const asciiCodes = 128
const hasBuffer = typeof Buffer !== 'undefined'

const nibbles: Int8Array = nibbleTable()

/**
 * Writes the bytes of hexadecimal digits, in any case, without allocation.
 * @param text with `2 * bytes` digits from `textAt` on; later characters are ignored.
 * @param target receives `bytes` bytes from `at` on; may be partly written if a digit is invalid.
 * @returns false if a character is no hexadecimal digit, or the text is too short.
 */
export function writeHex(
  text: string,
  textAt: number,
  target: Uint8Array,
  at: number,
  bytes: number,
): boolean {
  if (text.length < textAt + 2 * bytes) return false
  for (let i = 0; i < bytes; i++) {
    const high = text.charCodeAt(textAt + 2 * i)
    const low = text.charCodeAt(textAt + 2 * i + 1)
    if (high >= asciiCodes || low >= asciiCodes) return false
    const byte = (nibbles[high] << 4) | nibbles[low]
    if (byte < 0) return false
    target[at + i] = byte
  }
  return true
}

/** Returns the bytes of `0x` and an even number of hexadecimal digits; null for any other text. */
export function parseHex(text: string): Uint8Array | null {
  if (!hasHexPrefix(text) || text.length % 2 !== 0) return null
  const bytes = new Uint8Array(text.length / 2 - 1)
  return writeHex(text, 2, bytes, 0, bytes.length) ? bytes : null
}

/**
 * Returns `0x` and lower-case digits of `count` bytes from `at` on. Without a Buffer, as in a browser, converts digit
 * by digit.
 */
export function formatHex(bytes: Uint8Array, at: number, count: number): string {
  if (!hasBuffer) {
    const part = Array.from(bytes.subarray(at, at + count))
    return `0x${part.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  }
  return `0x${bufferOf(bytes).toString('hex', at, at + count)}`
}

/** Returns true if the text starts with `0x`; `0X` is no prefix. */
export function hasHexPrefix(text: string): boolean {
  return text.charCodeAt(0) === zeroCode && text.charCodeAt(1) === letterXCode
}

function nibbleTable(): Int8Array {
  const table = new Int8Array(asciiCodes).fill(notHex)
  for (let digit = 0; digit < 10; digit++) table[zeroCode + digit] = digit
  for (let letter = 0; letter < 6; letter++) {
    table[letterACode + letter] = 10 + letter
    table[(letterACode ^ caseBit) + letter] = 10 + letter
  }
  return table
}
