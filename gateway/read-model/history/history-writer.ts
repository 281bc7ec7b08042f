import { CounterName, Counters } from '../../../engine/memory/counters.js'
import type { Duty } from '../../../engine/memory/duty.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import {
  type ExchangeMemory,
  logReaders,
  wakeupOf,
} from '../../../engine/memory/exchange-memory.js'
import { Wakeup } from '../../../engine/memory/wakeup.js'
import type { EngineConfig } from '../../../engine/state/market/engine-config.js'
import { lotsPerContract } from '../../../schemas/bounds.js'
import { OrderStatus } from '../../../schemas/domain.js'
import {
  AnyEvent,
  EventType,
  FillEvent,
  IndexPriceEvent,
  InstrumentEvent,
  OutcomeEvent,
  PayoutsSeenEvent,
  TradeEvent,
} from '../../../schemas/generated/events.js'
import { burnsNonce } from '../../../schemas/record-rules/events.js'
import { Signer } from '../../../schemas/record-values.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { CompetitionRecorder } from './competition-recorder.js'
import {
  checkpoint,
  type HistoryDatabase,
  openHistory,
  progressOf,
  progressUpdate,
  underlyingsOf,
} from './history-schema.js'
import {
  directiveChanges,
  directives,
  fills,
  instruments,
  liquidations,
  orders,
  payouts,
  referrals,
  rfqQuotes,
  rfqs,
  trades,
  transfers,
  unknownUnderlying,
} from './history-tables.js'
import { Lists } from './id-lists.js'
import { NonceLog } from './nonce-log.js'
import { OldRows } from './old-rows.js'
import { ProfitWriter } from './profit-sums.js'
import { cashChanges, moves } from './profit-tables.js'
import { RowBatch } from './row-batch.js'
import type { SelectAll } from './select.js'
import { rowsOfIds, selecting } from './stored-rows.js'
import { TheoRecorder } from './theo-recorder.js'

/** Maximum number of events in one transaction. Bounds the wait of a query for a commit, not the rate. */
export const eventsPerCommitMax = 16_384
/** Number of rows and changes at which the sums absorb them. */
const summedRowsMax = 32_768
/** Interval of checkpoints. Commits are not flushed, so a power failure can take this much of the store. */
const flushMillis = 1000

/**
 * Copies the event log into the history store. Its cursor moves after the commit, so it is the offset that the store
 * holds. The core waits for this reader only during recovery; later, a transaction that was lapped fails. Every
 * statement may run twice without effect.
 *
 * Recovery publishes events after the last snapshot again. The writer skips those below the sequence that the store
 * held when it was opened. It applies those at that sequence again, which changes nothing. The counter
 * `HistorySequence` is the last sequence on disk: the journal up to there may be archived.
 */
export class HistoryWriter implements Duty {
  readonly role = 'history'
  #log: EventLogReader
  readonly #event = new AnyEvent()
  readonly #outcome = new OutcomeEvent()
  readonly #highest = new OutcomeEvent()
  readonly #trade = new TradeEvent()
  readonly #fill = new FillEvent()
  readonly #index = new IndexPriceEvent()
  readonly #instrument = new InstrumentEvent()
  readonly #seen = new PayoutsSeenEvent()
  readonly #database: HistoryDatabase
  readonly #orders: RowBatch
  readonly #lists: Lists
  readonly #oldRows: OldRows
  /** True if more old rows remain after the latest transaction. */
  #hasOldRows = false
  readonly #trades: RowBatch
  readonly #fills: RowBatch
  readonly #nonces: NonceLog
  readonly #payouts: RowBatch
  /** Batches of events that map to one row, by type of the event. */
  readonly #rowsOf: ReadonlyMap<number, RowBatch>
  readonly #payoutSeen
  readonly #progress
  readonly #theos: TheoRecorder
  readonly #profits: ProfitWriter
  /** True if rows remain to be summed. A store may have many of them when it is opened. */
  #hasUnsummedRows = true
  /** Number of rows at the last absorption of sums. */
  #summedRows = 0
  readonly #cashChanges: RowBatch
  readonly #gateways: readonly Wakeup[]
  readonly #counters: Counters
  readonly #clock: () => number
  #flushedSeq: number
  #flushedMillis: number
  readonly #competitions: CompetitionRecorder
  readonly #heldSeq: number
  /** Last sequence of the previous log. The current log may repeat events up to it. */
  #passedSeq = -1
  #lastSeq: number
  #lastMillis: number
  #committedSeq: number
  #isBootstrap = false
  /** Indexed by instrument. Includes earlier runs, because recovery publishes trades before instruments. */
  readonly #underlyingOf: number[]
  readonly #indexMicros: number[] = []
  /** Offset of the newest update in the transaction, by order. Only that one is written. */
  readonly #updateOf = new Map<number, number>()
  /** The same for working orders in the bootstrap. */
  readonly #workingOf = new Map<number, number>()
  readonly #select: SelectAll

