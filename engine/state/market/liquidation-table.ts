import { assert } from '../../../schemas/assert.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { grown } from '../../memory/grown.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { Liquidation } from '../../tables/generated/liquidation.js'

/**
 * Wallets that are not healthy, and positions that moved off the book. A step for one wallet does not visit the others.
 */
export class LiquidationTable {
  /** A binary heap by deadline: the parent of a row is never due later. */
  readonly rows: Liquidation[] = []
  /** Number of auctions begun so far. */
  auctionCount = 0
  /** `markVersion` of each underlying when its wallets were last noted for the check. */
  readonly seenMarks = new Float64Array(underlyingsMax)
  /** Number of wallets that the batch may still check; set when it begins, so not state. */
  checksLeft = 0
  /** Number of positions of re-marked wallets that the batch may still check, likewise. */
  positionsLeft = 0
  /** Positions moved off the book that matchers must receive: account and instrument alternately. */
  readonly moved: number[] = []
  /** By account: index of its row plus 1, 0 while the wallet is healthy. */
  #places = new Int32Array(64)
  readonly #hash: StateHash
  readonly #cell = new HashCell(HashKind.Liquidations, {
    save: (sink) => sink.f64(this.auctionCount),
  })

  constructor(hash: StateHash) {
    this.#hash = hash
    hash.note(this.#cell)
  }

  /** Earliest deadline of a row. */
  get nextMillis(): number {
    return this.rows.length === 0 ? Number.POSITIVE_INFINITY : this.rows[0].deadlineMillis
  }

  /** Returns the wallet's row, or null while it is healthy. */
  find(account: number): Liquidation | null {
    if (account >= this.#places.length) return null
    const place = this.#places[account]
    return place === 0 ? null : this.rows[place - 1]
  }

  /** Returns the rows by account, independent of history. */
  byAccount(): Liquidation[] {
    return this.rows.toSorted((one, other) => one.account - other.account)
  }

  /** Adds the row of a wallet that was healthy. */
  add(account: number): Liquidation {
    const row = new Liquidation(account)
    this.#append(row)
    return row
  }

  #append(row: Liquidation): void {
    // The existing row would stay in the heap and also act for the wallet.
    assert(row.account >= 0 && this.find(row.account) === null, 'liquidation: a wallet has one row')
    if (row.account >= this.#places.length) {
      const length = Math.max(row.account + 1, this.#places.length * 2)
      this.#places = grown(this.#places, new Int32Array(length))
    }
    this.rows.push(row)
    this.#hash.note(row.cell)
    this.#put(row, this.rows.length - 1)
  }

  /** Removes the row of a wallet that is healthy again. */
  remove(row: Liquidation): void {
    this.#assertOwn(row)
    this.#hash.drop(row.cell)
    this.#places[row.account] = 0
    const last = this.rows.pop()
    if (last === undefined || last === row) return
    this.#put(last, row.place)
    this.#sift(last)
  }

  /** Changes a row, and notes it for the hash. */
  amend(row: Liquidation, change: (row: Liquidation) => void): void {
    this.#assertOwn(row)
    change(row)
    this.#hash.note(row.cell)
  }

  /** Returns the number of the next auction. */
  nextAuction(): number {
    this.#hash.note(this.#cell)
    return ++this.auctionCount
  }

  /** Skips the numbers of auctions that were lost with the journal. */
  passAuctions(count: number): void {
    if (count <= this.auctionCount) return
    this.auctionCount = count
    this.#hash.note(this.#cell)
  }

  setDeadline(row: Liquidation, millis: number): void {
    this.#assertOwn(row)
    assert(!Number.isNaN(millis), 'liquidation: the deadline is a number')
    row.deadlineMillis = millis
    this.#hash.note(row.cell)
    this.#sift(row)
  }

  #assertOwn(row: Liquidation): void {
    assert(this.find(row.account) === row, 'liquidation: the row exists')
  }

  /** Moves a row up or down the heap, by its deadline. */
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

  save(sink: StateSink): void {
    sink.f64(this.auctionCount)
    sink.i32(this.rows.length)
    for (const row of this.byAccount()) row.save(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    this.auctionCount = reader.f64()
    this.#hash.note(this.#cell)
    for (let i = reader.i32(); i > 0; i--) {
      const row = Liquidation.load(reader)
      this.#append(row)
      this.#sift(row)
    }
  }
}
