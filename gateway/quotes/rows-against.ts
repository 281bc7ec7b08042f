import { auctionRowsMax } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import type { QuoteBoard } from './quote-board.js'
import type { QuoteRow } from './quote-rows.js'
import { numbersOf } from './row-numbers.js'

/** Provider rows that may trade against a new order. Each thread has one, which holds the last result. */
export class RowsAgainst {
  /** Number of rows found. */
  count = 0
  readonly #board: QuoteBoard
  readonly #instrumentOf: (symbol: string) => number
  readonly #rows: QuoteRow[] = []
  readonly #prices = new Float64Array(auctionRowsMax)

  /**
   * @param instrumentOf Returns the instrument of a symbol in any form; if there is none, one without rows.
   */
  constructor(board: QuoteBoard, instrumentOf: (symbol: string) => number) {
    this.#board = board
    this.#instrumentOf = instrumentOf
  }

  /**
   * Finds the provider rows that may trade with an order, best price first, limited to the best ones: rows of other
   * wallets that are not crossed and quote the opposite side.
   * @param symbol As received: a formatted text is slower to look up.
   * @param wallet Lower-case address of the order's wallet.
   * @returns True if there are any.
   */
  find(symbol: string, side: Side, wallet: string): boolean {
    this.count = 0
    if (this.#board.rowCount === 0) return false
    const rows = this.#board.allRowsOf(this.#instrumentOf(symbol))
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!
      if (row.isHidden || row.scope.wallet === wallet || row.scope.owner!.account < 0) continue
      const { askMicros, bidMicros } = numbersOf(row)
      if (side === Side.Buy ? askMicros > 0 : bidMicros > 0) {
        this.#add(row, side === Side.Buy ? askMicros : -bidMicros)
      }
    }
    return this.count > 0
  }

  /** Returns the row at an index below `count`. */
  row(index: number): QuoteRow {
    return this.#rows[index]!
  }

  /**
   * @param price Lower is better for the order.
   */
  #add(row: QuoteRow, price: number): void {
    const prices = this.#prices
    const isFull = this.count === auctionRowsMax
    if (isFull && price >= prices[auctionRowsMax - 1]!) return
    let index = isFull ? auctionRowsMax - 1 : this.count++
    for (; index > 0 && prices[index - 1]! > price; index--) {
      prices[index] = prices[index - 1]!
      this.#rows[index] = this.#rows[index - 1]!
    }
    prices[index] = price
    this.#rows[index] = row
  }
}
