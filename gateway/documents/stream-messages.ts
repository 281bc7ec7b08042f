import { orderStatusNames, rfqStatusNames, rightNames, sideNames } from '../../schemas/domain.js'
import { liquidationStateNames } from '../../schemas/record-values.js'
import type { JsonSchema } from '../wire/json-shape.js'
import { type Channel, channelRows } from '../ws/channels.js'
import {
  fillSource,
  rateLimits,
  settled,
  settledCosts,
  tifFields,
} from './answers/account-answers.js'
import { standing } from './answers/competition-answers.js'
import { providerQuote } from './answers/market-answers.js'
import {
  fullLiquidation,
  instrumentType,
  liquidationSummary,
  marginMode,
  marginSummary,
  maybeDecimal,
  partialLiquidation,
  position,
  spanMargin,
} from './answers/risk-answers.js'
import { canceledAll, deadMan, reasonFields } from './answers/write-answers.js'
import { anyCode, errorDetails, limitFields, reasonCode, reasonDetails } from './shapes/errors.js'
import {
  address,
  count,
  decimal,
  described,
  exactly,
  flag,
  integer,
  list,
  millis,
  nonce,
  nothing,
  nullable,
  number,
  object,
  oneOf,
  orderOfFill,
  seconds,
  seq,
  text,
  uuid,
} from './shapes/shape.js'

/** Message of the venue and its channels; without channels it answers a frame. */
export interface StreamMessage {
  readonly channels: readonly Channel[]
  readonly summary: string
  readonly schema: JsonSchema
}

type MessageFields = Readonly<Record<string, JsonSchema>>

const channelName = oneOf(Object.keys(channelRows))
/** Fields of the first message of a subscription, which has the whole state. */
const snapshot = { 'snapshot?': exactly(true), 'as_of_seq?': seq }
const asOfEvent = { timestamp: millis, seq, ...snapshot }
const usd = nullable(number)
const sides = oneOf(sideNames)
const levels = list(list(decimal, { minItems: 2, maxItems: 2 }))
const competitionRank = {
  rank: nullable(count),
  pnl: decimal,
  volume: decimal,
  efficiency: decimal,
}
const medal = nullable({ type: 'integer', minimum: 1, maximum: 3 })

const greeks = { delta: number, gamma: number, theta: number, vega: number }
const chainLeg = object({
  symbol: text,
  option_token_address: nothing,
  bid_price_usd: usd,
  bid_iv: usd,
  bid_size_contracts: usd,
  bid_size_usd_notional: usd,
  ask_price_usd: usd,
  ask_iv: usd,
  ask_size_contracts: usd,
  ask_size_usd_notional: usd,
  greeks_abs: nullable(object(greeks)),
  greeks_cash: nullable(
    object({
      delta_1pct_usd: number,
      gamma_1pct_usd: number,
      theta_1d_usd: number,
      vega_1vol_usd: number,
    }),
  ),
})

/** Answers to frames. */
const answers = {
  Error: answer('Error of a frame or of the connection', {
    message: text,
    code: anyCode,
    ...limitFields,
    'details?': errorDetails,
    'request_type?': text,
    'channel?': text,
    'rfq_id?': text,
    'client_id?': text,
    'nonce?': { anyOf: [number, text] },
    'from_seq?': described(seq, 'from_seq of the Subscribe that cannot be resumed'),
    'as_of_seq?': described(seq, 'Live updates start after this sequence'),
  }),
  ClockSynced: answer('Time of the venue', { nonce: text, server_at: millis }),
  Authenticated: answer('Confirms the wallet of the private channels', {
    wallet: address,
    'session_expires_ms?': described(millis, 'End of its read session'),
  }),
  Subscribed: answer('Acknowledges a subscription', {
    channel: channelName,
    'unknown_symbols?': list(text, { maxItems: 100 }),
    'unknown_symbol_count?': count,
    'as_of_seq?': described(seq, 'Sequence at which it begins; present if the frame asked for it'),
  }),
  Resumed: answer('Ends a resume: all missed messages are sent', {
    channel: channelName,
    from_seq: described(seq, 'from_seq of the Subscribe'),
    as_of_seq: described(seq, 'Last sequence sent again; later events follow live'),
  }),
  Unsubscribed: answer('Acknowledges the end of a subscription', { channel: channelName }),
  RateLimits: answer('Rate-limit windows of a wallet', { ...rateLimits, as_of_seq: seq }),
  OrderResult: answer('Result of an order or a cancel', {
    order_id: nullable(count),
    status: oneOf(orderStatusNames),
    symbol: text,
    side: sides,
    price: text,
    size: text,
    'reason?': text,
    nonce,
    client_id: nullable(text),
    filled_size: decimal,
    reason_code: nullable(reasonCode),
    details: nullable(reasonDetails),
    mmp_triggered: flag,
    seq,
  }),
  CancelAllResult: answer('What a CancelAll has ended', { ...canceledAll, nonce, seq }),
  DeadManResult: answer('When a SetDeadMan ends all', { ...deadMan, nonce, seq }),
  CancelOnDisconnectResult: answer('Acknowledges CancelOnDisconnect', {
    ...{ wallet: address, enabled: flag, bound: flag, nonce, seq },
  }),
}

