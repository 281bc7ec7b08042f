import { lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { Right, rightNames, TradingMode } from '../../../schemas/domain.js'
import { encodeRows, type JsonRow, type RawJson } from '../../wire/json-text.js'
import { readModelEndpoints } from '../../wire/read-endpoints.js'
import { route } from '../../wire/route.js'
import { wireIdOf } from '../../wire/wire-ids.js'
import {
  isActive,
  kindOf,
  type ListingFilter,
  listedInstruments,
  underlyingNameOf,
} from '../texts/market-text.js'
import { type ReadRoute, type RouteContext, rpcAnswerOf } from '../texts/route-context.js'

export const tickUsd = 0.000001
const stepFirst = { above_price: 0.1, tick_size: 0.00001 }
const stepsCount = 10 // up to the largest price, 1e9

/** The rule of five significant figures as steps of the tick. */
export const tickSizeSteps: readonly JsonRow[] = Array.from({ length: stepsCount }, (_, step) => ({
  above_price: Number((stepFirst.above_price * 10 ** step).toPrecision(1)),
  tick_size: Number((stepFirst.tick_size * 10 ** step).toPrecision(1)),
}))

/**
 * GET /instruments. `expired=true` lists the expired instruments in
 * place of the active ones; a perp never expires. What only an option has is 0 or empty for a perp: clients
 * read it as a number or text.
 */
export const instrumentsRoute: ReadRoute = route(
  readModelEndpoints['GET /instruments'],
  ({ expired, ...filter }, context) => {
    const key = `instruments ${filter.kind} ${expired} ${filter.currency ?? ''}`
    const { listingVersion } = context.views.market
    const rows = context.cache.get(key, listingVersion, () => rowsOf(context, filter, expired))
    return rpcAnswerOf(context, rows)
  },
)

function rowsOf(context: RouteContext, filter: ListingFilter, expired: boolean): RawJson {
  const { market } = context.views
  const ids = listedInstruments(market, filter).filter((id) => isActive(market, id) !== expired)
  return encodeRows(ids, (id) => instrumentRow(context, id))
}

function instrumentRow(context: RouteContext, id: number): JsonRow {
  const { market } = context.views
  const { instruments } = market
  const underlying = underlyingNameOf(market, id)
  const minTradeAmount = lotsToNumber(context.config.minTradeLots)
  const tradingMode = instruments.tradingMode[id]
  const right = instruments.right[id] as Right
  const isPerp = right === Right.None
  const { fees } = context.config.engine
  return {
    instrument_name: market.symbols[id],
    instrument_id: wireIdOf(id),
    kind: kindOf(market, id),
    instrument_type: 'linear',
    option_type: isPerp ? '' : rightNames[right],
    price_index: `${underlying.toLowerCase()}_usd`,
    settlement_period: isPerp ? 'perpetual' : 'day',
    settlement_currency: 'USDC',
    base_currency: underlying,
    counter_currency: 'USD',
    quote_currency: 'USD',
    expiration_timestamp: isPerp ? 0 : instruments.expiryMillis[id],
    creation_timestamp: instruments.listedMillis[id],
    option_token_address: null,
    rfq: (tradingMode & TradingMode.Rfq) !== 0,
    orderbook: (tradingMode & TradingMode.Orderbook) !== 0,
    is_active: isActive(market, id),
    strike: isPerp ? 0 : microsToNumber(instruments.strikeMicros[id]),
    contract_size: 1,
    tick_size: tickUsd,
    tick_size_steps: tickSizeSteps,
    min_trade_amount: minTradeAmount,
    maker_commission: isPerp ? fees.perpMakerRate : fees.makerRate,
    taker_commission: isPerp ? fees.perpTakerRate : fees.takerRate,
    block_trade_commission: 0,
    block_trade_min_trade_amount: minTradeAmount,
    block_trade_tick_size: tickUsd,
  }
}
