import { assert } from '../../../schemas/assert.js'
import { clientIdBytesMax } from '../../../schemas/bounds.js'
import { copyWords } from '../../memory/bytes.js'
import { grown } from '../../memory/grown.js'
import { touched } from '../../memory/touched.js'

/** Sizes of a client id and of a builder's address, in 32-bit words. */
export const clientIdWords = clientIdBytesMax / 4
export const builderWords = 5

/** A block is a whole number of units; each length has a list of free blocks. */
const unitWords = 4
const unitsMax = Math.ceil((clientIdWords + builderWords) / unitWords)
const noBlock = -1

/** Length up to which the blocks' memory doubles when it grows; beyond it grows by an eighth. */
const doublingMax = 1 << 16

/**
 * Client ids and builders of orders, in blocks of the necessary length: most orders have neither, and most client ids
 * are short. A block holds the words of the client id, padded with zeros, then the builder.
 */
export class OrderTexts {
  /** The blocks, and their bytes. They are replaced when they grow, so keep no reference over a change. */
  words = new Int32Array(1024)
  bytes = new Uint8Array(this.words.buffer)
  #high = 0
  /** First free block by units; a free block holds the word of the next one. */
  readonly #free = new Int32Array(unitsMax + 1).fill(noBlock)

  /**
   * Allocates a block for a client id of the given length, and a builder if there is one.
   * @returns its first word.
   */
  allocate(clientIdBytes: number, hasBuilder: boolean): number {
    const units = unitsOf(clientIdBytes, hasBuilder)
    assert(units > 0 && units <= unitsMax, 'order texts: the block size is valid')
    const free = this.#free[units]
    if (free !== noBlock) {
      this.#free[units] = this.words[free]
      return free
    }
    const block = this.#high
    this.#high += units * unitWords
    if (this.#high > this.words.length) {
      const { length } = this.words
      this.#growTo(length < doublingMax ? length * 2 : length + (length >> 3))
    }
    return block
  }

  /** Allocates at once the memory of a short client id for each of `orders`, unless there is as much. */
  reserve(orders: number): void {
    const length = orders * 2 * unitWords
    if (length > this.words.length) touched(this.#growTo(length))
  }

  /** Frees a block; the arguments must be those of its allocation. */
  free(block: number, clientIdBytes: number, hasBuilder: boolean): void {
    const units = unitsOf(clientIdBytes, hasBuilder)
    const isBlock = units > 0 && block >= 0 && block + units * unitWords <= this.#high
    assert(isBlock, 'order texts: the block is in use')
    this.words[block] = this.#free[units]
    this.#free[units] = block
  }

  /** Copies the client id to `target`, from `to` on, padded with zeros to all its words. */
  copyClientId(block: number, clientIdBytes: number, target: Int32Array, to: number): void {
    const count = wordsOf(clientIdBytes)
    copyWords(this.words, block, target, to, count)
    for (let word = count; word < clientIdWords; word++) target[to + word] = 0
  }

  copyBuilder(block: number, clientIdBytes: number, target: Int32Array, to: number): void {
    copyWords(this.words, this.builderAt(block, clientIdBytes), target, to, builderWords)
  }

  /** Returns the first word of the builder, in a block that has one. */
  builderAt(block: number, clientIdBytes: number): number {
    return block + wordsOf(clientIdBytes)
  }

  /** @param source words in which zeros follow the client id's bytes. */
  setClientId(block: number, clientIdBytes: number, source: Int32Array, from: number): void {
    copyWords(source, from, this.words, block, wordsOf(clientIdBytes))
  }

  setBuilder(block: number, clientIdBytes: number, source: Int32Array, from: number): void {
    copyWords(source, from, this.words, this.builderAt(block, clientIdBytes), builderWords)
  }

  #growTo(length: number): Int32Array {
    this.words = grown(this.words, new Int32Array(length))
    this.bytes = new Uint8Array(this.words.buffer)
    return this.words
  }
}

function unitsOf(clientIdBytes: number, hasBuilder: boolean): number {
  const words = wordsOf(clientIdBytes) + (hasBuilder ? builderWords : 0)
  return Math.ceil(words / unitWords)
}

function wordsOf(clientIdBytes: number): number {
  return (clientIdBytes + 3) >> 2
}
