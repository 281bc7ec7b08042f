import { PriceBand } from '../../../engine/pricing/price-bands.js'
import { nanosPerUnit } from '../../../engine/state/market/funding-parameters.js'
import { priceMicrosMax } from '../../../schemas/bounds.js'
import { lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { InstrumentState, Side } from '../../../schemas/domain.js'
import type { Orderbook } from '../../../schemas/interface/market.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { parseSymbol } from '../../../schemas/symbol.js'
import { route } from '../../wire/route.js'
import { instrumentOfWireId } from '../../wire/wire-ids.js'
import { expiryPricingOf, volatilityOf } from '../texts/implied-volatilities.js'
import {
  dayText,
  estimatedDeliveryUsd,
  greeksOf,
  isBookOpen,
  markMicrosOf,
  openInterestOf,
  underlyingNameOf,
  usableIndexMicros,
  usdOrNull,
  usdOrZero,
} from '../texts/market-text.js'
import { type ReadRoute, type RouteContext, rpcAnswerOf } from '../texts/route-context.js'
import type { LevelBook } from '../views/level-book.js'
import type { MarketViews } from '../views/market-views.js'

const priceMicrosMin = 1
const instrumentMissing = { code: 13020, message: 'not_found' }
const notFound = -1
const idText = /^\d{1,9}$/

/** Answers GET /orderbook. A missing instrument is HTTP 200 with error 13020. */
export const orderbookRoute: ReadRoute = route(
  viewReads['GET /orderbook'],
  ({ instrument_id: name, depth }, context) => {
    const id = findInstrument(context.views.market, name)
    if (id === notFound) return rpcAnswerOf(context, null, instrumentMissing)
    return rpcAnswerOf(context, orderbookOf(context, id, depth))
  },
)

function orderbookOf(context: RouteContext, id: number, depth: number): Orderbook {
  return { ...bookOf(context, id, depth), ...marksOf(context, id) }
}

function findInstrument(market: MarketViews, name: string): number {
  const { instruments } = market
  if (idText.test(name)) {
    const id = instrumentOfWireId(Number(name))
    const isListed =
      id >= 0 && id < instruments.count && instruments.state[id] !== InstrumentState.Deleted
    return isListed ? id : notFound
  }
  const symbol = parseSymbol(name)
  if (typeof symbol === 'string') return notFound
  const { underlying, expiryDate, strikeMicros, right } = symbol
  return instruments.find(underlying, expiryDate, strikeMicros, right)
}

function bookOf(context: RouteContext, id: number, depth: number) {
  const { market, timeMillis } = context.views
  const book = market.books.of(id)
  return {
    instrument_name: market.symbols[id]!,
    timestamp: book.changedMillis || timeMillis,
    state: isBookOpen(market, id) ? ('open' as const) : ('closed' as const),
    change_id: book.seq,
    bids: levelsOf(book, Side.Buy, depth),
    asks: levelsOf(book, Side.Sell, depth),
    best_bid_price: microsToNumber(book.priceMicros(Side.Buy, 0)),
    best_ask_price: microsToNumber(book.priceMicros(Side.Sell, 0)),
    best_bid_amount: lotsToNumber(book.sizeLots(Side.Buy, 0)),
    best_ask_amount: lotsToNumber(book.sizeLots(Side.Sell, 0)),
  }
}

function marksOf(context: RouteContext, id: number) {
  const { market, statistics } = context.views
  const underlying = market.instruments.underlying[id]
  const indexUsd = usdOrZero(usableIndexMicros(context, underlying))
  const markMicros = markMicrosOf(market, id)
  const hasMark = !Number.isNaN(markMicros)
  return {
    last_price: usdOrNull(statistics.of(id).lastMicros),
    mark_price: usdOrZero(markMicros),
    theoretical_price: hasMark ? microsToNumber(markMicros) : undefined,
    ...volatilitiesOf(context, id),
    index_price: indexUsd,
    underlying_price: indexUsd,
    underlying_index: `${underlyingNameOf(market, id)}_USD`,
    settlement_price: usdOrZero(market.settlementMicrosOf(id)),
    ...priceLimitsOf(context, id),
    open_interest: openInterestOf(market, id),
    interest_rate: context.config.engine.pricing.rate,
    ...fundingOf(market, id),
    estimated_delivery_price: estimatedDeliveryUsd(context, id),
    option_token_address: null,
    stats: dayText(context, id),
    greeks: greeksOf(market, id),
  }
}

/** Returns the funding of a perp that was funded: rate of the last period, as a fraction of the index, and its end. */
function fundingOf(
  market: MarketViews,
  id: number,
): Pick<Orderbook, 'funding_rate' | 'funding_timestamp'> {
  const funding = market.fundingRates.get(id)
  if (funding === undefined) return {}
  return {
    funding_rate: funding.rateNanos / nanosPerUnit,
    funding_timestamp: funding.endMillis,
  }
}

/** Returns volatilities; absent where there is none, as for a perp. */
function volatilitiesOf(
  context: RouteContext,
  id: number,
): Pick<Orderbook, 'mark_iv' | 'bid_iv' | 'ask_iv'> {
  const { instruments, marks, books } = context.views.market
  if (instruments.isPerp(id)) return {}
  const book = books.of(id)
  const { underlying, expiryMillis } = instruments
  const expiry = expiryPricingOf(context, underlying[id], expiryMillis[id])
  return {
    mark_iv: marks.iv[id] >= 0 ? marks.iv[id] : undefined,
    bid_iv: volatilityOf(context, expiry, id, book.priceMicros(Side.Buy, 0)),
    ask_iv: volatilityOf(context, expiry, id, book.priceMicros(Side.Sell, 0)),
  }
}

/** Returns the lowest price of a sell and highest of a buy: the price band, or without one the range of any order. */
function priceLimitsOf({ views, config }: RouteContext, id: number) {
  const { bands } = config.engine
  const band = new PriceBand()
  const isBanded = bands.enabled && views.market.marks.bandOf(id, bands, band)
  const lower = isBanded ? Math.max(priceMicrosMin, band.lowerMicros) : priceMicrosMin
  const upper = isBanded ? Math.min(priceMicrosMax, band.upperMicros) : priceMicrosMax
  return { min_price: microsToNumber(lower), max_price: microsToNumber(upper) }
}

/** Returns [price, size], best first. */
function levelsOf(book: LevelBook, side: Side, depth: number) {
  const count = Math.min(depth, book.count(side))
  return Array.from({ length: count }, (_, level): readonly [price: number, size: number] => [
    microsToNumber(book.priceMicros(side, level)),
    lotsToNumber(book.sizeLots(side, level)),
  ])
}
