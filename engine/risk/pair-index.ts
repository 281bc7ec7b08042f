import { assert } from '../../schemas/assert.js'

const emptyCell = -1

/**
 * Open-addressing hash index from a pair of integers to a row of the caller's columns. It stores rows only and compares
 * keys with the columns, so each key exists once. Linear probing. A removal shifts the following cells back, so there
 * are no tombstones and lookups do not degrade.
 */
export class PairIndex {
  #cells = new Int32Array(256).fill(emptyCell)
  #mask = 255
  #count = 0

  /** @returns the row whose keys are `a` and `b`, or -1. */
  find(a: number, b: number, keysA: Int32Array, keysB: Int32Array): number {
    let cell = hashOf(a, b) & this.#mask
    for (;;) {
      const row = this.#cells[cell]
      if (row === emptyCell) return -1
      if (keysA[row] === a && keysB[row] === b) return row
      cell = (cell + 1) & this.#mask
    }
  }

  /** Reads the cell where a search for the pair starts, to prefetch its cache line. */
  warm(a: number, b: number): number {
    return this.#cells[hashOf(a, b) & this.#mask]
  }

  /** Adds a row whose keys are already in the columns and were not found. */
  add(row: number, keysA: Int32Array, keysB: Int32Array): void {
    if (2 * (this.#count + 1) > this.#cells.length) this.#grow(keysA, keysB)
    this.#put(row, keysA, keysB)
    this.#count++
  }

  /** Removes a row whose keys are still in the columns. */
  remove(row: number, keysA: Int32Array, keysB: Int32Array): void {
    const cells = this.#cells
    const mask = this.#mask
    let hole = hashOf(keysA[row], keysB[row]) & mask
    while (cells[hole] !== row) {
      // Without this assertion the search would never end.
      assert(cells[hole] !== emptyCell, 'pair index: the removed row exists')
      hole = (hole + 1) & mask
    }
    for (let cell = (hole + 1) & mask; cells[cell] !== emptyCell; cell = (cell + 1) & mask) {
      const home = hashOf(keysA[cells[cell]], keysB[cells[cell]]) & mask
      if (((cell - home) & mask) < ((cell - hole) & mask)) continue
      cells[hole] = cells[cell]
      hole = cell
    }
    cells[hole] = emptyCell
    this.#count--
  }

  #put(row: number, keysA: Int32Array, keysB: Int32Array): void {
    let cell = hashOf(keysA[row], keysB[row]) & this.#mask
    while (this.#cells[cell] !== emptyCell) cell = (cell + 1) & this.#mask
    this.#cells[cell] = row
  }

  #grow(keysA: Int32Array, keysB: Int32Array): void {
    const old = this.#cells
    this.#cells = new Int32Array(old.length * 2).fill(emptyCell)
    this.#mask = this.#cells.length - 1
    for (const row of old) if (row !== emptyCell) this.#put(row, keysA, keysB)
  }
}

// Multiply-xorshift with constants of MurmurHash3's finaliser.
function hashOf(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ b
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
