import { ByteBuffer } from 'flatbuffers'
import type { EventLogReader } from '../../../engine/memory/event-log.js'
import { OrderFlag, OrderStatus } from '../../../schemas/domain.js'
import {
  accountDeltaMicrosAt,
  accountDepositIdAt,
  accountDepositIdBytesAt,
  accountWalletAt,
  eventBodyAt,
  eventMillisAt,
  eventSeqAt,
  factsBuilderAt,
  factsClientIdAt,
  factsClientIdBytesAt,
  factsCreatedMillisAt,
  factsFilledLotsAt,
  factsFilledMicrosAt,
  factsFlagsAt,
  factsInstrumentAt,
  factsOrderIdAt,
  factsPriceMicrosAt,
  factsSideAt,
  factsSizeLotsAt,
  factsStatusAt,
  factsTifAt,
  factsWalletAt,
  fillBuilderAt,
  fillBuilderFeeMicrosAt,
  fillFeeMicrosAt,
  fillFlagsAt,
  fillIdAt,
  fillInstrumentAt,
  fillIsTakerAt,
  fillOrderIdAt,
  fillPriceMicrosAt,
  fillRealizedMicrosAt,
  fillSideAt,
  fillSizeLotsAt,
  fillTradeIdAt,
  fillWalletAt,
  instrumentExpiryMillisAt,
  instrumentIdAt,
  instrumentListedMillisAt,
  instrumentStateAt,
  instrumentUnderlyingAt,
  outcomeFactsAt,
  outcomeNonceHighAt,
  outcomeNonceLowAt,
  outcomeResultAt,
  outcomeSignerAt,
  tradeMakerAt,
  tradeTakerAt,
} from '../../../schemas/events.js'
import { Trade } from '../../../schemas/generated/market-data/trade.js'
import {
  payoutBorneMicrosAt,
  payoutCostMicrosAt,
  payoutFeeMicrosAt,
  payoutIdAt,
  payoutInstrumentAt,
  payoutPayoffMicrosAt,
  payoutPositionLotsAt,
  payoutPriceMicrosAt,
  payoutValueMicrosAt,
  payoutWalletAt,
  seenEventCountAt,
  seenEventIdsAt,
  seenEventValueAt,
  seenEventWalletAt,
} from '../../../schemas/settlement.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { asciiAt, symbolAt, underlyingNameAt } from '../event-text.js'
import { liquidationFacts } from '../liquidation-facts.js'
import type { HistoryDatabase } from './history-schema.js'
import { RowBatch } from './row-batch.js'

const orderColumns =
  '(order_id, wallet, instrument, side, tif, flags, status, price_micros, size_lots, ' +
  'filled_lots, filled_micros, client_id, builder, result, created_millis, updated_millis)'
const orderUpdates =
  'status = excluded.status, filled_lots = excluded.filled_lots, size_lots = excluded.size_lots, ' +
  'filled_micros = excluded.filled_micros, result = excluded.result, ' +
  'updated_millis = excluded.updated_millis'

const isHigher = '(excluded.high, excluded.low) > (high, low)'
const nonceUpdates =
  `high = case when ${isHigher} then excluded.high else high end, ` +
  `low = case when ${isHigher} then excluded.low else low end, last_seq = excluded.last_seq`

/**
 * The writer's statements, and how an event becomes their values. Every one may run twice without
 * effect.
 */
export class HistoryStatements {
  readonly #order
  readonly #workingOrder
  readonly #fill
  readonly #trade
  readonly #instrument
  readonly #transfer
  readonly #payout
  readonly #payoutSeen
  readonly #liquidation
  readonly #nonce
  readonly #progress
  readonly #tradeView = new Trade()
  readonly #bytes: ByteBuffer
  readonly #log: EventLogReader

