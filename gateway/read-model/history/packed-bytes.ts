import { assert } from '../../../schemas/assert.js'

// Whole numbers in as few bytes as they need, seven bits each, the lowest first; what a double holds exactly.

const more = 0x80
const sevenBits = 0x7f
const minus = 0x40
const sixBits = 0x3f
const bitsMax = 2 ** 31

/** Bytes that grow as they are written. */
export class PackedWriter {
  bytes: Uint8Array
  end = 0

  constructor(bytesFirst: number) {
    this.bytes = new Uint8Array(bytesFirst)
  }

  /** Room for so many more bytes. */
  reserve(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const grown = new Uint8Array(2 * (this.end + bytes))
    grown.set(this.bytes.subarray(0, this.end))
    this.bytes = grown
  }

  /** A number that is not negative; there must be room for eight bytes. */
  count(value: number): void {
    const { bytes } = this
    let rest = value
    let { end } = this
    while (rest >= bitsMax) {
      const high = Math.floor(rest / more)
      bytes[end++] = (rest - high * more) | more
      rest = high
    }
    while (rest > sevenBits) {
      bytes[end++] = (rest & sevenBits) | more
      rest >>>= 7
    }
    bytes[end++] = rest
    this.end = end
  }

  /** Any number; beyond what a double holds exactly the last one that it does. There must be room for nine bytes. */
  number(value: number): void {
    if ((value | 0) === value && value >= 0) this.#small(value)
    else this.#any(value)
  }

  /** 31 bits at most: most numbers are so small. */
  #small(value: number): void {
    const { bytes } = this
    let { end } = this
    if (value <= sixBits) bytes[end++] = value
    else {
      bytes[end++] = (value & sixBits) | more
      let rest = value >>> 6
      while (rest > sevenBits) {
        bytes[end++] = (rest & sevenBits) | more
        rest >>>= 7
      }
      bytes[end++] = rest
    }
    this.end = end
  }

  #any(value: number): void {
    assert(!Number.isNaN(value), 'row: a number of the store is none')
    const absolute = Number.isSafeInteger(value)
      ? Math.abs(value)
      : Math.min(Math.round(Math.abs(value)), Number.MAX_SAFE_INTEGER)
    const rest = Math.floor(absolute / (sixBits + 1))
    const first = (absolute - rest * (sixBits + 1)) | (value < 0 ? minus : 0)
    this.bytes[this.end++] = rest === 0 ? first : first | more
    if (rest > 0) this.count(rest)
  }

  put(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.end)
    this.end += bytes.length
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.end)
  }
}

/** Reads what a writer has written, from `at` on. */
export class PackedReader {
  bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array | ArrayBuffer) {
    this.bytes = bytesOf(bytes)
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length
  }

  count(): number {
    const { bytes } = this
    let byte = bytes[this.at++]!
    let value = byte & sevenBits
    let scale = more
    while (byte >= more) {
      byte = bytes[this.at++]!
      value += (byte & sevenBits) * scale
      scale *= more
    }
    return value
  }

  number(): number {
    const first = this.bytes[this.at++]!
    let value = first & sixBits
    if (first >= more) value += this.count() * (sixBits + 1)
    return (first & minus) === 0 ? value : -value
  }

  /** Passes over numbers of either kind. */
  skip(numbers: number): void {
    const { bytes } = this
    let { at } = this
    for (let left = numbers; left > 0; left--) {
      while (bytes[at]! >= more) at++
      at++
    }
    this.at = at
  }
}

/** Bytes as the store gives them: of one row, or of one of all rows. */
export type StoredBytes = Uint8Array | ArrayBuffer

export function bytesOf(bytes: StoredBytes): Uint8Array {
  return bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes
}
