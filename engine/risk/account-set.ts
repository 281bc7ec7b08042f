import { grown } from '../memory/grown.js'

const wordShift = 5
const wordMask = 31

/**
 * A set of accounts that gives them back in rounds: by rising index, and who comes in below the account that was
 * taken last waits for the next round. So nobody waits for ever behind others that keep coming back.
 */
export class AccountSet {
  count = 0
  /** Accounts below it wait for the next round; 0 when the set is empty. */
  turn = 0
  #words = new Int32Array(4)
  /** No word below this one has a bit. */
  #first = 0

  add(account: number): void {
    const word = account >> wordShift
    this.#reach(word)
    const bit = 1 << (account & wordMask)
    if ((this.#words[word] & bit) !== 0) return
    this.#words[word] |= bit
    if (this.count === 0 || word < this.#first) this.#first = word
    this.count++
  }

  /** Adds everybody of another set, 32 at a time. */
  addAll(other: AccountSet): void {
    if (other.count === 0) return
    const words = other.#words
    this.#reach(words.length - 1)
    if (this.count === 0 || other.#first < this.#first) this.#first = other.#first
    for (let word = other.#first; word < words.length; word++) {
      this.count += bitCount(words[word] & ~this.#words[word])
      this.#words[word] |= words[word]
    }
  }

  has(account: number): boolean {
    const word = account >> wordShift
    if (word >= this.#words.length) return false
    return (this.#words[word] & (1 << (account & wordMask))) !== 0
  }

  /** Takes an account out, if it is in. */
  remove(account: number): void {
    if (!this.has(account)) return
    this.#words[account >> wordShift] &= ~(1 << (account & wordMask))
    this.count--
    if (this.count === 0) this.turn = 0
  }

  /** Whose turn it is; only with one in it. */
  next(): number {
    const words = this.#words
    const from = Math.max(this.#first, this.turn >> wordShift)
    for (let word = from; word < words.length; word++) {
      const isPartOfRound = word === this.turn >> wordShift
      const bits = isPartOfRound ? words[word] & (-1 << (this.turn & wordMask)) : words[word]
      if (bits !== 0) return lowestOf(word, bits)
    }
    while (words[this.#first] === 0) this.#first++
    return lowestOf(this.#first, words[this.#first])
  }

  /** Takes out the account whose turn it is; only with one in it. */
  take(): number {
    const account = this.next()
    this.turn = account + 1
    this.remove(account)
    return account
  }

  /** By rising account. */
  forEach(visit: (account: number) => void): void {
    const words = this.#words
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word]; bits !== 0; bits &= bits - 1) visit(lowestOf(word, bits))
    }
  }

  clear(): void {
    this.#words.fill(0)
    this.count = 0
    this.turn = 0
    this.#first = 0
  }

  #reach(word: number): void {
    if (word < this.#words.length) return
    const length = Math.max(word + 1, this.#words.length * 2)
    this.#words = grown(this.#words, new Int32Array(length))
  }
}

function lowestOf(word: number, bits: number): number {
  return (word << wordShift) + wordMask - Math.clz32(bits & -bits)
}

/** Number of bits set, summed in parallel over pairs, fours and bytes. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
