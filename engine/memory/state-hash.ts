import type { Saved, StateSink } from './state-codec.js'

/** The two lanes of a hash. */
export interface HashLanes {
  readonly low: number
  readonly high: number
}

/** Kind of a hashed element. It is part of the hash, so that equal values of two kinds never cancel out. */
export const HashKind = {
  Config: 1,
  Counters: 2,
  Deposit: 3,
  Funds: 4,
  Builders: 5,
  Closing: 6,
  Listing: 7,
  Underlying: 8,
  Instrument: 9,
  Marks: 10,
  Clock: 11,
  Address: 12,
  Account: 13,
  Wallet: 14,
  Agents: 15,
  Nonce: 16,
  NonceWindow: 17,
  Outcome: 18,
  Exposure: 19,
  Order: 20,
  OrderTexts: 21,
  /** An order that ended and whose facts are kept, and the order that ended after it. */
  FinalPair: 22,
  /** An order of which only status and account are known. */
  ForgottenOrder: 23,
  Settlements: 24,
  Settlement: 25,
  IndexSample: 26,
  Protection: 27,
  Fundings: 28,
  Perp: 29,
  FundingRound: 30,
  FundingShare: 31,
  Liquidations: 32,
  Liquidation: 33,
  Remark: 34,
  Provider: 35,
  Rfqs: 36,
  Rfq: 37,
  RfqId: 38,
  Auctions: 39,
  Auction: 40,
  /** An order that entered its book later than it was placed. */
  LateEntry: 41,
  Safety: 42,
  Username: 48,
  Referral: 50,
  PushCount: 51,
  PushWallet: 52,
  Withdrawal: 43,
  EndedWithdrawal: 44,
  /** Keys that may sign directives of an account, and its abstraction. */
  ApiWallets: 46,
  Competition: 49,
  NotedFiles: 54,
  /** A wallet that may only cancel. */
  WalletStop: 55,
} as const
export type HashKind = (typeof HashKind)[keyof typeof HashKind]

/**
 * A row to be hashed, as doubles and as the words that they consist of. Typed cells avoid the boxing of arguments in a
 * call that is not inlined. An element is the first words of the row.
 */
export const rowDoubles = new Float64Array(32)
export const rowWords = new Int32Array(rowDoubles.buffer)
export const rowBytes = new Uint8Array(rowDoubles.buffer)

/** Low and high lane of the last element passed to `put`. */
export const elementLanes = new Int32Array(2)

/**
 * A part of the state that is one element of the hash, because it changes rarely, or often within a batch. Code that
 * changes it notes the cell, and the hash of its saved state is recomputed when the batch ends.
 */
export class HashCell {
  readonly kind: HashKind
  readonly saved: Saved
  /** Lanes of the cell that are included in the hash. */
  low = 0
  high = 0
  isNoted = false
  isDropped = false

  constructor(kind: HashKind, saved: Saved) {
    this.kind = kind
    this.saved = saved
  }
}

/**
 * Incremental hash of a set of elements: the sum of a hash per element, in two 32-bit lanes. Adding and removing
 * commute, so the value depends on the state alone, and not on its history, slots or threads. Not cryptographic: it
 * detects divergence, not forgery.
 *
 *   rows that every order touches    put(… false), change, put(… true)     around each change
 *   all else                         change, note(cell)                    refresh() when the batch ends
 */
export class StateHash {
  low = 0
  high = 0
  readonly #noted: HashCell[] = []
  readonly #mix = new Mix()

  /**
   * Adds or removes the first `words` words of the prepared row. Leaves its lanes in `elementLanes`. Equivalent to
   * `Mix`, but in one loop over locals, because every order calls it a dozen times.
   */
  put(kind: HashKind, words: number, adds: boolean): void {
    let low = Math.imul(kind, kindFactor)
    let high = ~low
    for (let i = 0; i < words; i++) {
      const word = rowWords[i] ^ (rowWords[i] >>> foldShift)
      low = (low + Math.imul(word, lowWeights[i])) | 0
      high = (high + Math.imul(word, highWeights[i])) | 0
    }
    low = finalized(low)
    high = finalized(high)
    elementLanes[0] = low
    elementLanes[1] = high
    this.low = (adds ? this.low + low : this.low - low) | 0
    this.high = (adds ? this.high + high : this.high - high) | 0
  }

