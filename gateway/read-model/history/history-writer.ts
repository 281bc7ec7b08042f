import { CounterName, Counters } from '../../../engine/memory/counters.js'
import { Doorbell } from '../../../engine/memory/doorbell.js'
import type { Duty } from '../../../engine/memory/duty.js'
import { EventLogReader } from '../../../engine/memory/event-log.js'
import {
  doorbellOf,
  type ExchangeMemory,
  logReaders,
} from '../../../engine/memory/exchange-memory.js'
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
import { ProfitKeeper } from './profit-sums.js'
import { cashChanges, moves } from './profit-tables.js'
import { RowBatch } from './row-batch.js'
import type { SelectAll } from './select.js'
import { rowsOfIds, selecting } from './stored-rows.js'
import { TheoRecorder } from './theo-recorder.js'

/** Events of one transaction: bounds the time that a query waits for a commit, not the rate. */
export const eventsPerCommitMax = 16_384
/** Number of rows and changes at which the sums absorb theirs. */
const summedRowsMax = 131_072
/** Commits are not flushed, checkpoints are: so much of the store may be behind the disk. */
const flushMillis = 1000

/**
 * Follows the event log into the history store. Its cursor moves after the commit, so the cursor is the offset that the
 * store holds. The core waits for it while it recovers, and later never: a transaction that was lapped fails. Every
 * statement may run twice without effect.
 *
 * Recovery publishes events after the last snapshot again. Those below the sequence that the store
 * held when it was opened are passed over; those at it are applied again, which changes nothing.
 * The counter `HistorySequence` tells how far the store is on disk: what is behind it in the
 * journal may be archived.
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
  /** There are more old rows than one transaction has removed. */
  #hasOldRows = false
  readonly #trades: RowBatch
  readonly #fills: RowBatch
  readonly #nonces: NonceLog
  readonly #payouts: RowBatch
  /** Of events that are a row by themselves, by their type. */
  readonly #rowsOf: ReadonlyMap<number, RowBatch>
  readonly #payoutSeen
  readonly #progress
  readonly #theos: TheoRecorder
  readonly #profits: ProfitKeeper
  /** There are more rows to sum up than one transaction has: a store from before may have many. */
  #hasProfits = true
  /** Number of rows at the last absorption of sums. */
  #summedRows = 0
  readonly #cashChanges: RowBatch
  readonly #gateways: readonly Doorbell[]
  readonly #counters: Counters
  readonly #clock: () => number
  #flushedSeq: number
  #flushedMillis: number
  readonly #competitions: CompetitionRecorder
  readonly #heldSeq: number
  /** What an earlier log has told up to here, this one may tell again. */
  #passedSeq = -1
  #lastSeq: number
  #lastMillis: number
  #committedSeq: number
  #isBootstrap = false
  /**
   * By instrument; of earlier runs too, because recovery tells trades before it tells instruments.
   */
  readonly #underlyingOf: number[]
  readonly #indexMicros: number[] = []
  /** Where the newest update of each order of the transaction stands: only that one is written. */
  readonly #updateOf = new Map<number, number>()
  /** The same of what a start tells of working orders. */
  readonly #workingOf = new Map<number, number>()
  readonly #select: SelectAll

  /** Where the highest nonce of the transaction stands, by account and whether an agent has used it. */
  readonly #nonceOf = new Map<number, number>()

  /**
   * @param clock milliseconds of any origin, for the rhythm of flushing only.
   * @param keepDays age of what goes (`OldRows`) by engine time; 0: all is kept.
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
    this.#profits = new ProfitKeeper(database)
    this.#cashChanges = new RowBatch(database, cashChanges)
    this.#underlyingOf = underlyingsOf(database)
    const { seq, millis } = progressOf(database)
    this.#heldSeq = seq
    this.#lastSeq = seq
    this.#lastMillis = millis
    this.#committedSeq = seq
    this.#gateways = Array.from(
      { length: memory.gateways },
      (_, index) => new Doorbell(memory.doorbells, doorbellOf.gateway(index)),
    )
    this.#counters = new Counters(memory.counters, doorbellOf.history)
    this.#clock = clock
    this.#flushedSeq = -1
    this.#flushedMillis = clock()
  }

  /** Sequence of the last event that the store has. */
  get lastSeq(): number {
    return this.#committedSeq
  }

  onStart(): void {
    this.#flush()
  }

  /** Whether standings lack what the log does not tell any more: `HistoryRebuild` has the journal tell it again. */
  get lacksStandings(): boolean {
    return this.#log.hasNext() && this.#competitions.hasGap
  }

  /** Goes on with another log, whose events it has up to the last one taken in. */
  follow(log: EventLogReader): void {
    this.#competitions.closeGap()
    this.#log = log
    this.#passedSeq = this.#lastSeq
  }

  /** One transaction, and a flush when it is time. @returns the number of events it took in. */
  doWork(): number {
    const isLate = this.#lists.isDue || this.#hasProfits || this.#hasOldRows
    const count = this.#log.hasNext() || isLate ? this.#takeAll() : 0
    if (this.#clock() - this.#flushedMillis >= flushMillis) this.#flush()
    return isLate ? count + 1 : count
  }

  /** Takes in what is left, so that the store holds everything that was ever durable. */
  onClose(): void {
    try {
      while (this.#log.hasNext()) this.#takeAll()
      this.#transact(() => this.#absorb())
      this.#flush()
    } finally {
      this.#database.close()
    }
  }

  /** Lets go of a store that failed. */
  abandon(): void {
    try {
      this.#database.close()
    } catch {
      // Nothing that is in it counts any more.
    }
  }

  #takeAll(): number {
    let count = 0
    this.#transact(() => {
      for (let at = this.#log.next(); at >= 0; at = this.#log.next()) {
        this.#take(at)
        count++
        if (count === eventsPerCommitMax) break
      }
      this.#writeRows()
      if (this.#log.lapped()) throw new Error('the event log has gone round meanwhile')
      this.#progress.run(this.#lastSeq, this.#lastMillis)
      this.#absorbOne()
      this.#hasOldRows = this.#oldRows.remove(this.#lastMillis)
    })
    this.#committedSeq = this.#lastSeq
    this.#log.release()
    for (const doorbell of this.#gateways) doorbell.ring()
    return count
  }

  /** What is late, a part of it a transaction: who asks for what has just been written waits for one. */
  #absorbOne(): void {
    const { isDue, rows } = this.#lists
    if (isDue) this.#lists.absorb()
    else if (this.#hasProfits || rows - this.#summedRows >= summedRowsMax) {
      this.#hasProfits = !this.#profits.absorb()
      this.#summedRows = rows
    }
  }

  #absorb(): void {
    this.#lists.absorbRest()
    this.#hasProfits = !this.#profits.absorb()
    this.#nonces.absorb()
  }

  #transact(work: () => void): void {
    // At once for writing: whoever keeps the store locked is met before anything was taken from the log.
    this.#database.exec('begin immediate')
    try {
      work()
      this.#database.exec('commit')
    } catch (error) {
      // A closed connection would go on holding its lock until its statements are collected.
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
   * What a start says of working orders, before what became of them since: it changes a row only where the order went back
   * with a loss.
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

  #take(at: number): void {
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
    // A bootstrap repeats, under one sequence, what is the same when it is taken again.
    if (seq > this.#lastSeq || this.#isBootstrap || this.#competitions.hasGap) {
      this.#competitions.take(event, this.#isBootstrap)
    }
    if (seq <= this.#lastSeq) return
    // A sum takes each fill once, where a row may be written again.
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
    else if (type === EventType.PayoutsSeen) this.#storeSeen(at)
    else if (!this.#storeRow(type, at)) return
    this.#lists.addPending(1)
    this.#counters.add(CounterName.HistoryRows, 1)
  }

  /** @returns whether the event has a row. */
  #storeRow(type: number, at: number): boolean {
    const isChange = type === EventType.Account && this.#cashChanges.addEvent(this.#log, at)
    return (this.#rowsOf.get(type)?.addEvent(this.#log, at) ?? false) || isChange
  }

  /** A rejected order has no id. */
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

  // The notional is a statistic, not money that anybody owns: the nearest micro of a double is
  // good enough, and 0 while the index is not known, which is so between a restart and its
  // bootstrap records.
  #storeTrade(at: number): void {
    const { instrument, sizeLots } = this.#trade.over(this.#log, at)
    const underlying = this.#underlyingOf[instrument] ?? unknownUnderlying
    const indexMicros = this.#indexMicros[underlying] ?? 0
    const notionalMicros = Math.round((indexMicros / lotsPerContract) * sizeLots)
    this.#trades.addEvent(this.#log, at, [underlying, notionalMicros])
  }

  /** Ids of other wallets' payouts, and of none, change nothing. */
  #storeSeen(at: number): void {
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
