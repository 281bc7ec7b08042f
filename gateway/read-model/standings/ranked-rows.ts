import { assert } from '../../../schemas/assert.js'

/** Returns true if a row precedes another: a strict order of all rows, which must not change while they are ranked. */
type Precedes = (row: number, other: number) => boolean

const blockRowsMax = 512

/**
 * Rows in a given order, with the index of each: a sorted array in blocks, so that a change moves at most some hundred
 * numbers, and an index is the sum of the preceding blocks. 100,000 rows take a few hundred blocks.
 */
export class RankedRows {
  readonly #precedes: Precedes
  /** Only the sole block may be empty. */
  #blocks: Int32Array[] = [new Int32Array(blockRowsMax)]
  #counts: number[] = [0]
  #count = 0

  constructor(precedes: Precedes) {
    this.#precedes = precedes
  }

  get count(): number {
    return this.#count
  }

  /** Replaces all rows. */
  fill(rows: Int32Array): void {
    const before = this.#precedes
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

  /** Adds a row that is not ranked. */
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

  /** Removes a ranked row, whose values must be those that it was ranked with. */
  remove(row: number): void {
    const place = this.#blockOf(row)
    const block = this.#blocks[place]!
    const count = this.#counts[place]!
    const at = this.#placeIn(place, row)
    assert(at < count && block[at] === row, 'standings: a row is where it was ranked')
    block.copyWithin(at, at + 1, count)
    this.#counts[place] = count - 1
    this.#count--
    if (count > 1 || this.#blocks.length === 1) return
    this.#blocks.splice(place, 1)
    this.#counts.splice(place, 1)
  }

  /** Returns the index of a ranked row, from 0. */
  placeOf(row: number): number {
    const last = this.#blockOf(row)
    let place = this.#placeIn(last, row)
    for (let block = 0; block < last; block++) place += this.#counts[block]!
    return place
  }

  /** Returns at most `rowsMax` rows from an index on. */
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

  /** Returns the block of a row, or where it would be: the last one that does not begin after it. */
  #blockOf(row: number): number {
    const before = this.#precedes
    let low = 0
    let high = this.#blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (before(row, this.#blocks[middle]![0]!)) high = middle - 1
      else low = middle
    }
    return low
  }

  /** Returns the position in a block: before the first row that does not precede it. */
  #placeIn(place: number, row: number): number {
    const before = this.#precedes
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
    const upper = new Int32Array(blockRowsMax)
    upper.set(block.subarray(half))
    this.#blocks.splice(place + 1, 0, upper)
    this.#counts.splice(place, 1, half, half)
  }
}