  /** Removes an element by its lanes, for callers that kept them. */
  takeOut(low: number, high: number): void {
    this.low = (this.low - low) | 0
    this.high = (this.high - high) | 0
  }

  /** Marks a cell as changed; `refresh` rehashes it. */
  note(cell: HashCell): void {
    if (cell.isNoted) return
    cell.isNoted = true
    this.#noted.push(cell)
  }

  /** Removes the element of a cell that no longer exists. */
  drop(cell: HashCell): void {
    this.takeOut(cell.low, cell.high)
    cell.isDropped = true
  }

  /** Rehashes the noted cells. The hash is then that of the state, until the next change. */
  refresh(): void {
    const mix = this.#mix
    for (let i = 0; i < this.#noted.length; i++) {
      const cell = this.#noted[i]
      cell.isNoted = false
      if (cell.isDropped) continue
      this.takeOut(cell.low, cell.high)
      mix.begin(cell.kind)
      cell.saved.save(mix)
      mix.end()
      this.low = (this.low + mix.low) | 0
      this.high = (this.high + mix.high) | 0
      cell.low = mix.low
      cell.high = mix.high
    }
    this.#noted.length = 0
  }
}

/** Returns two lanes as 16 hex digits. */
export function hashText(low: number, high: number): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}

const one = new Float64Array(1)
const oneWords = new Int32Array(one.buffer)

const kindFactor = 0x9e3779b1
/**
 * A word's top bits are folded onto its low bits. Otherwise flips of the top bits of two words, which no odd factor
 * moves, would cancel out.
 */
const foldShift = 15
const weightCount = 64
/** Odd factors of a word by its position, for the low lane and for the high one. */
const lowWeights = weightsFrom(0x2545f491)
const highWeights = weightsFrom(0x6a09e667)

/**
 * Hash of one element in two lanes. Each lane is the sum of its words, each multiplied by a factor of its position. The
 * products are independent of each other, unlike rounds of mixing, and every order hashes about a hundred words. The
 * finaliser of MurmurHash3 ends the sum, and each further run of positions. 0 and -0 hash equally, and so do all NaNs.
 */
class Mix implements StateSink {
  low = 0
  high = 0
  #place = 0

  begin(kind: HashKind): void {
    this.low = Math.imul(kind, kindFactor)
    this.high = ~this.low
    this.#place = 0
  }

  words(source: Int32Array, count: number): void {
    if (this.#place + count > weightCount) {
      this.end()
      this.#place = 0
    }
    const place = this.#place
    let { low, high } = this
    for (let i = 0; i < count; i++) {
      const word = source[i] ^ (source[i] >>> foldShift)
      low = (low + Math.imul(word, lowWeights[place + i])) | 0
      high = (high + Math.imul(word, highWeights[place + i])) | 0
    }
    this.low = low
    this.high = high
    this.#place = place + count
  }

  i32(value: number): void {
    oneWords[0] = value
    this.words(oneWords, 1)
  }

  f64(value: number): void {
    one[0] = Number.isNaN(value) ? Number.NaN : value + 0
    this.words(oneWords, 2)
  }

  bytes(source: Uint8Array): void {
    for (let i = 0; i < source.length; i++) this.i32(source[i])
  }

  text(value: string): void {
    this.i32(value.length)
    for (let i = 0; i < value.length; i++) this.i32(value.charCodeAt(i))
  }

  end(): void {
    this.low = finalized(this.low)
    this.high = finalized(this.high)
  }
}

function finalized(lane: number): number {
  const mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b)
  const again = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return again ^ (again >>> 16)
}

function weightsFrom(first: number): Int32Array {
  return Int32Array.from({ length: weightCount }, (_, i) => finalized(first + i) | 1)
}
