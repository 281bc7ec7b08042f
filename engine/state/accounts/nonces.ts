import { assert } from '../../../schemas/assert.js'
import { grown } from '../../memory/grown.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind, rowWords, type StateHash } from '../../memory/state-hash.js'

/** Up to this number, nonces are moved one by one; more are moved as a block. */
const movedSinglyMax = 16

/**
 * Burned nonces of one wallet: unsigned 64-bit numbers in any order, as two halves that may be passed as signed or
 * unsigned 32-bit integers. They are stored signed, because signed integers are never boxed. The `kept` highest are
 * known exactly. After the window has overflowed, everything below the lowest kept nonce counts as burned.
 *
 * They are stored in ascending order, with room on both sides. Most wallets count upwards, so nearly every nonce is
 * found to be new, and appended, in the place where the last one was written. An out-of-order nonce moves those above
 * or below it, whichever are fewer: at most half a window of 65,536, which takes some microseconds.
 */
export class NonceWindow {
  /** Identity of the window in the hash. */
  readonly #hash: StateHash
  readonly #owner: number
  count = 0
  /** True if a nonce was ever dropped; nonces below the lowest kept one are then burned. */
  overflowed = false
  readonly #kept: number
  /** High and low half of each, from pair `#begin` on. */
  #words = new Int32Array(8 * 2)
  #begin = 0

  /**
   * @param hash has each nonce, and whether some were dropped.
   * @param owner the account; -1 minus the account for the window of its agents.
   */
  constructor(kept: number, hash: StateHash, owner: number) {
    assert(kept >= 1, 'nonces: at least one is kept')
    this.#kept = kept
    this.#hash = hash
    this.#owner = owner
  }

  /** Returns true if the nonce can no longer be used. */
  isBurned(high: number, low: number): boolean {
    return this.has(high, low) || (this.overflowed && this.isBelowLowest(high, low))
  }

