import { significantFiguresMax } from '../../../schemas/bounds.js'
import { formatMicros, parsePriceMicros, parseSignedLots } from '../../../schemas/decimal.js'
import type { SideName } from '../../../schemas/wire-types.js'
import type { BookLevel } from '../../client/local-book.js'
import { decimalFaultOf, scaledDown, scaledUp } from '../../wire/exact-decimal.js'
import { isRestingAt, type RestingOrder } from './book-ladder.js'
import { openLots } from './order-form.js'

/** Best prices of both sides in USD; null: no price. */
export interface BestPrices {
  readonly bid: number | null
  readonly ask: number | null
}

/** Origin of a price: another wallet's order on the book, a quote provider, or an order of this wallet. */
export type QuoteSource = 'book' | 'provider' | 'own'

/** Price of one side as the chain shows it. */
export interface ShownQuote {
  readonly price: number | null
  readonly source: QuoteSource | null
}

/** Inputs of the price that the chain shows on one side of an option. */
export interface QuoteParts {
  /** Best price of book and providers, from the `options_chain` channel. */
  readonly best: number | null
  /** Origin of `best`, from the same message. */
  readonly source: 'book' | 'provider' | null
  /** The same for the other side. */
  readonly opposite: number | null
  /** Best price of other wallets on the book; null: none, or unknown. */
  readonly book: number | null
  /** Best indicative price of the providers; null: none, or unknown. */
  readonly provider: number | null
  /** Prices of the wallet's own working orders on this side. */
  readonly own: readonly number[]
}

const noQuote: ShownQuote = { price: null, source: null }
const microsDecimals = 6

/**
 * Returns the price that the chain shows on one side.
 * An own order is not a price to trade at, so the best price of others replaces it. An own order without any price of
 * others is shown as `own`, unless it reaches the other side: then the row would look crossed.
 */
export function shownQuote(side: keyof BestPrices, parts: QuoteParts): ShownQuote {
  const { best, source, opposite, book, provider, own } = parts
  if (best === null) return noQuote
  const isOwn = source === 'book' && own.includes(best)
  if (!isOwn || best === book) return { price: best, source }
  const others = betterOf(side, book, provider)
  if (others !== null) return { price: others, source: others === book ? 'book' : 'provider' }
  const isReaching = opposite !== null && (side === 'bid' ? best >= opposite : best <= opposite)
  return isReaching ? noQuote : { price: best, source: 'own' }
}

/** Returns the book's price if both are equal: only the book is firm. */
function betterOf(
  side: keyof BestPrices,
  book: number | null,
  provider: number | null,
): number | null {
  if (book === null || provider === null) return book ?? provider
  return side === 'bid' ? Math.max(book, provider) : Math.min(book, provider)
}

/** Returns the best price of a book side without the wallet's own orders. */
export function bestOfOthers(
  levels: readonly BookLevel[],
  side: SideName,
  own: readonly RestingOrder[],
): number | null {
  for (const { price, size } of levels) {
    let leftLots = parseSignedLots(size)
    for (const order of own) {
      if (isRestingAt(order, side, price)) leftLots -= openLots(order)
    }
    if (leftLots > 0) return Number(price)
  }
  return null
}

/**
 * Returns the price text of an order that trades at a quote. A provider's quote may have more figures than an order:
 * a buy is rounded up and a sell down, so that the order still reaches the quote.
 */
export function takingPrice(quote: number | string | null, side: SideName): string {
  if (quote === null) return ''
  const text = String(quote)
  if (parsePriceMicros(text) > 0) return text
  if (decimalFaultOf(text) !== null) return ''
  const micros = (side === 'Buy' ? scaledUp : scaledDown)(text, microsDecimals)
  const stepMicros = 10 ** Math.max(0, String(micros).length - significantFiguresMax)
  const beyond = micros % stepMicros
  const isRaised = side === 'Buy' && beyond > 0
  const priceMicros = micros - beyond + (isRaised ? stepMicros : 0)
  return priceMicros > 0 ? formatMicros(priceMicros) : ''
}
