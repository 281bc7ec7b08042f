import { grown } from '../memory/grown.js'
import type { StateReader, StateWriter } from './state-codec.js'

/**
 * Burned nonces of one wallet (decision 4): unsigned 64-bit numbers in any order, as two halves that may come
 * as signed or as unsigned 32-bit integers. They are kept signed: those are never boxed on their way. The
 * `kept` highest are known exactly; once there were more, everything below the lowest kept counts as burned.
 */
export class NonceWindow {
  count = 0
  /** Whether a nonce was ever dropped: then those below the lowest kept one are refused. */
  overflowed = false
  readonly #kept: number
  // A min-heap, for dropping the lowest, beside a hash set of the same nonces (high, low; `used` marks places).
  #heap = new Int32Array(4 * 2)
  #set = new Int32Array(8 * 2)
  #used = new Uint8Array(8)

  constructor(kept: number) {
    this.#kept = kept
  }

  /** Whether the nonce can no longer be used. */
  isBurned(high: number, low: number): boolean {
    if (this.overflowed && isBelow(high, low, this.#heap[0], this.#heap[1])) return true
    return this.#used[this.#probe(high | 0, low | 0)] === 1
  }

  /** Whether the next nonce makes the window drop its lowest. */
  get isFull(): boolean {
    return this.count === this.#kept
  }

  /** Whether a nonce is below all that are kept; only meaningful with `count` above 0. */
  isBelowLowest(high: number, low: number): boolean {
    return isBelow(high, low, this.#heap[0], this.#heap[1])
  }

  /** Burns a nonce that `isBurned` has denied. One below all of a full window is itself the one that is dropped. */
  burn(high: number, low: number): void {
    if (this.isFull) {
      this.overflowed = true
      if (this.isBelowLowest(high, low)) return
      this.#delete(this.#heap[0], this.#heap[1])
      this.#heap[0] = high
      this.#heap[1] = low
      this.#siftDown()
    } else {
      if (this.count * 2 === this.#heap.length) {
        this.#heap = grown(this.#heap, new Int32Array(this.#heap.length * 2))
      }
      this.#siftUp(this.count++, high, low)
      if (this.count * 2 > this.#used.length) this.#rehash()
    }
    const place = this.#probe(high | 0, low | 0)
    this.#used[place] = 1
    this.#set[place * 2] = high
    this.#set[place * 2 + 1] = low
  }

  /** Calls back for each kept nonce with its signed halves, in no meaningful order. */
  forEach(visit: (high: number, low: number) => void): void {
    for (let i = 0; i < this.count; i++) visit(this.#heap[i * 2], this.#heap[i * 2 + 1])
  }

  /** Signed halves of the lowest kept nonce; only meaningful with `count` above 0. */
  get lowestHigh(): number {
    return this.#heap[0]
  }

  get lowestLow(): number {
    return this.#heap[1]
  }

  /** The same nonces, the `kept` highest of them, in a window of another length. */
  resized(kept: number): NonceWindow {
    const window = new NonceWindow(kept)
    window.overflowed = this.overflowed
    this.forEach((high, low) => {
      window.burn(high, low)
    })
    return window
  }

  save(writer: StateWriter): void {
    writer.i32(this.count)
    writer.i32(this.overflowed ? 1 : 0)
    for (let i = 0; i < this.count * 2; i++) writer.i32(this.#heap[i])
  }

  static load(reader: StateReader, kept: number): NonceWindow {
    const window = new NonceWindow(kept)
    const count = reader.i32()
    const overflowed = reader.i32() === 1
    for (let i = 0; i < count; i++) {
      const high = reader.i32()
      window.burn(high, reader.i32())
    }
    window.overflowed ||= overflowed
    return window
  }

  #siftUp(from: number, high: number, low: number): void {
    const heap = this.#heap
    let index = from
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!isBelow(high, low, heap[parent * 2], heap[parent * 2 + 1])) break
      heap[index * 2] = heap[parent * 2]
      heap[index * 2 + 1] = heap[parent * 2 + 1]
      index = parent
    }
    heap[index * 2] = high
    heap[index * 2 + 1] = low
  }

  #siftDown(): void {
    const heap = this.#heap
    const high = heap[0]
    const low = heap[1]
    let index = 0
    for (;;) {
      let child = index * 2 + 1
      if (child >= this.count) break
      const right = child + 1
      if (
        right < this.count &&
        isBelow(heap[right * 2], heap[right * 2 + 1], heap[child * 2], heap[child * 2 + 1])
      ) {
        child = right
      }
      if (!isBelow(heap[child * 2], heap[child * 2 + 1], high, low)) break
      heap[index * 2] = heap[child * 2]
      heap[index * 2 + 1] = heap[child * 2 + 1]
      index = child
    }
    heap[index * 2] = high
    heap[index * 2 + 1] = low
  }

  #probe(high: number, low: number): number {
    const mask = this.#used.length - 1
    let place = hashOf(high, low) & mask
    while (
      this.#used[place] === 1 &&
      (this.#set[place * 2] !== high || this.#set[place * 2 + 1] !== low)
    ) {
      place = (place + 1) & mask
    }
    return place
  }

  /** Removes by moving later entries of the run back, so that probes keep ending at the first empty place. */
  #delete(high: number, low: number): void {
    const mask = this.#used.length - 1
    let hole = this.#probe(high, low)
    let place = hole
    for (;;) {
      place = (place + 1) & mask
      if (this.#used[place] === 0) break
      const home = hashOf(this.#set[place * 2], this.#set[place * 2 + 1]) & mask
      if (((place - home) & mask) >= ((place - hole) & mask)) {
        this.#set[hole * 2] = this.#set[place * 2]
        this.#set[hole * 2 + 1] = this.#set[place * 2 + 1]
        hole = place
      }
    }
    this.#used[hole] = 0
  }

  #rehash(): void {
    const places = this.#used.length * 2
    const before = this.#set
    const usedBefore = this.#used
    this.#set = new Int32Array(places * 2)
    this.#used = new Uint8Array(places)
    for (let i = 0; i < usedBefore.length; i++) {
      if (usedBefore[i] === 0) continue
      const place = this.#probe(before[i * 2], before[i * 2 + 1])
      this.#used[place] = 1
      this.#set[place * 2] = before[i * 2]
      this.#set[place * 2 + 1] = before[i * 2 + 1]
    }
  }
}

function isBelow(high: number, low: number, otherHigh: number, otherLow: number): boolean {
  if (high >>> 0 !== otherHigh >>> 0) return high >>> 0 < otherHigh >>> 0
  return low >>> 0 < otherLow >>> 0
}

function hashOf(high: number, low: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
