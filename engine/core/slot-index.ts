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
  #cells = new Int32Array(2 * 4096)
  #mask = 4095

  /** First cell to look at for a hash. */
  begin(hash: number): number {
    return this.#search(hash, hash & this.#mask)
  }

  /** A word of the line where a search for this hash begins, for whoever wants it at hand. */
  warm(hash: number): number {
    return this.#cells[2 * (hash & this.#mask)]
  }

  /** The next one, when the order of `cell` only has the same hash. */
  next(hash: number, cell: number): number {
    return this.#search(hash, (cell + 1) & this.#mask)
  }

  /** Slot in a cell, or -1: then the search is over, and this is where the hash belongs. */
  slotAt(cell: number): number {
    return this.#cells[2 * cell + 1] - 1
  }

  /** Writes a slot to the cell in which a search ended: an empty one, or one with the same hash. */
  put(cell: number, hash: number, slot: number): void {
    const isNew = this.#cells[2 * cell + 1] === emptyCell
    this.#cells[2 * cell] = hash
    this.#cells[2 * cell + 1] = slot + 1
    if (!isNew) return
    this.count++
    // Three quarters: the cells that a search passes lie in a line or two.
    if (this.count * 4 > (this.#mask + 1) * 3) this.#grow()
  }

  /** Empties a cell. */
  remove(cell: number): void {
    const cells = this.#cells
    const mask = this.#mask
    let hole = cell
    let place = cell
    for (;;) {
      place = (place + 1) & mask
      if (cells[2 * place + 1] === emptyCell) break
      const home = cells[2 * place] & mask
      if (((place - home) & mask) < ((place - hole) & mask)) continue
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
    const mask = this.#mask
    let cell = from
    while (cells[2 * cell + 1] !== emptyCell && cells[2 * cell] !== hash) cell = (cell + 1) & mask
    return cell
  }

  #grow(): void {
    const before = this.#cells
    this.#cells = new Int32Array(before.length * 2)
    this.#mask = before.length - 1
    for (let i = 0; i < before.length; i += 2) {
      if (before[i + 1] === emptyCell) continue
      let cell = before[i] & this.#mask
      while (this.#cells[2 * cell + 1] !== emptyCell) cell = (cell + 1) & this.#mask
      this.#cells[2 * cell] = before[i]
      this.#cells[2 * cell + 1] = before[i + 1]
    }
  }
}
