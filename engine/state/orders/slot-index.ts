import { assert } from '../../../schemas/assert.js'
import { touched } from '../../memory/touched.js'

const emptyCell = 0

/**
 * Open addressing from the hash of something to the slot of its order. A cell holds the hash beside the slot, so
 * that a search and a removal look at the index alone: of all the orders that they pass, the only one whose own
 * memory is read is the one with the very same hash. Linear probing; a removal shifts the followers back.
 *
 *   cell     | hash | slot + 1, 0: empty |
 */
export class SlotIndex {
  count = 0
  /** Places: a power of two, or three quarters of one, so that a large index grows by less than itself. */
  #size = 4096
  #cells = new Int32Array(2 * 4096)

  /** First cell to look at for a hash. */
  begin(hash: number): number {
    return this.#search(hash, this.#homeOf(hash))
  }

  /** A word of the line where a search for this hash begins, for whoever wants it at hand. */
  warm(hash: number): number {
    return this.#cells[2 * this.#homeOf(hash)]
  }

  /** The next one, when the order of `cell` only has the same hash. */
  next(hash: number, cell: number): number {
    return this.#search(hash, this.#behind(cell))
  }

  /** Slot in a cell, or -1: then the search is over, and this is where the hash belongs. */
  slotAt(cell: number): number {
    return this.#cells[2 * cell + 1] - 1
  }

  /** Writes a slot to the cell in which a search ended: an empty one, or one with the same hash. */
  put(cell: number, hash: number, slot: number): void {
    const isNew = this.#cells[2 * cell + 1] === emptyCell
    assert(isNew || this.#cells[2 * cell] === hash, 'slot index: a cell keeps its hash')
    this.#cells[2 * cell] = hash
    this.#cells[2 * cell + 1] = slot + 1
    if (!isNew) return
    this.count++
    if (this.#isCrowdedBy(this.count)) this.#grow()
  }

  /** Takes the memory of so many slots at once. */
  reserve(count: number): void {
    while (this.#isCrowdedBy(count)) this.#grow()
    touched(this.#cells)
  }

  /** Empties a cell. */
  remove(cell: number): void {
    const cells = this.#cells
    assert(cells[2 * cell + 1] !== emptyCell, 'slot index: the removed slot exists')
    let hole = cell
    let place = cell
    for (;;) {
      place = this.#behind(place)
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

  /** The cell with this hash, or the empty one that ends its run, from `cell` on. */
  #search(hash: number, from: number): number {
    const cells = this.#cells
    let cell = from
    while (cells[2 * cell + 1] !== emptyCell && cells[2 * cell] !== hash) cell = this.#behind(cell)
    return cell
  }

  #homeOf(hash: number): number {
    // Without its sign, so that the remainder is one of small integers.
    return (hash >>> 1) % this.#size
  }

  #behind(cell: number): number {
    return cell + 1 === this.#size ? 0 : cell + 1
  }

  /** Steps from one cell on to another. */
  #distance(from: number, to: number): number {
    return to >= from ? to - from : to - from + this.#size
  }

  /** Four fifths: the cells that a search passes lie in a line or two. */
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
      while (this.#cells[2 * cell + 1] !== emptyCell) cell = this.#behind(cell)
      this.#cells[2 * cell] = before[i]
      this.#cells[2 * cell + 1] = before[i + 1]
    }
  }
}
