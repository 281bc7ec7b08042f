import { underlyingsMax } from '../../schemas/bounds.js'
import { grown } from '../memory/grown.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { HashKind, type StateHash } from '../memory/state-hash.js'
import { moveElement } from '../risk/hash-elements.js'
import { Liquidation } from '../tables/generated/liquidation.js'
import { liquidations } from '../tables/layouts/lifecycle.js'

/** Columns that are elements of the hash: what is state, but for the row's own account and its deadline. */
const fields = liquidations.columns
  .filter(({ derivedFrom, name }) => derivedFrom === null && name !== 'deadlineMillis')
  .filter(({ name }) => !liquidations.keys.includes(name))
  .map(({ name }) => name as NumberColumn)

/** Every column is a number. */
type NumberColumn = Exclude<keyof Liquidation, 'save' | 'differences'>

/** Wallets that are not healthy, and positions that moved off the book. A step for one of them costs no look at the others. */
export class LiquidationTable {
  /** A binary heap: no row is due before the one at half its place. */
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
  /** By account: place of its row plus 1, 0 while it is healthy. */
  #places = new Int32Array(64)
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** Earliest time at which a row wants to be looked at. */
  get nextMillis(): number {
    return this.rows.length === 0 ? Number.POSITIVE_INFINITY : this.rows[0].deadlineMillis
  }

  /** The wallet's row, or null while it is healthy. */
  find(account: number): Liquidation | null {
    if (account >= this.#places.length) return null
    const place = this.#places[account]
    return place === 0 ? null : this.rows[place - 1]
  }

  /** Rows by rising account, whatever the way to them. */
  byAccount(): Liquidation[] {
    return this.rows.toSorted((one, other) => one.account - other.account)
  }

  /** Adds the row of a wallet that was healthy; it is no element before `amend`. */
  add(account: number): Liquidation {
    const row = new Liquidation(account)
    this.#append(row)
    return row
  }

  #append(row: Liquidation): void {
    if (row.account >= this.#places.length) {
      const length = Math.max(row.account + 1, this.#places.length * 2)
      this.#places = grown(this.#places, new Int32Array(length))
    }
    this.rows.push(row)
    this.#put(row, this.rows.length - 1)
  }

  /** The wallet is healthy again, and nothing is left to do for it. */
  remove(row: Liquidation): void {
    this.#element(row, false)
    this.#places[row.account] = 0
    const last = this.rows.pop()
    if (last === undefined || last === row) return
    this.#put(last, row.place)
    this.#sift(last)
  }

  /** Changes a row: its elements leave the hash before, and come back after. */
  amend(row: Liquidation, change: (row: Liquidation) => void): void {
    this.#element(row, false)
    change(row)
    this.#element(row, true)
  }

  /** Number of the next auction. */
  nextAuction(): number {
    const before = this.auctionCount++
    moveElement(this.#hash, HashKind.Auction, 0, 0, before, this.auctionCount)
    return this.auctionCount
  }

  /** Auctions up to this number were held, and lost: the next one is behind them. */
  passAuctions(count: number): void {
    if (count <= this.auctionCount) return
    moveElement(this.#hash, HashKind.Auction, 0, 0, this.auctionCount, count)
    this.auctionCount = count
  }

  setDeadline(row: Liquidation, millis: number): void {
    row.deadlineMillis = millis
    this.#sift(row)
  }

  /** Moves a row to where its deadline belongs. */
  #sift(row: Liquidation): void {
    const { rows } = this
    for (let place = row.place; place > 0; place = row.place) {
      const above = rows[(place - 1) >> 1]
      if (above.deadlineMillis <= row.deadlineMillis) break
      this.#put(above, place)
      this.#put(row, (place - 1) >> 1)
    }
    for (;;) {
      const { place } = row
      let below = 2 * place + 1
      if (below >= rows.length) return
      const right = below + 1
      if (right < rows.length && rows[right].deadlineMillis < rows[below].deadlineMillis) {
        below = right
      }
      if (rows[below].deadlineMillis >= row.deadlineMillis) return
      this.#put(rows[below], place)
      this.#put(row, below)
    }
  }

  #put(row: Liquidation, place: number): void {
    this.rows[place] = row
    row.place = place
    this.#places[row.account] = place + 1
  }

  save(writer: StateWriter): void {
    writer.f64(this.auctionCount)
    writer.i32(this.rows.length)
    for (const row of this.byAccount()) row.save(writer)
  }

  /** Reads what `save` wrote into an empty table, and adds its elements to the hash. */
  load(reader: StateReader): void {
    const auctionCount = reader.f64()
    moveElement(this.#hash, HashKind.Auction, 0, 0, this.auctionCount, auctionCount)
    this.auctionCount = auctionCount
    for (let i = reader.i32(); i > 0; i--) {
      const row = Liquidation.load(reader)
      this.#append(row)
      this.#element(row, true)
      this.#sift(row)
    }
  }

  #element(row: Liquidation, adds: boolean): void {
    const kind = HashKind.Liquidation
    for (const [index, field] of fields.entries()) {
      const value = row[field]
      if (value === 0) continue
      if (adds) this.#hash.add(kind, row.account, index, value)
      else this.#hash.remove(kind, row.account, index, value)
    }
  }
}
