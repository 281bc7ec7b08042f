import type { EventLogReader } from '../../../engine/memory/event-log.js'
import { EventType, PayoutsSeenEvent } from '../../../schemas/generated/events.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { type HistoryDatabase, progressUpdate } from './history-schema.js'
import {
  fills,
  instruments,
  liquidations,
  nonces,
  orderChanges,
  orders,
  payouts,
  trades,
  transfers,
} from './history-tables.js'
import { RowBatch } from './row-batch.js'

/**
 * The writer's statements. Every one may run twice without effect.
 */
export class HistoryStatements {
  readonly #order: RowBatch
  readonly #workingOrder: RowBatch
  readonly #trade: RowBatch
  readonly #nonce: RowBatch
  readonly #payout: RowBatch
  /** Of events that are a row by themselves, by their type. */
  readonly #rowsOf = new Map<number, RowBatch>()
  readonly #all: readonly RowBatch[]
  readonly #payoutSeen
  readonly #progress
  readonly #log: EventLogReader
  readonly #seen = new PayoutsSeenEvent()

  constructor(database: HistoryDatabase, log: EventLogReader) {
    this.#order = new RowBatch(database, orders)
    this.#workingOrder = new RowBatch(database, orders, orderChanges)
    this.#trade = new RowBatch(database, trades)
    this.#nonce = new RowBatch(database, nonces)
    this.#payout = new RowBatch(database, payouts)
    this.#rowsOf.set(EventType.Payout, this.#payout)
    this.#rowsOf.set(EventType.Fill, new RowBatch(database, fills))
    this.#rowsOf.set(EventType.Instrument, new RowBatch(database, instruments))
    this.#rowsOf.set(EventType.Account, new RowBatch(database, transfers))
    this.#rowsOf.set(EventType.Liquidation, new RowBatch(database, liquidations))
    const orderRows = [this.#order, this.#workingOrder, this.#nonce]
    this.#all = [...orderRows, this.#trade, ...this.#rowsOf.values()]
    this.#payoutSeen = database.prepare(
      'update payouts set is_seen = ? where payout_id = ? and wallet = ?',
    )
    this.#progress = database.prepare(progressUpdate)
    this.#log = log
  }

  /** An OrderUpdate. A bootstrap record changes a row only where the order went back with a loss. */
  order(at: number, isBootstrap: boolean): void {
    const rows = isBootstrap ? this.#workingOrder : this.#order
    rows.addEvent(this.#log, at)
  }

  /** An event that is a row by itself. @returns false when it is none. */
  event(type: number, at: number): boolean {
    return this.#rowsOf.get(type)?.addEvent(this.#log, at) ?? false
  }

  /** @param notionalMicros of the underlying, 0 when it is not known. */
  trade(at: number, underlying: number, notionalMicros: number): void {
    this.#trade.addEvent(this.#log, at, [underlying, notionalMicros])
  }

  /** Ids of other wallets' payouts, and of none, change nothing. */
  payoutsSeen(at: number): void {
    this.#payout.flush()
    const { u8, walletAt, seen, count } = this.#seen.over(this.#log, at)
    const wallet = formatAddress(u8, walletAt)
    for (let i = 0; i < count; i++) this.#payoutSeen.run(seen, this.#seen.ids(i), wallet)
  }

  /** Writes the rows of working orders that a start has told. */
  flushWorkingOrders(): void {
    this.#workingOrder.flush()
  }

  /** An Outcome that tells which nonce was burned; `seq` that is not below its own. */
  nonce(at: number, seq: number): void {
    this.#nonce.addEvent(this.#log, at, [seq])
  }

  /** The last statements of a transaction: what is left, and how far it came. */
  finish(lastSeq: number, lastMillis: number): void {
    for (const rows of this.#all) rows.flush()
    this.#progress.run(lastSeq, lastMillis)
  }
}
