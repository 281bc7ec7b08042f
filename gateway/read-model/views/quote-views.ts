import {
  doorbellOf,
  type ExchangeMemory,
  quoteReaders,
} from '../../../engine/memory/exchange-memory.js'
import { QuoteBoard } from '../../quotes/quote-board.js'
import { QuoteFollower } from '../../quotes/quote-follower.js'

/** Indicative quotes of all gateways. They are in no order with the events: a row may come before its listing. */
export class QuoteViews {
  readonly board = new QuoteBoard()
  readonly #followers: readonly QuoteFollower[]

  /**
   * @param isOver whether an instrument is known to be quoted no longer.
   * @param onQuotes hears of instruments whose quotes have changed.
   */
  constructor(
    memory: ExchangeMemory,
    isOver: (instrument: number) => boolean,
    onQuotes: (instrument: number) => void,
  ) {
    const { board } = this
    board.observer = { onQuotes, onPublished() {} }
    this.#followers = memory.quoteLogs.map((_, log) => {
      const writer = doorbellOf.gateway(log)
      return new QuoteFollower({
        memory,
        log,
        reader: quoteReaders.readModel,
        writer,
        board,
        isOver,
      })
    })
  }

  /** Takes what is new. @returns how many records. */
  take(): number {
    let count = 0
    for (const follower of this.#followers) count += follower.take()
    return count
  }

  /** Times that records were lost, to be told once more. */
  get lapped(): number {
    return this.#followers.reduce((sum, { lapped }) => sum + lapped, 0)
  }
}
