import { auctionRowsMax } from '../../schemas/bounds.js'
import { Side } from '../../schemas/domain.js'
import type { QuoteBoard } from './quote-board.js'
import type { QuoteRow } from './quote-rows.js'
import { numbersOf } from './row-numbers.js'

/** What providers show against a new order. One serves a thread: it holds what was found last. */
export class RowsAgainst {
  /** Rows found. */
  count = 0
  readonly #board: QuoteBoard
  readonly #instrumentOf: (symbol: string) => number
  readonly #rows: QuoteRow[] = []
  readonly #prices = new Float64Array(auctionRowsMax)

  /** @param instrumentOf instrument of a symbol in any form; one without rows where there is none. */
  constructor(board: QuoteBoard, instrumentOf: (symbol: string) => number) {
    this.#board = board
    this.#instrumentOf = instrumentOf
  }

  /**
   * Finds the rows of providers that may trade with an order, the best price first, and only the best of too many: those
   * of other wallets that are not crossed and quote the side against it.
   * @param symbol as it came: a text that was made is dearer to look up.
   * @param wallet lower-case address of the order's own.
   * @returns whether there are any.
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

  /** Row at a place below `count`. */
  row(place: number): QuoteRow {
    return this.#rows[place]!
  }

  /** @param price the less, the better for the order. */
  #add(row: QuoteRow, price: number): void {
    const prices = this.#prices
    const isFull = this.count === auctionRowsMax
    if (isFull && price >= prices[auctionRowsMax - 1]!) return
    let place = isFull ? auctionRowsMax - 1 : this.count++
    for (; place > 0 && prices[place - 1]! > price; place--) {
      prices[place] = prices[place - 1]!
      this.#rows[place] = this.#rows[place - 1]!
    }
    prices[place] = price
    this.#rows[place] = row
  }
}
