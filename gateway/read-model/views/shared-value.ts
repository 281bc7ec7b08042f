import { assert } from '../../../schemas/assert.js'

//  One thread writes, others read
//  0         4         8                                half
//  +---------+---------+------- ... -------+---------+-- ... --+   A value goes to the half in which the last one does
//  | version | spare   | half: length      | half    |         |   not stand, so a reader finds a whole one; it looks
//  +---------+---------+  and JSON text    +---------+---------+   again when two were written meanwhile. Version 0: none.
const versionWord = 0
const halvesAt = 8
const textAt = 4

/** The latest of the values that one thread shows the others, whole and of one moment. */
export class SharedValue<Value> {
  readonly #words: Int32Array
  readonly #bytes: Uint8Array
  readonly #halfBytes: number

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
    this.#bytes = new Uint8Array(memory)
    this.#halfBytes = ((memory.byteLength - halvesAt) >> 4) << 3
  }

  /** Owner only. */
  write(value: Value): void {
    const text = Buffer.from(JSON.stringify(value))
    assert(textAt + text.length <= this.#halfBytes, 'shared value: there is room for it')
    // Beyond the last number, past 0 to the next that is even.
    const version = (this.#words[versionWord]! + 1) | 0 || 2
    const at = this.#halfOf(version)
    this.#words[at >> 2] = text.length
    this.#bytes.set(text, at + textAt)
    Atomics.store(this.#words, versionWord, version)
  }

  /** What was written last; null before the first time. */
  read(): Value | null {
    for (;;) {
      const version = Atomics.load(this.#words, versionWord)
      if (version === 0) return null
      const at = this.#halfOf(version) + textAt
      const length = this.#words[(at - textAt) >> 2]!
      const text = Buffer.from(this.#bytes.subarray(at, at + length)).toString()
      if (Atomics.load(this.#words, versionWord) === version) return JSON.parse(text) as Value
    }
  }

  #halfOf(version: number): number {
    return halvesAt + (version & 1) * this.#halfBytes
  }
}