  /** Offset of the highest nonce in the transaction, by twice the account, plus 1 if an agent used it. */
  readonly #nonceOf = new Map<number, number>()

  /**
   * @param clock milliseconds of any origin; only times the checkpoints.
   * @param keepDays retention in days of engine time (`OldRows`); 0: unlimited.
   */
  constructor(
    memory: ExchangeMemory,
    dataDir: string,
    engine: EngineConfig,
    clock: () => number,
    keepDays = 0,
  ) {
    this.#log = new EventLogReader(memory.eventLog, logReaders.history)
    const database = openHistory(dataDir)
    this.#database = database
    this.#select = selecting(database)
    this.#orders = new RowBatch(database, orders)
    this.#lists = new Lists(database)
    this.#oldRows = new OldRows(database, keepDays)
    this.#trades = new RowBatch(database, trades)
    this.#fills = new RowBatch(database, fills)
    this.#nonces = new NonceLog(database)
    this.#payouts = new RowBatch(database, payouts)
    this.#rowsOf = new Map<number, RowBatch>([
      [EventType.Payout, this.#payouts],
      [EventType.Instrument, new RowBatch(database, instruments)],
      [EventType.Account, new RowBatch(database, transfers)],
      [EventType.Transfer, new RowBatch(database, moves)],
      [EventType.Directive, new RowBatch(database, directives, { updatesWhere: directiveChanges })],
      [EventType.Liquidation, new RowBatch(database, liquidations)],
      [EventType.Referral, new RowBatch(database, referrals)],
      [EventType.Rfq, new RowBatch(database, rfqs)],
      [EventType.RfqQuote, new RowBatch(database, rfqQuotes)],
    ])
    this.#payoutSeen = database.prepare(
      'update payouts set is_seen = ? where payout_id = ? and wallet = ?',
    )
    this.#progress = database.prepare(progressUpdate)
    this.#theos = new TheoRecorder(database, engine)
    this.#competitions = new CompetitionRecorder(database)
    this.#profits = new ProfitWriter(database)
    this.#cashChanges = new RowBatch(database, cashChanges)
    this.#underlyingOf = underlyingsOf(database)
    const { seq, millis } = progressOf(database)
    this.#heldSeq = seq
    this.#lastSeq = seq
    this.#lastMillis = millis
    this.#committedSeq = seq
    this.#gateways = Array.from(
      { length: memory.gateways },
      (_, index) => new Wakeup(memory.wakeups, wakeupOf.gateway(index)),
    )
    this.#counters = new Counters(memory.counters, wakeupOf.history)
    this.#clock = clock
    this.#flushedSeq = -1
    this.#flushedMillis = clock()
  }

  /** Sequence of the last committed event. */
  get lastSeq(): number {
    return this.#committedSeq
  }

  onStart(): void {
    this.#flush()
  }

  /** True if the standings lack events that the log no longer has. `HistoryRebuild` replays them from the journal. */
  get lacksStandings(): boolean {
    return this.#log.hasNext() && this.#competitions.hasGap
  }

  /** Continues with another log. Skips its events up to the last one applied. */
  follow(log: EventLogReader): void {
    this.#competitions.closeGap()
    this.#log = log
    this.#passedSeq = this.#lastSeq
  }

  /** Runs one transaction, and a checkpoint if it is due. @returns the number of events, plus 1 for deferred work. */
  doWork(): number {
    const isLate = this.#lists.isDue || this.#hasUnsummedRows || this.#hasOldRows
    const count = this.#log.hasNext() || isLate ? this.#applyAll() : 0
    if (this.#clock() - this.#flushedMillis >= flushMillis) this.#flush()
    return isLate ? count + 1 : count
  }

  /** Applies the remaining events, so that the store holds every durable event. */
  onClose(): void {
    try {
      while (this.#log.hasNext()) this.#applyAll()
      this.#transact(() => this.#absorbEverything())
      this.#flush()
    } finally {
      this.#database.close()
    }
  }

  /** Closes a store that failed. */
  abandon(): void {
    try {
      this.#database.close()
    } catch {
      // The store is discarded anyway.
    }
  }

  #applyAll(): number {
    let count = 0
    this.#transact(() => {
      for (let at = this.#log.next(); at >= 0; at = this.#log.next()) {
        this.#apply(at)
        count++
        if (count === eventsPerCommitMax) break
      }
      this.#writeRows()
      if (this.#log.lapped()) throw new Error('the event log was overwritten before it was read')
      this.#progress.run(this.#lastSeq, this.#lastMillis)
      this.#absorbDue()
      this.#hasOldRows = this.#oldRows.remove(this.#lastMillis)
    })
    this.#committedSeq = this.#lastSeq
    this.#log.release()
    for (const wakeup of this.#gateways) wakeup.ring()
    return count
  }

  /** Absorbs a part of the deferred rows. A query waits for a transaction, so each does only one part. */
  #absorbDue(): void {
    const { isDue, rows } = this.#lists
    if (isDue) this.#lists.absorb()
    else if (this.#hasUnsummedRows || rows - this.#summedRows >= summedRowsMax) {
      this.#hasUnsummedRows = !this.#profits.absorb()
      this.#summedRows = rows
    }
  }

  #absorbEverything(): void {
    this.#lists.absorbRest()
    this.#hasUnsummedRows = !this.#profits.absorb()
    this.#nonces.absorb()
  }

  #transact(work: () => void): void {
    // Takes the write lock first, so that a locked store fails before any event is taken from the log.
    this.#database.exec('begin immediate')
    try {
      work()
      this.#database.exec('commit')
    } catch (error) {
      // Without a rollback, a closed connection holds its lock until its statements are garbage-collected.
      if (this.#database.inTransaction) this.#database.exec('rollback')
      throw error
    }
  }

  #writeRows(): void {
    this.#writeWorking()
    for (const orderId of Float64Array.from(this.#updateOf.keys()).sort()) {
      this.#writeOrder(orderId, this.#updateOf.get(orderId)!)
    }
    for (const at of this.#nonceOf.values()) {
      this.#nonces.add(this.#outcome.over(this.#log, at), this.#lastSeq)
    }
    this.#nonces.flush()
    this.#theos.flush()
    this.#counters.add(CounterName.HistoryRows, this.#updateOf.size + this.#theos.rowsWritten)
    this.#theos.rowsWritten = 0
    this.#updateOf.clear()
    this.#nonceOf.clear()
    const own = [this.#orders, this.#fills, this.#trades, this.#cashChanges]
    const batches = [...own, ...this.#rowsOf.values()]
    for (const rows of batches) rows.flush()
    this.#competitions.flush()
  }

  /**
   * Writes working orders of the bootstrap, before their later updates. This changes a row only if a data loss returned
   * the order to an earlier state.
   */
  #writeWorking(): void {
    if (this.#workingOf.size === 0) return
    const rows = rowsOfIds(this.#select, orders, [...this.#workingOf.keys()])
    const known = new Map(rows.map((row) => [row.orderId, row]))
    for (const [orderId, at] of this.#workingOf) {
      const { facts } = this.#outcome.over(this.#log, at)
      const row = known.get(orderId)
      const isSame =
        row?.status === facts.status &&
        row.filledLots === facts.filledLots &&
        row.sizeLots === facts.sizeLots
      if (isSame) continue
      if (row?.isUnlisted === 0 && this.#lists.hasPassed(orderId)) {
        this.#lists.dropOrdersFrom(orderId)
      }
      this.#writeOrder(orderId, at)
    }
    this.#workingOf.clear()
  }

  #writeOrder(orderId: number, at: number): void {
    this.#lists.addPending(1)
    this.#orders.addEvent(this.#log, at, [this.#lists.hasPassed(orderId) ? 1 : 0])
  }

  #flush(): void {
    this.#flushedMillis = this.#clock()
    if (this.#flushedSeq === this.#lastSeq) return
    checkpoint(this.#database)
    this.#flushedSeq = this.#lastSeq
    this.#counters.set(CounterName.HistorySequence, this.#lastSeq)
  }

  #apply(at: number): void {
    const event = this.#event.over(this.#log, at)
    const { recordType: type, seq } = event
    if (seq <= this.#passedSeq) return
    if (type === EventType.BootstrapBegin) this.#isBootstrap = true
    if (type === EventType.BootstrapEnd) this.#isBootstrap = false
    if (type === EventType.IndexPrice) this.#noteIndex(at)
    if (type === EventType.Instrument) this.#noteInstrument(at)
    this.#theos.take(event)
    if (seq < this.#heldSeq) {
      if (this.#competitions.hasGap) this.#competitions.take(event, this.#isBootstrap)
      return
    }
    this.#store(type, at)
    // The events of a bootstrap share one sequence, and applying them again changes nothing.
    if (seq > this.#lastSeq || this.#isBootstrap || this.#competitions.hasGap) {
      this.#competitions.take(event, this.#isBootstrap)
    }
    if (seq <= this.#lastSeq) return
    // Sums must add each fill once, whereas a row may be written again.
    if (type === EventType.Fill) this.#profits.takeFill(this.#log, at)
    this.#lastSeq = seq
    this.#lastMillis = event.timeMillis
  }

  #store(type: number, at: number): void {
    if (type === EventType.OrderUpdate) {
      this.#noteUpdate(at)
      return
    }
    if (type === EventType.Outcome) {
      this.#noteNonce(at)
      return
    }
    if (type === EventType.Fill) this.#storeFill(at)
    else if (type === EventType.Trade) this.#storeTrade(at)
    else if (type === EventType.PayoutsSeen) this.#markSeen(at)
    else if (!this.#storeRow(type, at)) return
    this.#lists.addPending(1)
    this.#counters.add(CounterName.HistoryRows, 1)
  }

  /** Stores an event that maps to one row. @returns false if it has none. */
  #storeRow(type: number, at: number): boolean {
    const isChange = type === EventType.Account && this.#cashChanges.addEvent(this.#log, at)
    return (this.#rowsOf.get(type)?.addEvent(this.#log, at) ?? false) || isChange
  }

  /** Notes the update of an order. Rejected orders have no id, and are skipped. */
  #noteUpdate(at: number): void {
    const { orderId, status } = this.#outcome.over(this.#log, at).facts
    if (orderId === 0 || status === OrderStatus.Rejected) return
    const updates = this.#isBootstrap ? this.#workingOf : this.#updateOf
    updates.set(orderId, at)
  }

  #noteNonce(at: number): void {
    const outcome = this.#outcome.over(this.#log, at)
    if (!burnsNonce(outcome.command, outcome.result, outcome.flags)) return
    const isAgent = outcome.signer === Signer.Agent ? 1 : 0
    const key = 2 * outcome.account + isAgent
    const highestAt = this.#nonceOf.get(key)
    if (highestAt !== undefined) {
      const highest = this.#highest.over(this.#log, highestAt)
      if (isNonceBelow(outcome, highest)) return
    }
    this.#nonceOf.set(key, at)
  }

  #noteIndex(at: number): void {
    const { underlying, priceMicros } = this.#index.over(this.#log, at)
    this.#indexMicros[underlying] = priceMicros
  }

  #noteInstrument(at: number): void {
    const { instrument, underlying } = this.#instrument.over(this.#log, at)
    this.#underlyingOf[instrument] = underlying
  }

  #storeFill(at: number): void {
    const { instrument } = this.#fill.over(this.#log, at)
    this.#fills.addEvent(this.#log, at, [this.#underlyingOf[instrument] ?? unknownUnderlying])
  }

  // The notional is a statistic, not money of a wallet, so rounding a double to the nearest micro suffices. It is 0
  // while the index is unknown, between a restart and its bootstrap records.
  #storeTrade(at: number): void {
    const { instrument, sizeLots } = this.#trade.over(this.#log, at)
    const underlying = this.#underlyingOf[instrument] ?? unknownUnderlying
    const indexMicros = this.#indexMicros[underlying] ?? 0
    const notionalMicros = Math.round((indexMicros / lotsPerContract) * sizeLots)
    this.#trades.addEvent(this.#log, at, [underlying, notionalMicros])
  }

  /** Marks payouts as seen. Ids of other wallets' payouts and unknown ids change nothing. */
  #markSeen(at: number): void {
    this.#payouts.flush()
    const { u8, walletAt, seen, count } = this.#seen.over(this.#log, at)
    const wallet = formatAddress(u8, walletAt)
    for (let i = 0; i < count; i++) this.#payoutSeen.run(seen, this.#seen.ids(i), wallet)
  }
}

function isNonceBelow(one: OutcomeEvent, other: OutcomeEvent): boolean {
  if (one.nonceHigh !== other.nonceHigh) return one.nonceHigh >>> 0 < other.nonceHigh >>> 0
  return one.nonceLow >>> 0 < other.nonceLow >>> 0
}
