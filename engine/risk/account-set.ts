import { assert } from '../../schemas/assert.js'
import { grown } from '../memory/grown.js'

const wordShift = 5
const wordMask = 31
const noAccount = -1

/**
 * Set of accounts that are taken in rounds, by rising index. An account added below the last one taken waits for the
 * next round, so accounts that are added again and again cannot starve the others. A step costs the same for a few
 * scattered accounts as for many adjacent ones.
 *
 * The set is a bit tree. A bit of a level says that the corresponding word of the level below is not 0. The top level
 * is one word.
 *
 *     level 1        0100 0001
 *                    /       \
 *     level 0   word 1    word 30    bit 3 of word 1: account 32 + 3
 */
export class AccountSet {
  count = 0
  /** Accounts below this index wait for the next round; 0 when the set is empty. */
  turn = 0
  readonly #levels = [new Int32Array(1)]

  add(account: number): void {
    if (this.has(account)) return
    assert(account >= 0, 'account set: the account index is valid')
    this.#reserve(account >> wordShift)
    this.count++
    let index = account
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level]
      const word = index >> wordShift
      const before = words[word]
      words[word] = before | (1 << (index & wordMask))
      // The levels above already have the bit of a word that was not 0.
      if (before !== 0) return
      index = word
    }
  }

  /** Adds all accounts of another set, 32 at a time. */
  addAll(other: AccountSet): void {
    if (other.count === 0) return
    const levels = this.#levels
    const others = other.#levels
    this.#reserve(others[0].length - 1)
    for (let word = 0; word < others[0].length; word++) {
      this.count += bitCount(others[0][word] & ~levels[0][word])
    }
    for (let level = 0; level < levels.length; level++) {
      // The extra levels of the taller tree hold the other set below their first bit.
      if (level >= others.length) levels[level][0] |= 1
      else unite(levels[level], others[level])
    }
  }

  has(account: number): boolean {
    const words = this.#levels[0]
    const word = account >> wordShift
    if (word >= words.length) return false
    return (words[word] & (1 << (account & wordMask))) !== 0
  }

  /** Removes an account if it is in the set. */
  remove(account: number): void {
    if (!this.has(account)) return
    this.count--
    if (this.count === 0) this.turn = 0
    let index = account
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level]
      const word = index >> wordShift
      words[word] &= ~(1 << (index & wordMask))
      if (words[word] !== 0) return
      index = word
    }
  }

  /** Returns the account that `take` would return. The set must not be empty. */
  next(): number {
    const account = this.#lowestFrom(this.turn)
    return account === noAccount ? this.#lowestFrom(0) : account
  }

  /** Removes and returns the next account of the round. The set must not be empty. */
  take(): number {
    assert(this.count > 0, 'account set: it is not empty')
    const account = this.next()
    this.turn = account + 1
    this.remove(account)
    return account
  }

  /** Visits the accounts by rising index. */
  forEach(visit: (account: number) => void): void {
    const words = this.#levels[0]
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word]; bits !== 0; bits &= bits - 1) {
        visit((word << wordShift) + lowestBit(bits))
      }
    }
  }

  clear(): void {
    for (const words of this.#levels) words.fill(0)
    this.count = 0
    this.turn = 0
  }

  // Climbs to the first level with a bit at or after the position, then descends to the lowest account below that bit.
  #lowestFrom(from: number): number {
    const levels = this.#levels
    let index = from
    for (let level = 0; level < levels.length; level++) {
      const word = index >> wordShift
      if (word >= levels[level].length) return noAccount
      const bits = levels[level][word] & (-1 << (index & wordMask))
      if (bits === 0) {
        index = word + 1
        continue
      }
      let found = (word << wordShift) + lowestBit(bits)
      for (let below = level - 1; below >= 0; below--) {
        found = (found << wordShift) + lowestBit(levels[below][found])
      }
      return found
    }
    return noAccount
  }

  /** Grows the lowest level to hold a word, and the levels above it. */
  #reserve(word: number): void {
    const levels = this.#levels
    if (word < levels[0].length) return
    let length = Math.max(word + 1, levels[0].length * 2)
    for (let level = 0; level < levels.length; level++) {
      levels[level] = grown(levels[level], new Int32Array(length))
      length = wordsFor(length)
    }
    while (levels[levels.length - 1].length > 1) {
      const below = levels[levels.length - 1]
      const words = new Int32Array(wordsFor(below.length))
      // All existing bits are below the first word.
      if (below[0] !== 0) words[0] = 1
      levels.push(words)
    }
  }
}

function wordsFor(bits: number): number {
  return (bits + wordMask) >> wordShift
}

function unite(words: Int32Array, others: Int32Array): void {
  for (let word = 0; word < others.length; word++) words[word] |= others[word]
}

/** Returns the position of the lowest bit of a word that is not 0. */
function lowestBit(bits: number): number {
  return wordMask - Math.clz32(bits & -bits)
}

/** Counts the bits set, in parallel over pairs, fours and bytes. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
