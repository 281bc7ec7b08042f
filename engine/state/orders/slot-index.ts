import { assert } from '../../../schemas/assert.js'
import { touched } from '../../memory/touched.js'

const emptyCell = 0

/**
 * Open addressing from a hash to the slot of an order. A cell holds the hash next to the slot, so searches and removals
 * read only the index. The memory of an order is read only if its hash is equal. Linear probing; a removal shifts later
 * cells back.
 *
 *   cell     | hash | slot + 1, 0: empty |
 */
export class SlotIndex {
  count = 0
  /**
   * Number of cells: a power of two, or three quarters of one, so that a large index grows by less than its own size.
   */
  #size = 4096
  #cells = new Int32Array(2 * 4096)

  /** Returns the first cell to check for a hash. */
  begin(hash: number): number {
    return this.#search(hash, this.#homeOf(hash))
  }

  /** Prefetches the line where a search for this hash begins; returns a word of it. */
  prefetch(hash: number): number {
    return this.#cells[2 * this.#homeOf(hash)]
  }

  /** Returns the next cell to check if the order of `cell` only has the same hash. */
  next(hash: number, cell: number): number {
    return this.#search(hash, this.#after(cell))
  }

  /** Returns the slot in a cell, or -1: then the search ends, and the hash belongs here. */
  slotAt(cell: number): number {
    return this.#cells[2 * cell + 1] - 1
  }

  /** Writes a slot to the cell where a search ended: an empty one, or one with the same hash. */
  put(cell: number, hash: number, slot: number): void {
    const isNew = this.#cells[2 * cell + 1] === emptyCell
    assert(isNew || this.#cells[2 * cell] === hash, 'slot index: a cell keeps its hash')
    this.#cells[2 * cell] = hash
    this.#cells[2 * cell + 1] = slot + 1
    if (!isNew) return
    this.count++
    if (this.#isCrowdedBy(this.count)) this.#grow()
  }

  /** Allocates at once the memory of `count` slots. */
  reserve(count: number): void {
    while (this.#isCrowdedBy(count)) this.#grow()
    touched(this.#cells)
  }

  /** Empties a cell, and shifts later cells of its run back. */
  remove(cell: number): void {
    const cells = this.#cells
    assert(cells[2 * cell + 1] !== emptyCell, 'slot index: the removed slot exists')
    let hole = cell
    let place = cell
    for (;;) {
      place = this.#after(place)
      if (cells[2 * place + 1] === emptyCell) break
      const home = this.#homeOf(cells[2 * place])
      if (this.#distance(home, place) < this.#distance(hole, place)) continue
      cells[2 * hole] = cells[2 * place]
      cells[2 * hole + 1] = cells[2 * place + 1]
      hole = place
    }
    cells[2 * hole + 1] = emptyCell
    this.count--
  }

  /** Returns the cell with this hash, or the empty cell that ends its run, from `cell` on. */
  #search(hash: number, from: number): number {
    const cells = this.#cells
    let cell = from
    while (cells[2 * cell + 1] !== emptyCell && cells[2 * cell] !== hash) cell = this.#after(cell)
    return cell
  }

  #homeOf(hash: number): number {
    // Without the sign, so that the remainder stays a small integer.
    return (hash >>> 1) % this.#size
  }

  #after(cell: number): number {
    return cell + 1 === this.#size ? 0 : cell + 1
  }

  /** Returns the number of steps from one cell to another. */
  #distance(from: number, to: number): number {
    return to >= from ? to - from : to - from + this.#size
  }

  /** Up to a load of four fifths, the cells that a search checks are in one or two cache lines. */
  #isCrowdedBy(count: number): boolean {
    return count * 5 > this.#size * 4
  }

  #grow(): void {
    const before = this.#cells
    const isPowerOfTwo = (this.#size & (this.#size - 1)) === 0
    this.#size = isPowerOfTwo ? (this.#size / 2) * 3 : (this.#size / 3) * 4
    this.#cells = new Int32Array(2 * this.#size)
    for (let i = 0; i < before.length; i += 2) {
      if (before[i + 1] === emptyCell) continue
      let cell = this.#homeOf(before[i])
      while (this.#cells[2 * cell + 1] !== emptyCell) cell = this.#after(cell)
      this.#cells[2 * cell] = before[i]
      this.#cells[2 * cell + 1] = before[i + 1]
    }
  }
}