/** Of everybody. */
const publicMessages = {
  OrderbookUpdate: told(['orderbook'], 'The whole ladder of a book', {
    symbol: text,
    option_token_address: nothing,
    bids: levels,
    asks: levels,
    timestamp: millis,
    seq,
    ...snapshot,
  }),
  OptionsChainUpdate: told(
    ['options_chain'],
    'A row of the chain: both options of a strike, or one that is gone',
    {
      action: exactly('Upsert'),
      currency: text,
      expiry: seconds,
      row: object({ strike: number, 'call?': chainLeg, 'put?': chainLeg }),
      timestamp: millis,
      seq,
      ...snapshot,
    },
    {
      action: exactly('Remove'),
      currency: text,
      expiry: seconds,
      strike: number,
      option_type: oneOf(rightNames),
      symbol: text,
      timestamp: millis,
      seq,
    },
  ),
  Trade: told(['trades'], 'A trade', {
    symbol: text,
    price: decimal,
    size: decimal,
    side: oneOf(['buy', 'sell']),
    timestamp: millis,
    trade_id: count,
    seq,
  }),
  MarketUpdate: told(['market_updates'], 'An instrument was listed, expired or delisted', {
    action: oneOf(['Created', 'Expired', 'Deleted']),
    symbol: text,
    'strike?': { anyOf: [number, decimal] },
    'is_call?': flag,
    'underlying?': text,
    'expiry?': seconds,
    'instrument_type?': instrumentType,
    timestamp: millis,
    seq,
  }),
  IndexPriceUpdate: told(['index_prices'], 'Index prices', {
    prices: list(object({ underlying: text, price: decimal, timestamp: millis })),
    timestamp: millis,
    seq,
    ...snapshot,
  }),
  IndicativeMarketData: told(['indicative_market_data'], 'Indicative quotes of providers', {
    instrument: text,
    'best_bid?': decimal,
    'best_ask?': decimal,
    'bid_iv?': number,
    'ask_iv?': number,
    'indicative_bid_size?': decimal,
    'indicative_ask_size?': decimal,
    num_providers: count,
    rfq_provider_quotes: list(providerQuote),
    published_at: millis,
    timestamp: millis,
    ...snapshot,
    'seq?': seq,
  }),
}