  constructor(database: HistoryDatabase, log: EventLogReader) {
    this.#order = new RowBatch(
      database,
      `insert into orders ${orderColumns}`,
      16,
      `on conflict (order_id) do update set ${orderUpdates}`,
    )
    this.#workingOrder = new RowBatch(
      database,
      `insert into orders ${orderColumns}`,
      16,
      `on conflict (order_id) do update set ${orderUpdates} where status <> excluded.status ` +
        'or filled_lots <> excluded.filled_lots or size_lots <> excluded.size_lots',
    )
    this.#fill = new RowBatch(database, 'insert or replace into fills', 14)
    this.#trade = new RowBatch(database, 'insert or replace into trades', 12)
    this.#instrument = database.prepare(
      `insert into instruments values (${places(7)}) ` +
        'on conflict (instrument_id) do update set state = excluded.state, ' +
        'expiry_millis = excluded.expiry_millis',
    )
    this.#transfer = database.prepare(`insert or replace into transfers values (${places(5)})`)
    this.#payout = new RowBatch(database, 'insert or replace into payouts', 12)
    this.#payoutSeen = database.prepare(
      'update payouts set is_seen = ? where payout_id = ? and wallet = ?',
    )
    this.#liquidation = database.prepare(
      `insert or replace into liquidations values (${places(19)})`,
    )
    this.#nonce = new RowBatch(
      database,
      'insert into nonces',
      5,
      `on conflict (wallet, signer) do update set ${nonceUpdates}`,
    )
    this.#progress = database.prepare('update progress set last_seq = ?, last_millis = ?')
    this.#log = log
    this.#bytes = new ByteBuffer(log.u8)
  }

  /** Of an OrderUpdate; 0: none, of a rejected one. */
  orderIdOf(at: number): number {
    return this.#log.f64[(at + outcomeFactsAt + factsOrderIdAt) >> 3]
  }

  /**
   * An OrderUpdate; a rejected order has no id and no row. A bootstrap record changes a row only where the order
   * went back with a loss.
   */
  order(at: number, isBootstrap: boolean): void {
    const { i32, f64, u8 } = this.#log
    const facts = at + outcomeFactsAt
    const orderId = this.orderIdOf(at)
    const status = i32[(facts + factsStatusAt) >> 2]
    if (orderId === 0 || status === OrderStatus.Rejected) return
    const flags = i32[(facts + factsFlagsAt) >> 2]
    const hasBuilder = (flags & OrderFlag.HasBuilder) !== 0
    const clientIdBytes = i32[(facts + factsClientIdBytesAt) >> 2]
    const rows = isBootstrap ? this.#workingOrder : this.#order
    rows.add(
      orderId,
      formatAddress(u8, facts + factsWalletAt),
      i32[(facts + factsInstrumentAt) >> 2],
      i32[(facts + factsSideAt) >> 2],
      i32[(facts + factsTifAt) >> 2],
      flags,
      status,
      f64[(facts + factsPriceMicrosAt) >> 3],
      f64[(facts + factsSizeLotsAt) >> 3],
      f64[(facts + factsFilledLotsAt) >> 3],
      f64[(facts + factsFilledMicrosAt) >> 3],
      asciiAt(this.#log, facts + factsClientIdAt, clientIdBytes),
      hasBuilder ? formatAddress(u8, facts + factsBuilderAt) : null,
      i32[(at + outcomeResultAt) >> 2],
      f64[(facts + factsCreatedMillisAt) >> 3],
      f64[(at + eventMillisAt) >> 3],
    )
  }

  fill(at: number): void {
    const { i32, f64, u8 } = this.#log
    const hasBuilder = (i32[(at + fillFlagsAt) >> 2] & OrderFlag.HasBuilder) !== 0
    this.#fill.add(
      f64[(at + fillIdAt) >> 3],
      f64[(at + fillTradeIdAt) >> 3],
      f64[(at + fillOrderIdAt) >> 3],
      formatAddress(u8, at + fillWalletAt),
      i32[(at + fillInstrumentAt) >> 2],
      i32[(at + fillSideAt) >> 2],
      f64[(at + fillPriceMicrosAt) >> 3],
      f64[(at + fillSizeLotsAt) >> 3],
      f64[(at + fillFeeMicrosAt) >> 3],
      f64[(at + fillRealizedMicrosAt) >> 3],
      i32[(at + fillIsTakerAt) >> 2],
      hasBuilder ? formatAddress(u8, at + fillBuilderAt) : null,
      f64[(at + fillBuilderFeeMicrosAt) >> 3],
      f64[(at + eventMillisAt) >> 3],
    )
  }

  /** @param notionalMicros of the underlying, 0 when it is not known. */
  trade(at: number, underlying: number, notionalMicros: number): void {
    const { f64, u8 } = this.#log
    const trade = this.#tradeView.__init(at + eventBodyAt, this.#bytes)
    this.#trade.add(
      trade.tradeId(),
      trade.instrument(),
      underlying,
      trade.priceMicros(),
      trade.sizeLots(),
      notionalMicros,
      trade.takerSide(),
      formatAddress(u8, at + tradeMakerAt),
      formatAddress(u8, at + tradeTakerAt),
      trade.makerFeeMicros(),
      trade.takerFeeMicros(),
      f64[(at + eventMillisAt) >> 3],
    )
  }

  payout(at: number): void {
    const { i32, f64, u8 } = this.#log
    this.#payout.add(
      f64[(at + payoutIdAt) >> 3],
      formatAddress(u8, at + payoutWalletAt),
      i32[(at + payoutInstrumentAt) >> 2],
      f64[(at + payoutPositionLotsAt) >> 3],
      f64[(at + payoutPayoffMicrosAt) >> 3],
      f64[(at + payoutValueMicrosAt) >> 3],
      f64[(at + payoutFeeMicrosAt) >> 3],
      f64[(at + payoutCostMicrosAt) >> 3],
      f64[(at + payoutPriceMicrosAt) >> 3],
      0,
      f64[(at + eventMillisAt) >> 3],
      f64[(at + payoutBorneMicrosAt) >> 3],
    )
  }

  /** Ids of other wallets' payouts, and of none, change nothing. */
  payoutsSeen(at: number): void {
    const { i32, f64, u8 } = this.#log
    this.#payout.flush()
    const wallet = formatAddress(u8, at + seenEventWalletAt)
    const isSeen = i32[(at + seenEventValueAt) >> 2]
    const count = i32[(at + seenEventCountAt) >> 2]
    const first = (at + seenEventIdsAt) >> 3
    for (let i = 0; i < count; i++) this.#payoutSeen.run(isSeen, f64[first + i], wallet)
  }

  instrument(at: number): void {
    const { i32, f64 } = this.#log
    this.#instrument.run(
      i32[(at + instrumentIdAt) >> 2],
      symbolAt(this.#log, at),
      underlyingNameAt(this.#log, at),
      i32[(at + instrumentUnderlyingAt) >> 2],
      i32[(at + instrumentStateAt) >> 2],
      f64[(at + instrumentExpiryMillisAt) >> 3],
      f64[(at + instrumentListedMillisAt) >> 3],
    )
  }

  /** An Account event that tells of a deposit. */
  deposit(at: number): void {
    const { i32, f64, u8 } = this.#log
    const depositIdBytes = i32[(at + accountDepositIdBytesAt) >> 2]
    this.#transfer.run(
      f64[(at + eventSeqAt) >> 3],
      formatAddress(u8, at + accountWalletAt),
      f64[(at + accountDeltaMicrosAt) >> 3],
      asciiAt(this.#log, at + accountDepositIdAt, depositIdBytes),
      f64[(at + eventMillisAt) >> 3],
    )
  }

  /** A Liquidation event that tells of a change of state. */
  liquidation(at: number): void {
    const facts = liquidationFacts(this.#log, at)
    this.#liquidation.run(
      facts.seq,
      facts.wallet,
      facts.beforeState,
      facts.beforeMode,
      facts.state,
      facts.mode,
      facts.marginMode,
      facts.equityMicros,
      facts.mmMicros,
      facts.auction,
      facts.neededMicros,
      facts.winner,
      facts.bonusMicros,
      facts.insuranceMicros,
      facts.deleveragedMicros,
      facts.uncoveredMicros,
      facts.feeMicros,
      facts.sharedMicros,
      facts.millis,
    )
  }

  /** Writes the rows of working orders that a start has told. */
  flushWorkingOrders(): void {
    this.#workingOrder.flush()
  }

  /** An Outcome that tells which nonce was burned; `seq` that is not below its own. */
  nonce(at: number, seq: number): void {
    const { i32, u32, u8 } = this.#log
    this.#nonce.add(
      formatAddress(u8, at + outcomeFactsAt + factsWalletAt),
      i32[(at + outcomeSignerAt) >> 2],
      u32[(at + outcomeNonceHighAt) >> 2],
      u32[(at + outcomeNonceLowAt) >> 2],
      seq,
    )
  }

  /** The last statements of a transaction: what is left, and how far it came. */
  finish(lastSeq: number, lastMillis: number): void {
    const orders = [this.#order, this.#workingOrder, this.#nonce]
    for (const rows of [...orders, this.#fill, this.#trade, this.#payout]) rows.flush()
    this.#progress.run(lastSeq, lastMillis)
  }
}

function places(count: number): string {
  return Array(count).fill('?').join(', ')
}
