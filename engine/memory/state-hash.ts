import type { Saved, StateSink } from './state-codec.js'

/** A hash as its two lanes. */
export interface HashLanes {
  readonly low: number
  readonly high: number
}

/** What a hashed element is about; part of the hash, so equal values of two kinds never cancel out. */
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
  /** An order that ended and whose facts are held, and the one that ended after it. */
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
  /** An order that has entered its book later than it began. */
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
 * A row on its way into the hash, as doubles and as the words that they are made of: typed slots cost nothing, where
 * arguments of a call that is not inlined would be boxed. An element is the first words of it.
 */
export const rowDoubles = new Float64Array(32)
export const rowWords = new Int32Array(rowDoubles.buffer)
export const rowBytes = new Uint8Array(rowDoubles.buffer)

/** Low and high lane of the element that was put last. */
export const elementLanes = new Int32Array(2)

/**
 * Something that changes seldom, or often within a batch, and is one element of the hash: whoever changes it notes it,
 * and what it saves of itself is hashed anew at the end of the batch.
 */
export class HashCell {
  readonly kind: HashKind
  readonly saved: Saved
  /** What of it is in the hash. */
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
 * A hash of a set of elements, kept incrementally: the sum of a hash per element in two 32-bit lanes. Adding and
 * removing commute, so the value depends on the state alone, not on the way to it, nor on slots or threads.
 * Not cryptographic: it finds divergence, not forgery.
 *
 *   rows that every order touches    put(… false), change, put(… true)     around each change
 *   all else                         change, note(cell)                    refresh() at the end of the batch
 */
export class StateHash {
  low = 0
  high = 0
  readonly #noted: HashCell[] = []
  readonly #mix = new Mix()

  /**
   * Adds the first `words` words of the row that stands ready, or takes them out that were added so. Its lanes stand in
   * `elementLanes` afterwards. As `Mix` does it, but in one loop over locals: every order comes here a dozen times.
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

  /** Takes an element out by its lanes, for whoever has kept them. */
  takeOut(low: number, high: number): void {
    this.low = (this.low - low) | 0
    this.high = (this.high - high) | 0
  }

  /** The cell is not what it was: `refresh` looks at it. */
  note(cell: HashCell): void {
    if (cell.isNoted) return
    cell.isNoted = true
    this.#noted.push(cell)
  }

  /** What the cell is of is gone. */
  drop(cell: HashCell): void {
    this.takeOut(cell.low, cell.high)
    cell.isDropped = true
  }

  /** Hashes anew what was noted: the hash is that of the state from here on, until something changes. */
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

/** Two lanes as 16 hex digits. */
export function hashText(low: number, high: number): string {
  return (high >>> 0).toString(16).padStart(8, '0') + (low >>> 0).toString(16).padStart(8, '0')
}

const one = new Float64Array(1)
const oneWords = new Int32Array(one.buffer)

const kindFactor = 0x9e3779b1
/** A word's top bits go onto its low ones: else those of two words, which no odd factor moves, would cancel out. */
const foldShift = 15
const weightCount = 64
/** Odd factors of a word by its place, for the low lane and for the high one. */
const lowWeights = weightsFrom(0x2545f491)
const highWeights = weightsFrom(0x6a09e667)

/**
 * Hash of one element in two lanes. Each is the sum of its words, each word times a factor of its place: the products do
 * not wait for each other, as rounds of mixing would, and every order hashes some hundred words. The finaliser of
 * MurmurHash3 ends it, and each further run of places. 0 and -0 are the same, and so is every NaN.
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
