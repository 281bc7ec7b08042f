import { assert } from '../../../schemas/assert.js'

//  One thread writes, others read
//  0         4         8                                half
//  +---------+---------+------- ... -------+---------+-- ... --+   The writer uses the half without the latest value,
//  | version | spare   | half: length      | half    |         |   so a reader finds a complete one. A reader retries
//  +---------+---------+  and JSON text    +---------+---------+   if the version changed. Version 0: none.
const versionWord = 0
const halvesAt = 8
const textAt = 4

/** Latest value that one thread publishes to others, consistent as of one moment. */
export class SharedValue<Value> {
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #halfBytes: number
  /** Latest value read, with its version. */
  #readVersion = 0
  #value: Value | null = null

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
    this.#bytes = new Uint8Array(memory)
    this.#halfBytes = ((memory.byteLength - halvesAt) >> 4) << 3
  }

  /** Publishes a value. Owner only. */
  write(value: Value): void {
    const text = Buffer.from(JSON.stringify(value))
    assert(textAt + text.length <= this.#halfBytes, 'shared value: there is room for it')
    // After the last number, skip 0 and continue with the next even one.
    const version = (this.#words[versionWord]! + 1) | 0 || 2
    const at = this.#halfOf(version)
    this.#words[at >> 2] = text.length
    this.#bytes.set(text, at + textAt)
    Atomics.store(this.#words, versionWord, version)
  }

  /** Returns the latest value; null before the first. Parses each value once, so callers must not change it. */
  read(): Value | null {
    for (;;) {
      const version = Atomics.load(this.#words, versionWord)
      if (version === this.#readVersion) return this.#value
      const at = this.#halfOf(version) + textAt
      const length = this.#words[(at - textAt) >> 2]!
      const text = Buffer.from(this.#bytes.subarray(at, at + length)).toString()
      if (Atomics.load(this.#words, versionWord) !== version) continue
      this.#value = JSON.parse(text) as Value
      this.#readVersion = version
      return this.#value
    }
  }

  #halfOf(version: number): number {
    return halvesAt + (version & 1) * this.#halfBytes
  }
}