  /** Returns true if the nonce is kept; dropped nonces are unknown. */
  has(high: number, low: number): boolean {
    const { count } = this
    if (count === 0) return false
    const words = this.#words
    const last = 2 * (this.#begin + count - 1)
    if (isBelow(words[last], words[last + 1], high, low)) return false
    const pair = 2 * (this.#begin + this.#placeOf(high, low))
    return words[pair] === (high | 0) && words[pair + 1] === (low | 0)
  }

  /** True if the next nonce makes the window drop its lowest. */
  get isFull(): boolean {
    return this.count === this.#kept
  }

  /** Returns true if a nonce is below all that are kept; `count` must be above 0. */
  isBelowLowest(high: number, low: number): boolean {
    return isBelow(high, low, this.lowestHigh, this.lowestLow)
  }

  /**
   * Burns a nonce for which `isBurned` is false. If the window is full and the nonce is below all others, it is dropped
   * itself.
   */
  burn(high: number, low: number): void {
    if (this.isFull) {
      this.#overflow()
      if (this.isBelowLowest(high, low)) return
      this.#dropLowest()
    }
    this.#put(high, low, true)
    const at = this.#placeOf(high, low)
    assert(at === this.count || !this.#isAt(at, high, low), 'nonces: each is burned once')
    const pair = 2 * this.#openPlace(at)
    this.#words[pair] = high
    this.#words[pair + 1] = low
    this.count++
  }

  /** Burns a nonce and all below it, as if the window were full of later ones. */
  burnUpTo(high: number, low: number): void {
    while (this.count > 0 && !isBelow(high, low, this.lowestHigh, this.lowestLow)) {
      this.#dropLowest()
    }
    this.burn(high, low)
    this.#overflow()
  }

  /** Removes all elements from the hash, because another window has them. */
  leave(): void {
    this.forEach((high, low) => {
      this.#put(high, low, false)
    })
    if (this.overflowed) this.#putOverflow(false)
  }

  /** Returns true if the nonce and all below it are burned. */
  isBurnedUpTo(high: number, low: number): boolean {
    if (this.count === 0 || !this.overflowed) return false
    return !isBelow(this.lowestHigh, this.lowestLow, high, low)
  }

  /** Visits each kept nonce with its signed halves, lowest first. */
  forEach(visit: (high: number, low: number) => void): void {
    const end = 2 * (this.#begin + this.count)
    for (let i = 2 * this.#begin; i < end; i += 2) visit(this.#words[i], this.#words[i + 1])
  }

  /** Signed halves of the lowest kept nonce; `count` must be above 0. */
  get lowestHigh(): number {
    return this.#words[2 * this.#begin]
  }

  get lowestLow(): number {
    return this.#words[2 * this.#begin + 1]
  }

  /** Signed halves of the highest nonce, 0 if there is none. */
  get highestHigh(): number {
    return this.count === 0 ? 0 : this.#words[2 * (this.#begin + this.count) - 2]
  }

  get highestLow(): number {
    return this.count === 0 ? 0 : this.#words[2 * (this.#begin + this.count) - 1]
  }

  /** Prefetches the place of the next nonce; returns a word of it. */
  get latestWord(): number {
    return this.#words[2 * (this.#begin + this.count)] | 0
  }

  /** Returns a window of another length with the `kept` highest of these nonces. */
  resized(kept: number): NonceWindow {
    this.leave()
    const window = new NonceWindow(kept, this.#hash, this.#owner)
    if (this.overflowed) window.#overflow()
    this.forEach((high, low) => {
      window.burn(high, low)
    })
    return window
  }

  save(sink: StateSink): void {
    sink.i32(this.count)
    sink.i32(this.overflowed ? 1 : 0)
    const end = 2 * (this.#begin + this.count)
    for (let i = 2 * this.#begin; i < end; i++) sink.i32(this.#words[i])
  }

  /** Reads what `save` wrote into an empty window. */
  load(reader: StateReader): void {
    assert(this.count === 0 && !this.overflowed, 'nonces: the window is empty before it is loaded')
    const count = reader.i32()
    assert(count <= this.#kept, 'nonces: a snapshot has no more than are kept')
    const overflowed = reader.i32() === 1
    for (let i = 0; i < count; i++) {
      const high = reader.i32()
      this.burn(high, reader.i32())
    }
    if (overflowed) this.#overflow()
  }

  #dropLowest(): void {
    this.#put(this.lowestHigh, this.lowestLow, false)
    this.#begin++
    this.count--
  }

  #overflow(): void {
    if (this.overflowed) return
    this.overflowed = true
    this.#putOverflow(true)
  }

  #put(high: number, low: number, adds: boolean): void {
    rowWords[0] = this.#owner
    rowWords[1] = high
    rowWords[2] = low
    this.#hash.put(HashKind.Nonce, 3, adds)
  }

  #putOverflow(adds: boolean): void {
    rowWords[0] = this.#owner
    this.#hash.put(HashKind.NonceWindow, 1, adds)
  }

  /** Returns the number of kept nonces below this one. */
  #placeOf(high: number, low: number): number {
    const words = this.#words
    const begin = this.#begin
    let from = 0
    let to = this.count
    const last = 2 * (begin + to - 1)
    if (to === 0 || isBelow(words[last], words[last + 1], high, low)) return to
    while (from < to) {
      const middle = (from + to) >>> 1
      const pair = 2 * (begin + middle)
      if (isBelow(words[pair], words[pair + 1], high, low)) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Returns true if the nonce at this position, counted from the lowest, is this one. */
  #isAt(at: number, high: number, low: number): boolean {
    const pair = 2 * (this.#begin + at)
    return this.#words[pair] === (high | 0) && this.#words[pair + 1] === (low | 0)
  }

  /**
   * Moves nonces so that there is a free pair after the first `at` of them.
   * @returns the pair.
   */
  #openPlace(at: number): number {
    const isFront = 2 * at < this.count
    const end = this.#begin + this.count
    if (isFront ? this.#begin === 0 : 2 * end === this.#words.length) this.#makeRoom(isFront)
    const begin = this.#begin
    if (isFront) {
      movePairs(this.#words, begin, begin + at, -1)
      this.#begin--
    } else {
      movePairs(this.#words, begin + at, begin + this.count, 1)
    }
    return this.#begin + at
  }

  /** Makes room before or after the nonces: at least a quarter of the memory, so that it lasts. */
  #makeRoom(isFront: boolean): void {
    const { count } = this
    const pairs = this.#words.length >> 1
    const begin = this.#begin
    if (4 * count > 3 * pairs) this.#words = grown(this.#words, new Int32Array(4 * pairs))
    const free = (this.#words.length >> 1) - count
    this.#begin = isFront ? (free + 1) >> 1 : 0
    this.#words.copyWithin(2 * this.#begin, 2 * begin, 2 * (begin + count))
  }
}

/** Moves the pairs `from` to `to - 1` by one pair, up or down. */
function movePairs(words: Int32Array, from: number, to: number, step: number): void {
  if (to - from > movedSinglyMax) {
    words.copyWithin(2 * (from + step), 2 * from, 2 * to)
  } else if (step > 0) {
    for (let i = 2 * to - 1; i >= 2 * from; i--) words[i + 2] = words[i]
  } else {
    for (let i = 2 * from; i < 2 * to; i++) words[i - 2] = words[i]
  }
}

function isBelow(high: number, low: number, otherHigh: number, otherLow: number): boolean {
  if (high >>> 0 !== otherHigh >>> 0) return high >>> 0 < otherHigh >>> 0
  return low >>> 0 < otherLow >>> 0
}
