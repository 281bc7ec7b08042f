import { assert } from '../../../schemas/assert.js'
import { clientIdBytesMax } from '../../../schemas/bounds.js'
import { copyWords } from '../../memory/bytes.js'
import { grown } from '../../memory/grown.js'
import { touched } from '../../memory/touched.js'

/** 32-bit words of a client id and of a builder's address. */
export const clientIdWords = clientIdBytesMax / 4
export const builderWords = 5

/** A block is a whole number of units; there is a list of free blocks for each length. */
const unitWords = 4
const unitsMax = Math.ceil((clientIdWords + builderWords) / unitWords)
const noBlock = -1

/** Up to here the blocks' memory doubles when it grows; from there on an eighth is added. */
const doublingMax = 1 << 16

/**
 * Client ids and builders of orders, in blocks as long as they need: most orders have neither, and
 * most client ids are short. A block holds the words of the client id, zeros behind its bytes, then
 * the builder.
 */
export class OrderTexts {
  /** The blocks, and their bytes: replaced when they grow, so nobody keeps them over a change. */
  words = new Int32Array(1024)
  bytes = new Uint8Array(this.words.buffer)
  #high = 0
  /** By units: first free block, which holds the word of the next one. */
  readonly #free = new Int32Array(unitsMax + 1).fill(noBlock)

  /**
   * Takes a block for a client id of so many bytes and, maybe, a builder. @returns its first word.
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

  /** Takes the memory of a short client id for each of so many orders at once, if it has less. */
  reserve(orders: number): void {
    const length = orders * 2 * unitWords
    if (length > this.words.length) touched(this.#growTo(length))
  }

  /** Gives a block back that was taken for exactly this. */
  free(block: number, clientIdBytes: number, hasBuilder: boolean): void {
    const units = unitsOf(clientIdBytes, hasBuilder)
    const isBlock = units > 0 && block >= 0 && block + units * unitWords <= this.#high
    assert(isBlock, 'order texts: the block is in use')
    this.words[block] = this.#free[units]
    this.#free[units] = block
  }

  /** Copies the client id to `target[to]` on, zeros behind it: all its words. */
  copyClientId(block: number, clientIdBytes: number, target: Int32Array, to: number): void {
    const count = wordsOf(clientIdBytes)
    copyWords(this.words, block, target, to, count)
    for (let word = count; word < clientIdWords; word++) target[to + word] = 0
  }

  copyBuilder(block: number, clientIdBytes: number, target: Int32Array, to: number): void {
    copyWords(this.words, this.builderAt(block, clientIdBytes), target, to, builderWords)
  }

  /** First word of the builder; only in a block that has one. */
  builderAt(block: number, clientIdBytes: number): number {
    return block + wordsOf(clientIdBytes)
  }

  /** @param source words with zeros behind the client id's bytes. */
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
