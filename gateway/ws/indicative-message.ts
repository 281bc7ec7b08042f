import { type BestQuote, newestMillis, quoteJson } from '../quotes/best-quotes.js'
import type { QuoteRow } from '../quotes/quote-rows.js'

/** What is told of one instrument's quotes. */
export interface IndicativeMarket {
  readonly symbol: string
  readonly rows: readonly QuoteRow[]
  readonly bid: BestQuote | null
  readonly ask: BestQuote | null
  readonly bidIv: number | undefined
  readonly askIv: number | undefined
}

/** Text of an IndicativeMarketData but for its closing brace, behind which a snapshot says that it is one. */
export function indicativeText(market: IndicativeMarket, publishedMillis: number): string {
  const { symbol, rows, bid, ask, bidIv, askIv } = market
  const head = JSON.stringify({
    type: 'IndicativeMarketData',
    instrument: symbol,
    best_bid: bid?.price,
    best_ask: ask?.price,
    bid_iv: bidIv,
    ask_iv: askIv,
    indicative_bid_size: bid?.size,
    indicative_ask_size: ask?.size,
    num_providers: rows.length,
  })
  const quotes = rows.map(quoteJson).join()
  const newest = rows.length === 0 ? publishedMillis : newestMillis(rows)
  const times = `"published_at":${publishedMillis},"timestamp":${newest}`
  return `${head.slice(0, -1)},"rfq_provider_quotes":[${quotes}],${times}`
}
