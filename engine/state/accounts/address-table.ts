import { assert } from '../../../schemas/assert.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { grown } from '../../memory/grown.js'

/** Words of an address: 20 bytes as five 32-bit words. */
export const addressWords = 5

/**
 * Addresses (20 bytes) to dense indexes from 0, in order of first sight. Open addressing over typed arrays;
 * nothing is ever removed, so a probe ends at the first empty place.
 */
export class AddressTable {
  count = 0
  #words = new Uint32Array(1024 * addressWords)
  #places = new Int32Array(4096).fill(-1)
  readonly #bytes = new Uint8Array(20)
  readonly #key = new Uint32Array(this.#bytes.buffer)

  /** @returns the index of the address at `source[at]`, or -1. */
  find(source: Uint8Array, at: number): number {
    for (let i = 0; i < 20; i++) this.#bytes[i] = source[at + i]
    return this.#places[this.#probe()]
  }

  /** `find` for an address of five whole words from `source[word]` on, as commands have them. */
  findWords(source: Uint32Array, word: number): number {
    const key = this.#key
    for (let i = 0; i < addressWords; i++) key[i] = source[word + i]
    return this.#places[this.#probe()]
  }

  /** Index of the address, added when new. */
  add(source: Uint8Array, at: number): number {
    const known = this.find(source, at)
    if (known >= 0) return known
    if (this.count * addressWords === this.#words.length) {
      this.#words = grown(this.#words, new Uint32Array(this.#words.length * 2))
    }
    const index = this.count++
    this.#words.set(this.#key, index * addressWords)
    this.#places[this.#probe()] = index
    if (this.count * 2 > this.#places.length) this.#rehash()
    return index
  }

  /** Copies the address of `index` to `target[at]`. */
  write(index: number, target: Uint8Array, at: number): void {
    assert(index >= 0 && index < this.count, 'addresses: the index exists')
    const first = index * addressWords
    for (let i = 0; i < addressWords; i++) this.#key[i] = this.#words[first + i]
    for (let i = 0; i < 20; i++) target[at + i] = this.#bytes[i]
  }

  /** The same to the words of `target` from `word` on. */
  writeWords(index: number, target: Int32Array, word: number): void {
    assert(index >= 0 && index < this.count, 'addresses: the index exists')
    const words = this.#words
    const first = index * addressWords
    for (let i = 0; i < addressWords; i++) target[word + i] = words[first + i]
  }

  /** The address of `index` as lower-case hex. */
  text(index: number): string {
    const bytes = new Uint8Array(20)
    this.write(index, bytes, 0)
    return formatAddress(bytes, 0)
  }

  #equalsKey(index: number): boolean {
    const words = this.#words
    const first = index * addressWords
    const key = this.#key
    return (
      words[first] === key[0] &&
      words[first + 1] === key[1] &&
      words[first + 2] === key[2] &&
      words[first + 3] === key[3] &&
      words[first + 4] === key[4]
    )
  }

  /** Place of the key: where it stands, or the empty place where it belongs. */
  #probe(): number {
    const mask = this.#places.length - 1
    const key = this.#key
    // Addresses are keccak output, but anybody may grind one: all words take part.
    let hash = Math.imul(key[0], 0x9e3779b1) ^ Math.imul(key[1], 0x85ebca6b) ^ key[2]
    hash = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(key[3], 0xc2b2ae35), 0x27d4eb2f) ^ key[4]
    let place = (hash ^ (hash >>> 13)) & mask
    while (this.#places[place] >= 0 && !this.#equalsKey(this.#places[place]))
      place = (place + 1) & mask
    return place
  }

  #rehash(): void {
    this.#places = new Int32Array(this.#places.length * 2).fill(-1)
    for (let index = 0; index < this.count; index++) {
      this.#key.set(this.#words.subarray(index * addressWords, (index + 1) * addressWords))
      this.#places[this.#probe()] = index
    }
  }
}
