import { assert } from '../../../schemas/assert.js'

/** Whether one row stands before another: a strict order of all rows, which nothing changes while they are ranked. */
type StandsBefore = (row: number, other: number) => boolean

const blockRowsMax = 512

/**
 * Rows in the order of something, with the place of each: a sorted array in blocks, so that a change moves some hundred
 * numbers at most, and a place is the sum of the blocks before it. With 100,000 rows there are a few hundred blocks.
 */
export class RankedRows {
  readonly #standsBefore: StandsBefore
  /** None is empty but the only one. */
  #blocks: Int32Array[] = [new Int32Array(blockRowsMax)]
  #counts: number[] = [0]
  #count = 0

  constructor(standsBefore: StandsBefore) {
    this.#standsBefore = standsBefore
  }

  get count(): number {
    return this.#count
  }

  /** Begins anew with these rows. */
  fill(rows: Int32Array): void {
    const before = this.#standsBefore
    const sorted = rows.slice().sort((a, b) => (a === b ? 0 : before(a, b) ? -1 : 1))
    this.#blocks = []
    this.#counts = []
    this.#count = rows.length
    const half = blockRowsMax / 2
    for (let from = 0; from === 0 || from < sorted.length; from += half) {
      const part = sorted.subarray(from, from + half)
      const block = new Int32Array(blockRowsMax)
      block.set(part)
      this.#blocks.push(block)
      this.#counts.push(part.length)
    }
  }

  /** Takes in a row that is not ranked. */
  add(row: number): void {
    const place = this.#blockOf(row)
    const block = this.#blocks[place]!
    const count = this.#counts[place]!
    const at = this.#placeIn(place, row)
    block.copyWithin(at + 1, at, count)
    block[at] = row
    this.#counts[place] = count + 1
    this.#count++
    if (count + 1 === blockRowsMax) this.#split(place)
  }

  /** Takes out a row that is ranked, by the values that it was ranked with. */
  remove(row: number): void {
    const place = this.#blockOf(row)
    const block = this.#blocks[place]!
    const count = this.#counts[place]!
    const at = this.#placeIn(place, row)
    assert(at < count && block[at] === row, 'standings: a row stands where it was ranked')
    block.copyWithin(at, at + 1, count)
    this.#counts[place] = count - 1
    this.#count--
    if (count > 1 || this.#blocks.length === 1) return
    this.#blocks.splice(place, 1)
    this.#counts.splice(place, 1)
  }

  /** Places of a ranked row, from 0. */
  placeOf(row: number): number {
    const last = this.#blockOf(row)
    let place = this.#placeIn(last, row)
    for (let block = 0; block < last; block++) place += this.#counts[block]!
    return place
  }

  /** Rows from a place on, at most so many. */
  slice(from: number, rowsMax: number): number[] {
    const rows: number[] = []
    let skipped = 0
    for (let block = 0; block < this.#blocks.length && rows.length < rowsMax; block++) {
      const count = this.#counts[block]!
      const first = Math.max(0, from - skipped)
      for (let at = first; at < count && rows.length < rowsMax; at++) {
        rows.push(this.#blocks[block]![at]!)
      }
      skipped += count
    }
    return rows
  }

  /** The block that the row stands in, or would: the last one that does not begin behind it. */
  #blockOf(row: number): number {
    const before = this.#standsBefore
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (before(row, this.#blocks[middle]![0]!)) high = middle - 1
      else low = middle
    }
    return low
  }

  /** Where in its block: in front of the first row that does not stand before it. */
  #placeIn(place: number, row: number): number {
    const before = this.#standsBefore
    const block = this.#blocks[place]!
    let low = 0
    let high = this.#counts[place]!
    while (low < high) {
      const middle = (low + high) >> 1
      if (before(block[middle]!, row)) low = middle + 1
      else high = middle
    }
    return low
  }

  #split(place: number): void {
    const half = blockRowsMax / 2
    const block = this.#blocks[place]!
    const behind = new Int32Array(blockRowsMax)
    behind.set(block.subarray(half))
    this.#blocks.splice(place + 1, 0, behind)
    this.#counts.splice(place, 1, half, half)
  }
}
