import { assert } from '../../../schemas/assert.js'
import { finalOrdersKept } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import { touched } from '../../memory/touched.js'

const statesPerPage = 1 << 16
const statusBits = 4
const accountBits = 32 - statusBits
const statusMask = (1 << statusBits) - 1

assert(finalOrdersKept % statesPerPage === 0, 'final states: kept in whole pages')

/**
 * Status and account of the orders that ended before those whose facts are kept: one word each, by the order's counter
 * modulo `finalOrdersKept`; 0 if unknown. 28 bits of account are enough: a quarter of a billion wallets would need as
 * many kilobytes.
 *
 *  31                        4 3      0
 *  +--------------------------+--------+
 *  | account                  | status |
 *  +--------------------------+--------+
 */
export class FinalStates {
  /** Pages are allocated on first use, or by `reserve`. */
  readonly #pages: (Int32Array | undefined)[] = []

  /** Allocates the memory of all states, before there are any. */
  reserve(): void {
    for (let page = 0; page < finalOrdersKept / statesPerPage; page++) {
      this.#pages[page] ??= touched(new Int32Array(statesPerPage))
    }
  }

  /** Returns the final status at a position, `None` if unknown. */
  statusAt(place: number): number {
    const page = this.#pages[Math.floor(place / statesPerPage)]
    return page === undefined ? OrderStatus.None : page[place % statesPerPage] & statusMask
  }

  /** Returns the account at a position whose status is known. */
  accountAt(place: number): number {
    return this.#pages[Math.floor(place / statesPerPage)]![place % statesPerPage] >>> statusBits
  }

  set(place: number, status: number, account: number): void {
    assert(place >= 0 && place < finalOrdersKept, 'final states: the place is valid')
    assert(
      status <= statusMask && account >>> accountBits === 0,
      'final states: status and account fit their bits',
    )
    const page = (this.#pages[Math.floor(place / statesPerPage)] ??= new Int32Array(statesPerPage))
    page[place % statesPerPage] = (account << statusBits) | status
  }

  /**
   * Visits all known states by position, as runs of words with the position of their first word. A run may have zeros
   * inside, but neither first nor last.
   * @param visit its words are a view that is valid until the next change.
   */
  forEachRun(visit: (place: number, words: Int32Array) => void): void {
    for (const [page, words] of this.#pages.entries()) {
      if (words === undefined) continue
      let from = 0
      let to = words.length
      while (from < to && words[from] === 0) from++
      while (to > from && words[to - 1] === 0) to--
      if (from < to) visit(page * statesPerPage + from, words.subarray(from, to))
    }
  }

  /** Restores one word of a run. */
  restore(place: number, word: number): void {
    this.set(place, word & statusMask, word >>> statusBits)
  }
}
