import { grown } from '../memory/grown.js'

const wordShift = 5
const wordMask = 31

/** A set of accounts that gives them back by rising index, whatever the order they came in. */
export class AccountSet {
  count = 0
  #words = new Int32Array(4)
  /** No word below this one has a bit. */
  #first = 0

  add(account: number): void {
    const word = account >> wordShift
    while (word >= this.#words.length) {
      this.#words = grown(this.#words, new Int32Array(this.#words.length * 2))
    }
    const bit = 1 << (account & wordMask)
    if ((this.#words[word] & bit) !== 0) return
    this.#words[word] |= bit
    if (this.count === 0 || word < this.#first) this.#first = word
    this.count++
  }

  has(account: number): boolean {
    const word = account >> wordShift
    if (word >= this.#words.length) return false
    return (this.#words[word] & (1 << (account & wordMask))) !== 0
  }

  /** Takes the lowest account out; only with one in it. */
  take(): number {
    let word = this.#first
    while (this.#words[word] === 0) word++
    const bits = this.#words[word]
    const bit = wordMask - Math.clz32(bits & -bits)
    this.#words[word] = bits & (bits - 1)
    this.#first = word
    this.count--
    return (word << wordShift) + bit
  }

  /** By rising account. */
  forEach(visit: (account: number) => void): void {
    const words = this.#words
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word]; bits !== 0; bits &= bits - 1) {
        visit((word << wordShift) + wordMask - Math.clz32(bits & -bits))
      }
    }
  }

  clear(): void {
    this.#words.fill(0)
    this.count = 0
    this.#first = 0
  }
}
