import { lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { Side } from '../../../schemas/domain.js'
import type { OptionSummary } from '../../../schemas/interface/market.js'
import type { ExpiryFilter } from '../../../schemas/interface/parameter.js'
import { viewReads } from '../../../schemas/interface/reads.js'
import { askSide, bestOf, bidSide, providerQuote, rankedRows } from '../../quotes/best-quotes.js'
import { encodeRows } from '../../wire/json-text.js'
import { route } from '../../wire/route.js'
import { wireIdOf } from '../../wire/wire-ids.js'
import { expiryPricingOf, volatilityOf } from '../texts/implied-volatilities.js'
import {
  dayText,
  estimatedDeliveryUsd,
  greeksOf,
  isActive,
  listedInstruments,
  markMicrosOf,
  openInterestOf,
  underlyingNameOf,
  usableIndexMicros,
  usdOrNull,
  usdOrZero,
} from '../texts/market-text.js'
import { type ReadRoute, type RouteContext, rpcAnswerOf } from '../texts/route-context.js'

/** Answers GET /options-summary: the active options; none for `kind=future`. */
export const optionsSummaryRoute: ReadRoute = route(
  viewReads['GET /options-summary'],
  ({ expiry, include_rfq_provider_quotes, rfq_provider_quotes_limit, ...filter }, context) => {
    const { market } = context.views
    const options = filter.kind === 'option' ? listedInstruments(market, filter) : []
    const ids = options.filter((id) => isActive(market, id) && isOfExpiry(context, id, expiry))
    return rpcAnswerOf(
      context,
      encodeRows(ids, (id): OptionSummary => {
        const row = summaryRow(context, id)
        if (!include_rfq_provider_quotes) return row
        return { ...row, rfq_provider_quotes: quotesOf(context, id, rfq_provider_quotes_limit) }
      }),
    )
  },
)

function summaryRow(context: RouteContext, id: number): OptionSummary {
  const { market, statistics } = context.views
  const { instruments } = market
  const underlying = underlyingNameOf(market, id)
  const indexUsd = usdOrZero(usableIndexMicros(context, instruments.underlying[id]))
  return {
    instrument_id: wireIdOf(id),
    instrument_name: market.symbols[id]!,
    underlying_index: `${underlying}_USD`,
    base_currency: underlying,
    quote_currency: 'USD',
    option_token_address: null,
    expiration_timestamp: instruments.expiryMillis[id],
    creation_timestamp: instruments.listedMillis[id],
    last: usdOrNull(statistics.of(id).lastMicros),
    ...dayText(context, id),
    open_interest: openInterestOf(market, id),
    underlying_price: indexUsd,
    estimated_delivery_price: estimatedDeliveryUsd(context, id),
    interest_rate: context.config.engine.pricing.rate,
    ...marksOf(context, id),
    ...bestsOf(context, id),
    ...indicativeOf(context, id),
  }
}

/** Returns the best indicative quotes, without fields for sides that have no quote. */
function indicativeOf({ quotes }: RouteContext, id: number) {
  const rows = quotes.rowsOf(id)
  if (rows.length === 0) return {}
  const bid = bestOf(rows, bidSide)
  const ask = bestOf(rows, askSide)
  return {
    indicative_bid_price: bid === null ? undefined : Number(bid.price),
    indicative_ask_price: ask === null ? undefined : Number(ask.price),
    indicative_bid_size: bid === null ? undefined : Number(bid.size),
    indicative_ask_size: ask === null ? undefined : Number(ask.size),
  }
}

function quotesOf({ quotes }: RouteContext, id: number, countMax: number) {
  return rankedRows(quotes.rowsOf(id)).slice(0, countMax).map(providerQuote)
}

/** Returns 0 for values that are unknown without a mark, because clients expect numbers. */
function marksOf(context: RouteContext, id: number) {
  const { market } = context.views
  const markMicros = markMicrosOf(market, id)
  const iv = Number.isNaN(markMicros) ? Number.NaN : market.marks.iv[id]
  const greeks = greeksOf(market, id) ?? { delta: 0, gamma: 0, vega: 0, theta: 0, rho: 0 }
  return {
    mark_price: usdOrZero(markMicros),
    theoretical_price: usdOrZero(markMicros),
    mark_iv: Number.isNaN(iv) ? 0 : iv,
    greeks,
  }
}

function bestsOf(context: RouteContext, id: number) {
  const { instruments, books } = context.views.market
  const book = books.of(id)
  const bidMicros = book.priceMicros(Side.Buy, 0)
  const askMicros = book.priceMicros(Side.Sell, 0)
  const bestMicros = { bid_price: microsToNumber(bidMicros), ask_price: microsToNumber(askMicros) }
  if (bidMicros === 0 && askMicros === 0) return { ...bestMicros, mid_price: 0 }
  const expiry = expiryPricingOf(context, instruments.underlying[id], instruments.expiryMillis[id])
  const isTwoSided = bidMicros > 0 && askMicros > 0
  return {
    ...bestMicros,
    mid_price: isTwoSided ? microsToNumber((bidMicros + askMicros) / 2) : 0,
    best_bid_size: bidMicros > 0 ? lotsToNumber(book.sizeLots(Side.Buy, 0)) : undefined,
    best_ask_size: askMicros > 0 ? lotsToNumber(book.sizeLots(Side.Sell, 0)) : undefined,
    bid_iv: volatilityOf(context, expiry, id, bidMicros),
    ask_iv: volatilityOf(context, expiry, id, askMicros),
  }
}

function isOfExpiry(context: RouteContext, id: number, filter: ExpiryFilter): boolean {
  if (filter === null) return true
  const { instruments } = context.views.market
  if ('date' in filter) return instruments.expiryDate[id] === filter.date
  return Math.floor(instruments.expiryMillis[id] / 1000) === filter.seconds
}
