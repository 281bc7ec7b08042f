import type { MessageOf } from '../../schemas/interface/streams.js'
import { type BestQuote, newestMillis, quoteJson } from '../quotes/best-quotes.js'
import type { QuoteRow } from '../quotes/quote-rows.js'

type Message = MessageOf<'IndicativeMarketData'>
/** Fields that are appended as text. */
type LaterFields = 'rfq_provider_quotes' | 'published_at' | 'timestamp' | 'snapshot' | 'as_of_seq'

/** Quotes of one instrument. */
export interface IndicativeMarket {
  readonly symbol: string
  readonly rows: readonly QuoteRow[]
  readonly bid: BestQuote | null
  readonly ask: BestQuote | null
  readonly bidIv: number | undefined
  readonly askIv: number | undefined
}

/** Returns the text of an IndicativeMarketData without its closing brace, before which a snapshot adds its fields. */
export function indicativeText(market: IndicativeMarket, publishedMillis: number): string {
  const { symbol, rows, bid, ask, bidIv, askIv } = market
  const fields: Omit<Message, LaterFields> = {
    type: 'IndicativeMarketData',
    instrument: symbol,
    best_bid: bid?.price,
    best_ask: ask?.price,
    bid_iv: bidIv,
    ask_iv: askIv,
    indicative_bid_size: bid?.size,
    indicative_ask_size: ask?.size,
    num_providers: rows.length,
  }
  const head = JSON.stringify(fields)
  const quotes = rows.map(quoteJson).join()
  const newest = rows.length === 0 ? publishedMillis : newestMillis(rows)
  const times = `"published_at":${publishedMillis},"timestamp":${newest}`
  return `${head.slice(0, -1)},"rfq_provider_quotes":[${quotes}],${times}`
}
