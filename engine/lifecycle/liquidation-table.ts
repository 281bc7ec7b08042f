import { underlyingsMax } from '../../schemas/bounds.js'
import { LiquidationMode, LiquidationState } from '../../schemas/liquidation.js'
import type { StateReader, StateWriter } from '../core/state-codec.js'
import { HashKind, type StateHash } from '../core/state-hash.js'
import { moveFact } from '../risk/facts.js'

/** One wallet's liquidation, from the moment that it is not healthy until it is again. Times are engine millis. */
export class Liquidation {
  readonly account: number
  state: number = LiquidationState.Healthy
  mode: number = LiquidationMode.None
  /** When this state and mode began. */
  enteredMillis = 0
  /** 1 while working orders that have to go may be left. */
  purging = 0
  // Partial phase.
  /** When the orders in force were placed; 0: none were. */
  repricedMillis = 0
  targetMicros = 0
  bonusBps = 0
  // Full phase.
  /** Number of the auction, 0: none. */
  auction = 0
  auctionMillis = 0
  /** Rises with every valuation: at each re-mark and each change of the positions. */
  version = 0
  /** Version since which the positions are what they are. */
  positionsVersion = 0
  /** When equity was gone; 0: it is not. */
  insolventMillis = 0
  /** Account that won the latest bid, plus 1, 0: none; and what it gained. */
  winner = 0
  bonusMicros = 0
  /** Who bore the loss so far (section 6.3). */
  insuranceMicros = 0
  deleveragedMicros = 0
  uncoveredMicros = 0
  /** 1 while a mark or index is missing. */
  waiting = 0
  /** 1: a deposit or an order has come for a liquidated wallet. */
  revived = 0
  /** When it is looked at next if nothing else happens: follows from the rest, but is kept. */
  deadlineMillis = Number.POSITIVE_INFINITY

  constructor(account: number) {
    this.account = account
  }
}

/** What of a row is state, in the order of the snapshot. */
const fields = [
  'state',
  'mode',
  'enteredMillis',
  'purging',
  'repricedMillis',
  'targetMicros',
  'bonusBps',
  'auction',
  'auctionMillis',
  'version',
  'positionsVersion',
  'insolventMillis',
  'winner',
  'bonusMicros',
  'insuranceMicros',
  'deleveragedMicros',
  'uncoveredMicros',
  'waiting',
  'revived',
] as const satisfies readonly (keyof Liquidation)[]

/** Wallets that are not healthy, by rising account, and whom the check still has to look at. */
export class Liquidations {
  readonly rows: Liquidation[] = []
  /** Auctions begun so far. */
  auctionCount = 0
  /** `markVersion` of each underlying when its wallets were last noted for the check. */
  readonly seenMarks = new Float64Array(underlyingsMax)
  /** Wallets that the batch may still look at; set when it begins, so it is no state. */
  checksLeft = 0
  /** Positions of re-marked wallets that the batch may still look at, likewise. */
  positionsLeft = 0
  /** Positions moved off the book that their matchers have to hear of: account and instrument in turn. */
  readonly moved: number[] = []
  /** 1 in the bytes of accounts with a row: healthy wallets are told apart at once. */
  #isListed = new Uint8Array(64)
  #nextMillis = Number.POSITIVE_INFINITY
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** Earliest time at which a row wants to be looked at. */
  get nextMillis(): number {
    return this.#nextMillis
  }

  /** The wallet's row, or null while it is healthy. */
  find(account: number): Liquidation | null {
    if (account >= this.#isListed.length || this.#isListed[account] === 0) return null
    return this.rows[this.#placeOf(account)]
  }

  /** Adds the row of a wallet that was healthy; it is no fact before `amend`. */
  add(account: number): Liquidation {
    const row = new Liquidation(account)
    if (account >= this.#isListed.length) {
      const listed = new Uint8Array(Math.max(account + 1, this.#isListed.length * 2))
      listed.set(this.#isListed)
      this.#isListed = listed
    }
    this.#isListed[account] = 1
    this.rows.splice(this.#placeOf(account), 0, row)
    return row
  }

  /** The wallet is healthy again, and nothing is left to do for it. */
  remove(row: Liquidation): void {
    this.#fact(row, false)
    this.#isListed[row.account] = 0
    this.rows.splice(this.#placeOf(row.account), 1)
    this.#findNext()
  }

  /** Changes a row: its facts leave the hash before, and come back after. */
  amend(row: Liquidation, change: (row: Liquidation) => void): void {
    this.#fact(row, false)
    change(row)
    this.#fact(row, true)
  }

  /** Number of the next auction. */
  nextAuction(): number {
    const before = this.auctionCount++
    moveFact(this.#hash, HashKind.Auction, 0, 0, before, this.auctionCount)
    return this.auctionCount
  }

  setDeadline(row: Liquidation, millis: number): void {
    row.deadlineMillis = millis
    this.#findNext()
  }

  #findNext(): void {
    this.#nextMillis = Number.POSITIVE_INFINITY
    for (const { deadlineMillis } of this.rows) {
      if (deadlineMillis < this.#nextMillis) this.#nextMillis = deadlineMillis
    }
  }

  save(writer: StateWriter): void {
    writer.f64(this.auctionCount)
    writer.i32(this.rows.length)
    for (const row of this.rows) {
      writer.i32(row.account)
      for (const field of fields) writer.f64(row[field])
      writer.f64(row.deadlineMillis)
    }
  }

  /** Reads what `save` wrote into an empty table, and adds its facts to the hash. */
  load(reader: StateReader): void {
    const auctionCount = reader.f64()
    moveFact(this.#hash, HashKind.Auction, 0, 0, this.auctionCount, auctionCount)
    this.auctionCount = auctionCount
    for (let i = reader.i32(); i > 0; i--) {
      const row = this.add(reader.i32())
      for (const field of fields) row[field] = reader.f64()
      this.#fact(row, true)
      this.setDeadline(row, reader.f64())
    }
  }

  #placeOf(account: number): number {
    let low = 0
    let high = this.rows.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.rows[middle].account < account) low = middle + 1
      else high = middle
    }
    return low
  }

  #fact(row: Liquidation, adds: boolean): void {
    const kind = HashKind.Liquidation
    for (const [index, field] of fields.entries()) {
      const value = row[field]
      if (value === 0) continue
      if (adds) this.#hash.add(kind, row.account, index, value)
      else this.#hash.remove(kind, row.account, index, value)
    }
  }
}
