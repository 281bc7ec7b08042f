import {
  type ExchangeMemory,
  quoteReaders,
  wakeupOf,
} from '../../../engine/memory/exchange-memory.js'
import { QuoteBoard } from '../../quotes/quote-board.js'
import { QuoteFollower } from '../../quotes/quote-follower.js'

/** Indicative quotes of all gateways. They are not ordered relative to events: a row may precede its listing. */
export class QuoteViews {
  readonly board = new QuoteBoard()
  readonly #followers: readonly QuoteFollower[]

  /**
   * @param isOver Returns true if an instrument is no longer quoted.
   * @param onQuotes Called for instruments whose quotes changed.
   */
  constructor(
    memory: ExchangeMemory,
    isOver: (instrument: number) => boolean,
    onQuotes: (instrument: number) => void,
  ) {
    const { board } = this
    board.observer = { onQuotes, onPublished() {} }
    this.#followers = memory.quoteLogs.map((_, log) => {
      const writer = wakeupOf.gateway(log)
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

  /** Applies new records. @returns Their number. */
  take(): number {
    let count = 0
    for (const follower of this.#followers) count += follower.take()
    return count
  }

  /** Number of times that records were lost and had to be repeated. */
  get lapped(): number {
    return this.#followers.reduce((sum, { lapped }) => sum + lapped, 0)
  }
}
