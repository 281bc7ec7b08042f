import { effect, type Signal, signal } from '@preact/signals'
import type { BestPrices } from '../model/shown-quote.js'
import { optionOf } from '../model/symbol-text.js'
import { chosenSymbol } from './choice.js'
import { bookSymbols } from './own-books.js'
import { onMessage, stream } from './venue.js'

const noPrices: BestPrices = { bid: null, ask: null }
const prices = new Map<string, Signal<BestPrices>>()
const subscriptions = new Map<string, () => void>()

/** Returns the best indicative prices of an option; no prices for an option that the page does not follow. */
export function providersOf(symbol: string): Signal<BestPrices> {
  let found = prices.get(symbol)
  if (found === undefined) prices.set(symbol, (found = signal(noPrices)))
  return found
}

/** Follows the chosen option, whose quote the book shows, and those whose best price may be an own order. */
export function startProviderQuotes(): void {
  onMessage('IndicativeMarketData', ({ instrument, best_bid: bid, best_ask: ask }) => {
    if (!subscriptions.has(instrument)) return
    providersOf(instrument).value = { bid: Number(bid) || null, ask: Number(ask) || null }
  })
  effect(() => {
    const chosen = optionOf(chosenSymbol.value)
    follow(new Set(chosen === null ? bookSymbols.value : [chosen, ...bookSymbols.value]))
  })
}

function follow(symbols: ReadonlySet<string>): void {
  for (const [symbol, end] of subscriptions) {
    if (symbols.has(symbol)) continue
    end()
    subscriptions.delete(symbol)
    providersOf(symbol).value = noPrices
  }
  for (const symbol of symbols) {
    if (subscriptions.has(symbol)) continue
    subscriptions.set(symbol, stream.subscribe('indicative_market_data', { symbols: [symbol] }))
  }
}
