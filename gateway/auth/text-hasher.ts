import { assert } from '../../schemas/assert.js'
import type { Keccak } from '../../schemas/signing/keccak.js'

/**
 * Hashes short texts, and caches the hashes of repeated ones in a table of fixed size. A slot is one cache line,
 * selected by the FNV-1a hash of the text:
 *
 *   0                        32       33                 64
 *   +------------------------+--------+------------------+
 *   | keccak-256             | length | text             |
 *   +------------------------+--------+------------------+
 *
 * A slot holds the latest text; length 0 means empty. The table copies bytes instead of holding strings, because a
 * string may be a slice that keeps a whole request body alive.
 */
export interface TextHasher {
  readonly keccak: Keccak
  /** Bytes of the current text; `prefixes[n]` is a view of the first n. */
  readonly scratch: Uint8Array
  readonly prefixes: readonly Uint8Array[]
  readonly emptyHash: Uint8Array
  readonly slotMask: number
  readonly slots: WordBuffer
}

/** Words of 32 bytes, as bytes and as 32-bit integers, so that a hash is copied in 8 moves. */
export interface WordBuffer {
  readonly bytes: Uint8Array
  readonly ints: Int32Array
}

export const wordBytes = 32
const wordInts = wordBytes / Int32Array.BYTES_PER_ELEMENT
const slotBytes = 64
const slotInts = slotBytes / Int32Array.BYTES_PER_ELEMENT
const lengthAt = wordBytes
const textAt = lengthAt + 1
const textBytesMax = slotBytes - textAt // longer ones, rare among symbols, are not cached
const asciiBytesMax = 64 // a client id has at most 64
const asciiCodes = 128
const fnvBasis = 0x811c9dc5
const fnvPrime = 0x01000193
const positiveMask = 0x7fffffff
const utf8 = new TextEncoder()

/**
 * @param slotCount A power of two. Each slot takes 64 bytes.
 */
export function createTextHasher(keccak: Keccak, slotCount: number): TextHasher {
  assert(slotCount > 0 && (slotCount & (slotCount - 1)) === 0, 'text hasher: slots are masked')
  const scratch = new Uint8Array(asciiBytesMax)
  return {
    keccak,
    scratch,
    prefixes: Array.from({ length: asciiBytesMax + 1 }, (_, bytes) => scratch.subarray(0, bytes)),
    emptyHash: keccak(new Uint8Array(0)),
    slotMask: slotCount - 1,
    slots: createWordBuffer((slotCount * slotBytes) / wordBytes),
  }
}

/** Empties every slot. */
export function forgetTexts(hasher: TextHasher): void {
  hasher.slots.bytes.fill(0)
}

/** Creates a buffer of `words` zero words. */
export function createWordBuffer(words: number): WordBuffer {
  const bytes = new Uint8Array(words * wordBytes)
  return { bytes, ints: new Int32Array(bytes.buffer) }
}

/** Writes keccak-256 of a text's UTF-8 as word `word` of the target, from the table if possible. */
export function writeTextHash(
  hasher: TextHasher,
  text: string,
  target: WordBuffer,
  word: number,
): void {
  const length = text.length
  const mixed = length > textBytesMax ? -1 : copyText(hasher.scratch, text)
  if (mixed < 0) {
    writeFreshTextHash(hasher, text, target, word)
    return
  }
  const slot = mixed & hasher.slotMask
  if (!holdsText(hasher.slots.bytes, slot * slotBytes, hasher.scratch, length)) {
    storeText(hasher, slot * slotBytes, length)
  }
  const source = hasher.slots.ints
  const ints = target.ints
  const sourceAt = slot * slotInts
  const at = word * wordInts
  for (let i = 0; i < wordInts; i++) ints[at + i] = source[sourceAt + i]
}

/** Writes keccak-256 of a text that is not expected again (a client id, an order id), without caching. */
export function writeFreshTextHash(
  hasher: TextHasher,
  text: string,
  target: WordBuffer,
  word: number,
): void {
  const isCopied = copyText(hasher.scratch, text) >= 0
  const hash = isCopied ? hasher.keccak(hasher.prefixes[text.length]!) : uncachedHash(hasher, text)
  target.bytes.set(hash, word * wordBytes)
}

function uncachedHash(hasher: TextHasher, text: string): Uint8Array {
  return text.length === 0 ? hasher.emptyHash : hasher.keccak(utf8.encode(text))
}

/** Copies 1 to 64 ASCII characters. Returns their FNV-1a hash, or -1 for any other text. */
function copyText(scratch: Uint8Array, text: string): number {
  const length = text.length
  if (length === 0 || length > asciiBytesMax) return -1
  let mixed = fnvBasis
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code >= asciiCodes) return -1
    scratch[i] = code
    mixed = Math.imul(mixed ^ code, fnvPrime)
  }
  return (mixed ^ (mixed >>> 15)) & positiveMask
}

function holdsText(
  slots: Uint8Array,
  slotAt: number,
  scratch: Uint8Array,
  length: number,
): boolean {
  if (slots[slotAt + lengthAt] !== length) return false
  for (let i = 0; i < length; i++) if (scratch[i] !== slots[slotAt + textAt + i]) return false
  return true
}

function storeText(hasher: TextHasher, slotAt: number, length: number): void {
  const slots = hasher.slots.bytes
  const prefix = hasher.prefixes[length]!
  slots.set(hasher.keccak(prefix), slotAt)
  slots[slotAt + lengthAt] = length
  slots.set(prefix, slotAt + textAt)
}
