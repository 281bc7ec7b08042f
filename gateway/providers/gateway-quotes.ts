import {
  doorbellOf,
  type ExchangeMemory,
  quoteReaders,
} from '../../engine/memory/exchange-memory.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { QuoteBoard } from '../quotes/quote-board.js'
import { QuoteFollower } from '../quotes/quote-follower.js'
import { QuoteLog } from '../quotes/quote-log.js'
import { RowsAgainst } from '../quotes/rows-against.js'
import { QuotableInstruments } from './quotable-instruments.js'
import { QuoteDesk } from './quote-desk.js'

/** Indicative quotes as one gateway thread has them: its own providers' and, by their logs, those of the others. */
export class GatewayQuotes {
  readonly board = new QuoteBoard()
  readonly instruments = new QuotableInstruments()
  /** What providers show against a new order. */
  readonly against = new RowsAgainst(this.board, (symbol) => this.instruments.find(symbol))
  readonly desk: QuoteDesk
  readonly #followers: readonly QuoteFollower[]

  /** @param onQuotes hears of instruments whose quotes have changed. */
  constructor(
    memory: ExchangeMemory,
    gateway: number,
    ttlMillis: number,
    onQuotes: (instrument: number) => void,
  ) {
    const { board, instruments } = this
    this.desk = new QuoteDesk(board, new QuoteLog(memory, gateway), ttlMillis)
    board.observer = { onQuotes, onPublished: (scope) => this.desk.onPublished(scope) }
    this.#followers = memory.quoteLogs.flatMap((_, log) => {
      if (log === gateway) return []
      const reader = quoteReaders.gateway(gateway)
      const isOver = (instrument: number) => instruments.isOver(instrument)
      const writer = doorbellOf.gateway(log)
      return [new QuoteFollower({ memory, log, reader, writer, board, isOver })]
    })
  }

  /** Whether the log of another gateway has something new. */
  hasNext(): boolean {
    return this.#followers.some((follower) => follower.hasNext())
  }

  /** Takes what is new in the logs of the others. @returns how many records. */
  take(): number {
    let count = 0
    for (const follower of this.#followers) count += follower.take()
    if (count > 0) this.desk.commit()
    return count + this.desk.retell()
  }

  /** Times that records of other gateways were lost, to be told once more. */
  get lapped(): number {
    return this.#followers.reduce((sum, { lapped }) => sum + lapped, 0)
  }

  onInstrument(event: InstrumentEvent): void {
    if (!this.instruments.take(event)) return
    this.desk.removeInstrument(event.instrument)
    this.board.removeInstrument(event.instrument)
    this.desk.commit()
  }

  /** How a provider stands. @param sessions that it has, on all gateways: without any its rows go. */
  onProvider(wallet: string, account: number, sessions: number): void {
    this.board.setAccount(wallet, account)
    if (sessions > 0) return
    this.desk.closeWallet(wallet)
    this.desk.commit()
  }

  /** All sessions have ended, and what is known of instruments may have been no event. */
  clear(): void {
    this.desk.closeAll()
    this.desk.commit()
    this.instruments.clear()
    this.board.clearAccounts()
  }

  tick(nowMillis: number): void {
    this.desk.expire(nowMillis)
    this.desk.retell()
    this.desk.commit()
  }
}
