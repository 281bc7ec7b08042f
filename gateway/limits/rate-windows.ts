import { assert } from '../../schemas/assert.js'
import type { RateCategory } from '../../schemas/domain.js'

/** State of a window after one request, for headers and messages; its owner reuses it. */
export class RateVerdict {
  isAllowed = true
  limit = 0
  remaining = 0
  /** Unix seconds at which the window ends. */
  resetSeconds = 0
  /** Seconds until then, at least 1. */
  retryAfterSeconds = 0
}

export const rateWindowMillis = 60_000

//  A slot of 64 bytes, one cache line: key, minute, counts
//  0        4        8        12       16       20            36       48     64
//  +--------+--------+--------+--------+--------+---- ... ----+--------+------+
//  | lock   | minute | placed | cancel | api    | spare       | key    | spare|   key: 20 bytes from 36
//  +--------+--------+--------+--------+--------+---- ... ----+--------+------+
const slotWords = 16
const lockWord = 0
const minuteWord = 1
const countsWord = 2
const keyWord = 9
const keyWords = 5
const probesMax = 32

/** Shared memory for `slots` (a power of two) windows; one slot per wallet that was active this minute. */
export function allocateRateWindows(slots: number): SharedArrayBuffer {
  assert((slots & (slots - 1)) === 0 && slots >= probesMax, 'rate windows: slots are masked')
  return new SharedArrayBuffer(slots * slotWords * 4)
}

/**
 * Fixed windows of one minute, aligned to the epoch, per key and category, in memory that all gateway threads
 * share. A slot whose minute has ended is free, so nothing is ever cleaned up.
 *
 * Two gateways may count for one key at the same moment: a slot is locked for the few loads and stores of a
 * change. The lock is a word that is swapped from 0 to 1; no thread sleeps while it holds the lock.
 */
export class RateWindows {
  readonly #words: Int32Array
  readonly #mask: number
  readonly #key = new Int32Array(keyWords)
  readonly #keyBytes = new Uint8Array(this.#key.buffer)

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
    this.#mask = memory.byteLength / (slotWords * 4) - 1
  }

  /**
   * Takes `cost` from the key's window if it fits whole; otherwise nothing.
   * @param key 20 bytes: a wallet, or a hash of client address and wallet.
   * @param limit of the category per minute; -1 is unlimited.
   * @param out receives the verdict. A full table evicts the window with the lowest counts, so strangers who fill the
   * table neither lock others out nor clear the window of a heavy user.
   */
  take(
    key: Uint8Array,
    category: RateCategory,
    cost: number,
    limit: number,
    nowMillis: number,
    out: RateVerdict,
  ): boolean {
    const minute = Math.floor(nowMillis / rateWindowMillis)
    const at = this.#lockSlot(key, minute, true)
    const words = this.#words
    const used = words[at + countsWord + category]
    const isAllowed = limit < 0 || used + cost <= limit
    if (isAllowed) words[at + countsWord + category] = used + cost
    Atomics.store(words, at + lockWord, 0)
    fillVerdict(out, isAllowed, limit, isAllowed ? used + cost : used, nowMillis)
    return isAllowed
  }

  /** Returns true if the key's window has room for one more; takes nothing and claims no slot. */
  hasRoom(
    key: Uint8Array,
    category: RateCategory,
    limit: number,
    nowMillis: number,
    out: RateVerdict,
  ): boolean {
    const at = this.#lockSlot(key, Math.floor(nowMillis / rateWindowMillis), false)
    const used = at < 0 ? 0 : this.#words[at + countsWord + category]
    if (at >= 0) Atomics.store(this.#words, at + lockWord, 0)
    const isAllowed = limit < 0 || used < limit
    fillVerdict(out, isAllowed, limit, used, nowMillis)
    return isAllowed
  }

  /** Returns a cost of this minute, for a request that does not count after all. */
  refund(key: Uint8Array, category: RateCategory, cost: number, nowMillis: number): void {
    const minute = Math.floor(nowMillis / rateWindowMillis)
    const at = this.#lockSlot(key, minute, false)
    if (at < 0) return
    const words = this.#words
    if (words[at + minuteWord] === minute) {
      words[at + countsWord + category] = Math.max(0, words[at + countsWord + category] - cost)
    }
    Atomics.store(words, at + lockWord, 0)
  }

  /** Returns the key's slot of this minute, locked; -1 when there is none and none may be claimed. */
  #lockSlot(key: Uint8Array, minute: number, claims: boolean): number {
    for (let i = 0; i < keyWords * 4; i++) this.#keyBytes[i] = key[i]
    const home = hashOf(this.#key)
    for (let probe = 0; probe < probesMax; probe++) {
      const at = ((home + probe) & this.#mask) * slotWords
      this.#lock(at)
      const isLive = isLiveIn(this.#words[at + minuteWord], minute)
      if (isLive && this.#hasKey(at)) return at
      if (!isLive) {
        if (claims) {
          this.#claim(at, minute)
          return at
        }
        // A key is never after a slot that was free in its minute.
        Atomics.store(this.#words, at + lockWord, 0)
        return -1
      }
      Atomics.store(this.#words, at + lockWord, 0)
    }
    return claims ? this.#evict(home, minute) : -1
  }

  /** Claims and locks the slot with the lowest counts among those that a key may have. */
  #evict(home: number, minute: number): number {
    const words = this.#words
    let victim = -1
    let leastCount = Number.POSITIVE_INFINITY
    for (let probe = 0; probe < probesMax; probe++) {
      const at = ((home + probe) & this.#mask) * slotWords
      const count = words[at + countsWord] + words[at + countsWord + 1] + words[at + countsWord + 2]
      if (count >= leastCount) continue
      leastCount = count
      victim = at
    }
    this.#lock(victim)
    // Another thread may have claimed it for the same key since the search.
    const isTaken = isLiveIn(words[victim + minuteWord], minute) && this.#hasKey(victim)
    if (!isTaken) this.#claim(victim, minute)
    return victim
  }

  #lock(at: number): void {
    while (Atomics.compareExchange(this.#words, at + lockWord, 0, 1) !== 0);
  }

  #hasKey(at: number): boolean {
    for (let i = 0; i < keyWords; i++) {
      if (this.#words[at + keyWord + i] !== this.#key[i]) return false
    }
    return true
  }

  #claim(at: number, minute: number): void {
    const words = this.#words
    words[at + minuteWord] = minute
    words[at + countsWord] = 0
    words[at + countsWord + 1] = 0
    words[at + countsWord + 2] = 0
    for (let i = 0; i < keyWords; i++) words[at + keyWord + i] = this.#key[i]
  }
}

function fillVerdict(
  out: RateVerdict,
  isAllowed: boolean,
  limit: number,
  used: number,
  nowMillis: number,
): void {
  const resetMillis = (Math.floor(nowMillis / rateWindowMillis) + 1) * rateWindowMillis
  out.isAllowed = isAllowed
  out.limit = limit
  out.remaining = limit < 0 ? -1 : Math.max(0, limit - used)
  out.resetSeconds = resetMillis / 1000
  out.retryAfterSeconds = Math.max(1, Math.ceil((resetMillis - nowMillis) / 1000))
}

/** At a minute boundary another thread may read the clock first; its window is not free either. */
function isLiveIn(slotMinute: number, minute: number): boolean {
  return slotMinute === minute || slotMinute === minute + 1
}

function hashOf(key: Int32Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < keyWords; i++) {
    hash = Math.imul(hash ^ key[i], 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}
