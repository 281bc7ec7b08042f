import { grown } from '../memory/grown.js'

const wordShift = 5
const wordMask = 31

/**
 * A set of accounts that gives them back by rising index, whatever the order they came in. Each step costs the same
 * for a few accounts far apart as for many side by side.
 *
 * A tree of bits: a bit of a level says that a word of the level below has a bit; the top level is one word.
 *
 *     level 1        0100 0001
 *                    /       \
 *     level 0   word 1    word 30    bit 3 of word 1: account 32 + 3
 */
export class AccountSet {
  count = 0
  readonly #levels = [new Int32Array(1)]

  add(account: number): void {
    if (this.has(account)) return
    this.#reserve(account >> wordShift)
    this.count++
    let index = account
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level]
      const word = index >> wordShift
      const before = words[word]
      words[word] = before | (1 << (index & wordMask))
      // The levels above know of a word that has bits already.
      if (before !== 0) return
      index = word
    }
  }

  has(account: number): boolean {
    const words = this.#levels[0]
    const word = account >> wordShift
    if (word >= words.length) return false
    return (words[word] & (1 << (account & wordMask))) !== 0
  }

  /** Takes the lowest account out; only with one in it. */
  take(): number {
    let account = 0
    for (let level = this.#levels.length - 1; level >= 0; level--) {
      account = (account << wordShift) + lowestBit(this.#levels[level][account])
    }
    this.count--
    let index = account
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level]
      const word = index >> wordShift
      words[word] &= ~(1 << (index & wordMask))
      if (words[word] !== 0) break
      index = word
    }
    return account
  }

  /** By rising account. */
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
  }

  /** Makes room for a word of the lowest level, and for the levels above it. */
  #reserve(word: number): void {
    const levels = this.#levels
    if (word < levels[0].length) return
    let length = 1
    while (length <= word) length <<= wordShift
    for (let level = 0; level < levels.length; level++) {
      levels[level] = grown(levels[level], new Int32Array(length >> (wordShift * level)))
    }
    for (let above = length >> (wordShift * levels.length); above > 0; above >>= wordShift) {
      const words = new Int32Array(above)
      // What was there is all below the first word.
      if (levels[levels.length - 1][0] !== 0) words[0] = 1
      levels.push(words)
    }
  }
}

/** Place of the lowest bit of a word that has one. */
function lowestBit(bits: number): number {
  return wordMask - Math.clz32(bits & -bits)
}
