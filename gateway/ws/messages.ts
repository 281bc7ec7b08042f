import type { EventLogReader } from '../../engine/memory/event-log.js'
import { mulDivHalfEven } from '../../engine/risk/money.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { OrderFlag, Side, sideNames } from '../../schemas/domain.js'
import {
  eventMillisAt,
  eventSeqAt,
  fillBuilderAt,
  fillBuilderFeeMicrosAt,
  fillClientIdAt,
  fillClientIdBytesAt,
  fillFeeMicrosAt,
  fillFlagsAt,
  fillIdAt,
  fillIsTakerAt,
  fillOrderIdAt,
  fillPriceMicrosAt,
  fillSideAt,
  fillSizeLotsAt,
  fillTradeIdAt,
  tradeIdAt,
  tradePriceMicrosAt,
  tradeSizeLotsAt,
  tradeTakerSideAt,
} from '../../schemas/events.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { resultRows } from '../../schemas/results.js'
import {
  payoutBorneMicrosAt,
  payoutCostMicrosAt,
  payoutFeeMicrosAt,
  payoutPayoffMicrosAt,
  payoutPositionLotsAt,
  payoutPriceMicrosAt,
  payoutValueMicrosAt,
} from '../../schemas/settlement.js'
import { instrumentTypeOf } from '../../schemas/symbol.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { Fault } from '../fault.js'
import { tifFields } from '../http/order-update.js'
import type { InstrumentName } from '../instrument-names.js'
import { RateLimitFault } from '../limits/rate-limit-fault.js'
import {
  type OutcomeNames,
  readFacts,
  readOutcome,
  readRejection,
  reasonOf,
  valuesOfFacts,
} from '../outcome.js'
import { asciiAt } from '../read-model/event-text.js'
import type { LevelBook } from '../read-model/views/level-book.js'

// Texts of the server's messages. Each is encoded once, however many connections get it.

/** What an Error says beside its message. */
export interface ErrorContext {
  readonly request_type?: string
  readonly channel?: string
  readonly rfq_id?: string
  readonly client_id?: string
  readonly nonce?: number | string
}

/** An index price as the last observation gave it. */
export interface IndexPrice {
  readonly underlying: string
  readonly priceMicros: number
  readonly observedMillis: number
}

const actionNames: Readonly<Record<number, string>> = {
  [InstrumentChange.Created]: 'Created',
  [InstrumentChange.Expired]: 'Expired',
  [InstrumentChange.Deleted]: 'Deleted',
}

export function encode(message: object): Uint8Array {
  return Buffer.from(JSON.stringify(message))
}

export function errorMessage(fault: Fault, context: ErrorContext): Uint8Array {
  const { code } = resultRows[fault.result]
  const limits = fault instanceof RateLimitFault ? fault.fields : {}
  const details = fault.details === null ? {} : { details: fault.details }
  return encode({ type: 'Error', message: fault.message, code, ...limits, ...details, ...context })
}

/** OrderUpdate of an OrderUpdate event. */
export function orderUpdateMessage(
  log: EventLogReader,
  at: number,
  names: OutcomeNames,
): Uint8Array {
  const outcome = readOutcome(log, at, names)
  const facts = readFacts(log, at, names.instruments)
  const rejection = readRejection(log, at)
  const values = { ...valuesOfFacts(facts), ...rejection?.values }
  const { reason, code, details } = reasonOf(outcome, () => values)
  const symbol = facts.instrument?.symbol ?? rejection?.symbol ?? ''
  return encode({
    type: 'OrderUpdate',
    order_id: facts.orderId === 0 ? null : facts.orderId,
    request: {
      price: facts.price,
      size: facts.size,
      symbol,
      side: facts.side,
      ...tifFields(facts.tif),
    },
    status: outcome.status,
    filled_size: formatLots(facts.filledLots),
    timestamp: outcome.timeMillis,
    reason,
    wallet_address: facts.wallet,
    instrument_type: instrumentTypeOf(symbol),
    // A refused cancel says nothing of the order, which goes on under its client id.
    client_id: facts.clientId === '' || rejection?.isCancel ? null : facts.clientId,
    ...(rejection === null ? {} : { nonce: rejection.nonce }),
    reason_code: code,
    details,
    mmp_triggered: outcome.isMmpTriggered,
    seq: outcome.seq,
  })
}

export function fillMessage(
  log: EventLogReader,
  at: number,
  wallet: string,
  symbol: string,
): Uint8Array {
  const { f64, i32, u8 } = log
  const hasBuilder = (i32[(at + fillFlagsAt) >> 2] & OrderFlag.HasBuilder) !== 0
  const clientId = asciiAt(log, at + fillClientIdAt, i32[(at + fillClientIdBytesAt) >> 2])
  return encode({
    type: 'Fill',
    order_id: f64[(at + fillOrderIdAt) >> 3],
    fill_id: f64[(at + fillIdAt) >> 3],
    symbol,
    side: sideNames[i32[(at + fillSideAt) >> 2]],
    price: formatMicros(f64[(at + fillPriceMicrosAt) >> 3]),
    size: formatLots(f64[(at + fillSizeLotsAt) >> 3]),
    timestamp: f64[(at + eventMillisAt) >> 3],
    wallet_address: wallet,
    fee: formatMicros(f64[(at + fillFeeMicrosAt) >> 3]),
    trade_id: f64[(at + fillTradeIdAt) >> 3],
    is_taker: i32[(at + fillIsTakerAt) >> 2] === 1,
    builder_code_address: hasBuilder ? formatAddress(u8, at + fillBuilderAt) : null,
    builder_code_fee: hasBuilder ? formatMicros(f64[(at + fillBuilderFeeMicrosAt) >> 3]) : null,
    instrument_type: instrumentTypeOf(symbol),
    fill_source: { type: 'orderbook' },
    client_id: clientId === '' ? null : clientId,
    seq: f64[(at + eventSeqAt) >> 3],
  })
}

