import { signal } from '@preact/signals'
import type { ExchangeInfo } from '../../client/answer-types.js'
import type { Orderbook } from '../../client/generated/interface.js'
import { type PerpQuote, perpQuoteOf } from '../model/perp-quote.js'
import { rest, venueInfo } from './venue.js'

/** Listed perps; null until loaded. */
export const perpQuotes = signal<readonly PerpQuote[] | null>(null)

export async function loadPerps(): Promise<void> {
  const info = await rest.request<ExchangeInfo>('GET', '/exchange-info')
  const books = await Promise.all(info.perps.map(({ symbol }) => requestBook(symbol)))
  // An unchanged value must not notify the subscribers of the signal.
  if (JSON.stringify(info) !== JSON.stringify(venueInfo.value)) venueInfo.value = info
  perpQuotes.value = books.filter((book) => book !== null).map(perpQuoteOf)
}

async function requestBook(symbol: string): Promise<Orderbook | null> {
  type Answer = { readonly result: Orderbook | null }
  const query = { instrument_id: symbol, depth: 1 }
  return (await rest.request<Answer>('GET', '/orderbook', { query })).result
}
