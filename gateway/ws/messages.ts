import { formatLots, formatMicros } from '../../schemas/decimal.js'
import { OrderFlag, Side, sideNames } from '../../schemas/domain.js'
import type {
  AnyEvent,
  FillEvent,
  InstrumentEvent,
  OutcomeEvent,
  PayoutEvent,
} from '../../schemas/generated/events.js'
import type { ClientMessage, MessageOf } from '../../schemas/interface/streams.js'
import { InstrumentChange } from '../../schemas/record-values.js'
import { resultRows } from '../../schemas/results.js'
import { instrumentTypeOf } from '../../schemas/symbol.js'
import { formatAddress } from '../../schemas/wallet.js'
import type { OrderStatusName } from '../../schemas/wire-types.js'
import { RateLimitFault } from '../limits/rate-limit-fault.js'
import type { InstrumentName } from '../link/instrument-names.js'
import {
  type OutcomeNames,
  readFacts,
  readOutcome,
  readRejection,
  reasonOf,
  valuesOfFacts,
} from '../link/outcome.js'
import { settledCosts, settledText } from '../read-model/texts/payout-text.js'
import type { LevelBook } from '../read-model/views/level-book.js'
import { fillSourceOf, orderIdOfFill, packageOf } from '../wire/combo-fill.js'
import type { Fault } from '../wire/fault.js'
import { tradeOf } from '../wire/market-data.js'
import { tifFields } from '../wire/tif-fields.js'

// Encoders of the server's messages. Each message is encoded once, however many connections receive it.

/** Fields of an Error that the fault does not determine. */
export type ErrorContext = Omit<MessageOf<'Error'>, 'type' | 'message' | 'code' | 'details'>

/** Latest observation of an index price. */
export interface IndexPrice {
  readonly underlying: string
  readonly priceMicros: number
  readonly observedMillis: number
}

const actionNames: Readonly<Record<number, MessageOf<'MarketUpdate'>['action']>> = {
  [InstrumentChange.Created]: 'Created',
  [InstrumentChange.Expired]: 'Expired',
  [InstrumentChange.Deleted]: 'Deleted',
}

export function encode(message: ClientMessage): Uint8Array {
  return Buffer.from(JSON.stringify(message))
}

export function errorMessage(fault: Fault, context: ErrorContext): Uint8Array {
  const { code } = resultRows[fault.result]
  const limits = fault instanceof RateLimitFault ? fault.fields : {}
  const details = fault.details === null ? {} : { details: fault.details }
  return encode({
    type: 'Error',
    message: fault.message,
    code: code!,
    ...limits,
    ...details,
    ...context,
  })
}

export function orderUpdateMessage(update: OutcomeEvent, names: OutcomeNames): Uint8Array {
  const outcome = readOutcome(update, names)
  const facts = readFacts(update, names.instruments)
  const rejection = readRejection(update)
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
    status: outcome.status as OrderStatusName,
    filled_size: formatLots(facts.filledLots),
    timestamp: outcome.timeMillis,
    reason,
    wallet_address: facts.wallet,
    instrument_type: instrumentTypeOf(symbol),
    // A rejected cancel does not change the order, which keeps its client id.
    client_id: facts.clientId === '' || rejection?.isCancel ? null : facts.clientId,
    ...(rejection === null ? {} : { nonce: rejection.nonce }),
    reason_code: code,
    details,
    mmp_triggered: outcome.isMmpTriggered,
    seq: outcome.seq,
  })
}

export function fillMessage(fill: FillEvent, wallet: string, symbol: string): Uint8Array {
  const hasBuilder = (fill.flags & OrderFlag.HasBuilder) !== 0
  const { clientIdText: clientId } = fill
  return encode({
    type: 'Fill',
    order_id: orderIdOfFill(fill),
    fill_id: fill.fillId,
    symbol,
    side: sideNames[fill.side],
    price: formatMicros(fill.priceMicros),
    size: formatLots(fill.sizeLots),
    timestamp: fill.timeMillis,
    wallet_address: wallet,
    fee: formatMicros(fill.feeMicros),
    trade_id: fill.tradeId,
    is_taker: fill.isTaker === 1,
    builder_code_address: hasBuilder ? formatAddress(fill.u8, fill.builderAt) : null,
    builder_code_fee: hasBuilder ? formatMicros(fill.builderFeeMicros) : null,
    instrument_type: instrumentTypeOf(symbol),
    fill_source: fillSourceOf(packageOf(fill)),
    client_id: clientId === '' ? null : clientId,
    seq: fill.seq,
  })
}

/** Encodes a Payout event as PositionExpired. */
export function positionExpiredMessage(
  payout: PayoutEvent,
  wallet: string,
  symbol: string,
): Uint8Array {
  return encode({
    type: 'PositionExpired',
    wallet_address: wallet,
    symbol,
    ...settledText(payout),
    timestamp: payout.timeMillis,
    ...settledCosts(payout),
    seq: payout.seq,
  })
}

export function tradeMessage(event: AnyEvent, symbol: string): Uint8Array {
  const trade = tradeOf(event)
  return encode({
    type: 'Trade',
    symbol,
    price: formatMicros(trade.priceMicros()),
    size: formatLots(trade.sizeLots()),
    side: trade.takerSide() === Side.Buy ? 'buy' : 'sell',
    timestamp: event.timeMillis,
    trade_id: trade.tradeId(),
    seq: event.seq,
  })
}

/**
 * Encodes a MarketUpdate. The option terms cannot be null, so a perp has zeros and an `instrument_type`, whose default
 * is `option` as in a Fill.
 * @param event Its change is `Created`, `Expired` or `Deleted`.
 */
export function marketUpdateMessage(
  { change, timeMillis, seq }: InstrumentEvent,
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
    action: actionNames[change]!,
    symbol: instrument.symbol,
    ...terms,
    ...(type === 'option' ? {} : { instrument_type: type }),
    timestamp: timeMillis,
    seq,
  })
}

/** Encodes all levels of one book, best first. */
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

/**
 * @param prices At least one.
 */
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