/** PositionExpired of a Payout event. */
export function positionExpiredMessage(
  log: EventLogReader,
  at: number,
  wallet: string,
  symbol: string,
): Uint8Array {
  const { f64 } = log
  const lots = f64[(at + payoutPositionLotsAt) >> 3]
  const valueMicros = f64[(at + payoutValueMicrosAt) >> 3]
  const costMicros = f64[(at + payoutCostMicrosAt) >> 3]
  const entryMicros = mulDivHalfEven(Math.abs(costMicros), lotsPerContract, Math.abs(lots))
  return encode({
    type: 'PositionExpired',
    wallet_address: wallet,
    symbol,
    position_size: formatLots(lots),
    settlement_price: formatMicros(f64[(at + payoutPayoffMicrosAt) >> 3]),
    settlement_value: formatMicros(valueMicros),
    settlement_entry_price: formatMicros(entryMicros),
    cost_basis: formatMicros(costMicros),
    net_pnl: formatMicros(valueMicros - costMicros),
    timestamp: f64[(at + eventMillisAt) >> 3],
    underlying_price: formatMicros(f64[(at + payoutPriceMicrosAt) >> 3]),
    fee: formatMicros(f64[(at + payoutFeeMicrosAt) >> 3]),
    borne: formatMicros(f64[(at + payoutBorneMicrosAt) >> 3]),
    seq: f64[(at + eventSeqAt) >> 3],
  })
}

export function tradeMessage(log: EventLogReader, at: number, symbol: string): Uint8Array {
  const { f64, i32 } = log
  return encode({
    type: 'Trade',
    symbol,
    price: formatMicros(f64[(at + tradePriceMicrosAt) >> 3]),
    size: formatLots(f64[(at + tradeSizeLotsAt) >> 3]),
    side: i32[(at + tradeTakerSideAt) >> 2] === Side.Buy ? 'buy' : 'sell',
    timestamp: f64[(at + eventMillisAt) >> 3],
    trade_id: f64[(at + tradeIdAt) >> 3],
    seq: f64[(at + eventSeqAt) >> 3],
  })
}

/**
 * The fields of an option's terms have no null, so a perp has zeros there, and an `instrument_type` that tells it; like
 * that of a Fill, its default is `option`.
 * @param change `Created`, `Expired` or `Deleted`.
 */
export function marketUpdateMessage(
  log: EventLogReader,
  at: number,
  change: number,
  instrument: InstrumentName,
): Uint8Array {
  const type = instrumentTypeOf(instrument.symbol)
  const terms =
    change === InstrumentChange.Deleted
      ? {}
      : {
          strike: instrument.strike,
          is_call: instrument.isCall,
          underlying: instrument.underlying,
          expiry: instrument.expirySeconds,
        }
  return encode({
    type: 'MarketUpdate',
    action: actionNames[change],
    symbol: instrument.symbol,
    ...terms,
    ...(type === 'option' ? {} : { instrument_type: type }),
    timestamp: log.f64[(at + eventMillisAt) >> 3],
    seq: log.f64[(at + eventSeqAt) >> 3],
  })
}

/** The whole ladder of one book, best levels first. */
export function orderbookMessage(
  symbol: string,
  book: LevelBook,
  depth: number,
  seq: number,
  isSnapshot: boolean,
): Uint8Array {
  return encode({
    type: 'OrderbookUpdate',
    symbol,
    option_token_address: null,
    bids: ladder(book, Side.Buy, depth),
    asks: ladder(book, Side.Sell, depth),
    timestamp: book.changedMillis,
    seq,
    ...(isSnapshot ? { snapshot: true, as_of_seq: seq } : {}),
  })
}

/** @param prices at least one. */
export function indexPriceMessage(
  prices: readonly IndexPrice[],
  seq: number,
  isSnapshot: boolean,
): Uint8Array {
  return encode({
    type: 'IndexPriceUpdate',
    prices: prices.map(({ underlying, priceMicros, observedMillis }) => ({
      underlying,
      price: formatMicros(priceMicros),
      timestamp: observedMillis,
    })),
    timestamp: Math.min(...prices.map((price) => price.observedMillis)),
    seq,
    ...(isSnapshot ? { snapshot: true, as_of_seq: seq } : {}),
  })
}

function ladder(book: LevelBook, side: number, depth: number): [string, string][] {
  const levels: [string, string][] = []
  const count = Math.min(book.count(side), depth)
  for (let level = 0; level < count; level++) {
    levels.push([
      formatMicros(book.priceMicros(side, level)),
      formatLots(book.sizeLots(side, level)),
    ])
  }
  return levels
}