/** Of the wallet that the connection has named. */
const walletMessages = {
  OrderUpdate: told(['order_updates'], 'Change of an order', {
    order_id: nullable(count),
    request: object({ price: text, size: text, symbol: text, side: sides, ...tifFields }),
    status: oneOf(orderStatusNames),
    filled_size: decimal,
    timestamp: millis,
    wallet_address: address,
    instrument_type: instrumentType,
    client_id: nullable(text),
    'nonce?': nonce,
    ...reasonFields,
    mmp_triggered: flag,
    seq,
  }),
  Fill: told(['fills'], 'A fill', {
    order_id: orderOfFill,
    fill_id: count,
    symbol: text,
    side: sides,
    price: decimal,
    size: decimal,
    timestamp: millis,
    wallet_address: address,
    fee: decimal,
    trade_id: count,
    is_taker: flag,
    builder_code_address: nullable(address),
    builder_code_fee: maybeDecimal,
    instrument_type: instrumentType,
    fill_source: fillSource,
    client_id: nullable(text),
    seq,
  }),
  PositionExpired: told(['portfolio'], 'Settlement of a position', {
    wallet_address: address,
    symbol: text,
    ...settled,
    timestamp: millis,
    ...settledCosts,
    seq,
  }),
  LiquidationStateChange: told(['liquidation'], 'Change of the liquidation state of the wallet', {
    wallet_address: address,
    previous_state: oneOf(liquidationStateNames),
    new_state: oneOf(liquidationStateNames),
    timers_stand: flag,
    ...liquidationSummary,
    partial_liquidation: nullable(partialLiquidation),
    full_liquidation: nullable(fullLiquidation),
    timestamp: millis,
    seq,
  }),
  PortfolioUpdate: told(
    ['portfolio'],
    'Positions, balance, margin or greeks of the wallet',
    { kind: exactly('Initial'), positions: list(position), ...asOfEvent },
    { kind: exactly('PositionUpdate'), position, ...asOfEvent },
    {
      kind: exactly('BalanceUpdate'),
      ...{ total_margin_used: decimal, cash: decimal, equity: decimal },
      ...asOfEvent,
    },
    {
      kind: exactly('MarginUpdate'),
      span_margin: spanMargin,
      margin_summary: marginSummary,
      margin_mode: marginMode,
      total_margin_used: decimal,
      available_balance: decimal,
      ...asOfEvent,
    },
    {
      kind: exactly('GreeksUpdate'),
      per_leg: list(object({ symbol: text, quantity: decimal, ...greeks, iv: number })),
      aggregate: nullable(object({ ...greeks, iv: usd })),
      ...asOfEvent,
    },
  ),
  RfqStatusUpdate: told(['rfq'], 'Change of a request for quote', {
    rfq_id: uuid,
    status: oneOf(rfqStatusNames),
    taker_wallet: address,
    'reason?': nullable(text),
    'reason_code?': nullable(reasonCode),
    'details?': nullable(reasonDetails),
    'fill_id?': text,
    'fallback_order_id?': count,
    'expires_at?': millis,
    timestamp: millis,
    seq,
  }),
  RfqQuotes: told(['rfq'], 'Live quotes of a request', {
    rfq_id: uuid,
    quotes: list(object({ quote_id: uuid, net_premium: decimal, expires_at: millis })),
    status: oneOf(rfqStatusNames),
    taker_wallet: address,
    seq,
  }),
  RfqAcceptResult: told(['rfq'], 'Result of an acceptance', {
    rfq_id: uuid,
    quote_id: uuid,
    status: oneOf(['executed', 'failed']),
    fill_id: nullable(text),
    reason: nullable(text),
    reason_code: nullable(reasonCode),
    'details?': reasonDetails,
    'nonce?': nonce,
    seq,
  }),
  CompetitionUpdate: contest('competition', 'Rank and values have changed', competitionRank),
  CompetitionPnlSummary: told(['competition'], 'Standing of the wallet', {
    ...{ wallet_address: address, lifetime_realized_pnl: decimal },
    active_competition: nullable(standing),
    ...{ timestamp: millis, seq, ...snapshot },
  }),
  CompetitionFinalStats: contest('competition', 'It has ended', { ...competitionRank, medal }),
  CompetitionRankChange: contest('competition_engagement', 'The rank is another', {
    ...{ from_rank: count, to_rank: count, delta_places: integer, pnl: decimal },
  }),
  CompetitionGapUpdate: contest('competition_engagement', 'How far the next rank is', {
    ...{ rank: count, next_rank: nullable(count), gap_metric_value: maybeDecimal },
  }),
  CompetitionFinalStanding: contest('competition_engagement', 'It has ended', {
    ...competitionRank,
    medal,
  }),
}

/** All messages of `/ws`, by type. */
export const streamMessages: Readonly<Record<string, StreamMessage>> = Object.fromEntries(
  Object.entries({ ...answers, ...publicMessages, ...walletMessages }).map(
    ([type, { channels, summary, forms }]) => {
      const schemas = forms.map((fields) => object({ type: exactly(type), ...fields }))
      const schema = schemas.length === 1 ? schemas[0]! : { oneOf: schemas }
      return [type, { channels, summary, schema }] as const
    },
  ),
)

// Function declarations, because the tables above are built while this file loads.

/** Fields of a message; where there are several lists of them, any of these. */
function told(channels: readonly Channel[], summary: string, ...forms: readonly MessageFields[]) {
  return { channels, summary, forms }
}

function answer(summary: string, fields: MessageFields) {
  return told([], summary, fields)
}

function contest(channel: Channel, summary: string, fields: MessageFields) {
  const who = { wallet_address: address, competition_id: count }
  return told([channel], summary, { ...who, ...fields, timestamp: millis, seq })
}
