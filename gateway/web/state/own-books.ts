import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type BookLevel, LocalBook } from '../../client/local-book.js'
import { type BestPrices, bestOfOthers } from '../model/shown-quote.js'
import { isPerp } from '../model/symbol-text.js'
import { ordersBySymbol, ownOrdersOf } from './own-orders.js'
import { rest, stream } from './venue.js'

/** Most books that the page keeps, those of the latest orders. In other books the prices of others are unknown. */
const booksMax = 12

interface Levels {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
}

/** Books of the options in which the wallet has orders; a new map when a book is added or closed. */
const levels = signal<ReadonlyMap<string, Signal<Levels>>>(new Map())
const books = new Map<string, LocalBook>()
const ofSymbols = new Map<string, ReadonlySignal<BestPrices | null>>()

/** Options in which the wallet has orders, those of the latest orders. */
export const bookSymbols = computed(() =>
  [...ordersBySymbol.value.keys()].filter((symbol) => !isPerp(symbol)).slice(0, booksMax),
)

/** Keeps the books in which the wallet has orders, because only a whole book shows the size of others. */
export function startOwnBooks(): void {
  effect(() => keepBooks(bookSymbols.value))
}

/** Returns the best prices of others on a book in which the wallet has orders; null: not known. */
export function othersBestOf(symbol: string): ReadonlySignal<BestPrices | null> {
  let found = ofSymbols.get(symbol)
  if (found === undefined) {
    found = computed(() => {
      const shown = levels.value.get(symbol)?.value
      if (shown === undefined) return null
      const own = ownOrdersOf(symbol).value
      return {
        bid: bestOfOthers(shown.bids, 'Buy', own),
        ask: bestOfOthers(shown.asks, 'Sell', own),
      }
    })
    ofSymbols.set(symbol, found)
  }
  return found
}

function keepBooks(symbols: readonly string[]): void {
  const kept = new Map(levels.peek())
  const added = symbols.filter((symbol) => !books.has(symbol))
  const ended = [...books.keys()].filter((symbol) => !symbols.includes(symbol))
  if (added.length + ended.length === 0) return
  for (const symbol of ended) {
    books.get(symbol)!.close()
    books.delete(symbol)
    kept.delete(symbol)
  }
  for (const symbol of added) {
    const shown = signal<Levels>({ bids: [], asks: [] })
    kept.set(symbol, shown)
    const onChange = ({ bids, asks }: LocalBook) => {
      shown.value = { bids, asks }
    }
    books.set(symbol, new LocalBook({ stream, rest, symbol, onChange }))
  }
  levels.value = kept
}
