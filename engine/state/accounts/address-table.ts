import { assert } from '../../../schemas/assert.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { grown } from '../../memory/grown.js'

/** Length of an address in 32-bit words; it has 20 bytes. */
export const addressWords = 5

/**
 * Maps addresses (20 bytes) to dense indexes from 0, in order of insertion. Open addressing over typed arrays. Nothing
 * is ever removed, so a probe ends at the first empty cell.
 */
export class AddressTable {
  count = 0
  #words = new Uint32Array(1024 * addressWords)
  #cells = new Int32Array(4096).fill(-1)
  readonly #bytes = new Uint8Array(20)
  readonly #key = new Uint32Array(this.#bytes.buffer)

  /** @returns the index of the address at `source[at]`, or -1. */
  find(source: Uint8Array, at: number): number {
    for (let i = 0; i < 20; i++) this.#bytes[i] = source[at + i]
    return this.#cells[this.#probe()]
  }

  /** `find` for an address of five whole words from `source[word]` on, as in commands. */
  findWords(source: Uint32Array, word: number): number {
    const key = this.#key
    for (let i = 0; i < addressWords; i++) key[i] = source[word + i]
    return this.#cells[this.#probe()]
  }

  /** Returns the index of the address, and adds a new one. */
  add(source: Uint8Array, at: number): number {
    const known = this.find(source, at)
    if (known >= 0) return known
    if (this.count * addressWords === this.#words.length) {
      this.#words = grown(this.#words, new Uint32Array(this.#words.length * 2))
    }
    const index = this.count++
    this.#words.set(this.#key, index * addressWords)
    this.#cells[this.#probe()] = index
    if (this.count * 2 > this.#cells.length) this.#rehash()
    return index
  }

  /** Copies the address of `index` to `target[at]`. */
  write(index: number, target: Uint8Array, at: number): void {
    assert(index >= 0 && index < this.count, 'addresses: the index exists')
    const first = index * addressWords
    for (let i = 0; i < addressWords; i++) this.#key[i] = this.#words[first + i]
    for (let i = 0; i < 20; i++) target[at + i] = this.#bytes[i]
  }

  /** Copies the address of `index` to the words of `target`, from `word` on. */
  writeWords(index: number, target: Int32Array, word: number): void {
    assert(index >= 0 && index < this.count, 'addresses: the index exists')
    const words = this.#words
    const first = index * addressWords
    for (let i = 0; i < addressWords; i++) target[word + i] = words[first + i]
  }

  /** Returns the address of `index` as lower-case hex. */
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

  /** Returns the cell of the key, or the empty cell where it belongs. */
  #probe(): number {
    const mask = this.#cells.length - 1
    const key = this.#key
    // Addresses are keccak output, but anybody can search for colliding ones, so all words take part.
    let hash = Math.imul(key[0], 0x9e3779b1) ^ Math.imul(key[1], 0x85ebca6b) ^ key[2]
    hash = Math.imul(hash ^ (hash >>> 15) ^ Math.imul(key[3], 0xc2b2ae35), 0x27d4eb2f) ^ key[4]
    let cell = (hash ^ (hash >>> 13)) & mask
    while (this.#cells[cell] >= 0 && !this.#equalsKey(this.#cells[cell])) cell = (cell + 1) & mask
    return cell
  }

  #rehash(): void {
    this.#cells = new Int32Array(this.#cells.length * 2).fill(-1)
    for (let index = 0; index < this.count; index++) {
      this.#key.set(this.#words.subarray(index * addressWords, (index + 1) * addressWords))
      this.#cells[this.#probe()] = index
    }
  }
}
