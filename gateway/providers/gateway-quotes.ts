import { type ExchangeMemory, quoteReaders, wakeupOf } from '../../engine/memory/exchange-memory.js'
import type { InstrumentEvent } from '../../schemas/generated/events.js'
import { QuoteBoard } from '../quotes/quote-board.js'
import { QuoteFollower } from '../quotes/quote-follower.js'
import { QuoteLog } from '../quotes/quote-log.js'
import { RowsAgainst } from '../quotes/rows-against.js'
import { QuotableInstruments } from './quotable-instruments.js'
import { QuoteService } from './quote-service.js'

/** Indicative quotes of one gateway thread: its own providers' and, from the logs, those of other gateways. */
export class GatewayQuotes {
  readonly board = new QuoteBoard()
  readonly instruments = new QuotableInstruments()
  /** Provider rows that may trade against a new order. */
  readonly against = new RowsAgainst(this.board, (symbol) => this.instruments.find(symbol))
  readonly service: QuoteService
  readonly #followers: readonly QuoteFollower[]

  /**
   * @param onQuotes Called for instruments whose quotes changed.
   */
  constructor(
    memory: ExchangeMemory,
    gateway: number,
    ttlMillis: number,
    onQuotes: (instrument: number) => void,
  ) {
    const { board, instruments } = this
    this.service = new QuoteService(board, new QuoteLog(memory, gateway), ttlMillis)
    board.observer = { onQuotes, onPublished: (scope) => this.service.onPublished(scope) }
    this.#followers = memory.quoteLogs.flatMap((_, log) => {
      if (log === gateway) return []
      const reader = quoteReaders.gateway(gateway)
      const isOver = (instrument: number) => instruments.isOver(instrument)
      const writer = wakeupOf.gateway(log)
      return [new QuoteFollower({ memory, log, reader, writer, board, isOver })]
    })
  }

  /** True if the log of another gateway has new records. */
  hasNext(): boolean {
    return this.#followers.some((follower) => follower.hasNext())
  }

  /** Applies new records from the logs of other gateways. @returns Number of records processed. */
  take(): number {
    let count = 0
    for (const follower of this.#followers) count += follower.take()
    if (count > 0) this.service.commit()
    return count + this.service.resend()
  }

  /** Number of times that records of other gateways were lost and had to be repeated. */
  get lapped(): number {
    return this.#followers.reduce((sum, { lapped }) => sum + lapped, 0)
  }

  onInstrument(event: InstrumentEvent): void {
    if (!this.instruments.take(event)) return
    this.service.removeInstrument(event.instrument)
    this.board.removeInstrument(event.instrument)
    this.service.commit()
  }

  /** Applies a provider's state. @param sessions Number on all gateways; without any, its rows are removed. */
  onProvider(wallet: string, account: number, sessions: number): void {
    this.board.setAccount(wallet, account)
    if (sessions > 0) return
    this.service.closeWallet(wallet)
    this.service.commit()
  }

  /** Clears everything after all sessions have closed, because instruments may come from overwritten records. */
  clear(): void {
    this.service.closeAll()
    this.service.commit()
    this.instruments.clear()
    this.board.clearAccounts()
  }

  tick(nowMillis: number): void {
    this.service.expire(nowMillis)
    this.service.resend()
    this.service.commit()
  }
}
