import {
  decimalFaultText,
  formatLots,
  parsePriceMicros,
  parseSignedLots,
  parseSizeLots,
} from '../../../schemas/decimal.js'
import type { SideName, TifName } from '../../../schemas/wire-types.js'

/** Input texts of the order form. */
export interface OrderTexts {
  readonly symbol: string
  readonly price: string
  readonly size: string
}

/** Returns the reason why an order cannot be sent; null: it can. */
export function orderFault(texts: OrderTexts): string | null {
  return missingInput(texts) ?? typedFault(texts)
}

/** Names the next input that an order needs; null: nothing is missing. */
export function missingInput({ symbol, price, size }: OrderTexts): string | null {
  if (symbol === '') return 'Select an option or a perp'
  if (size === '') return 'Enter a size'
  return price === '' ? 'Enter a price' : null
}

/** Returns the fault of the typed numbers; null: none, or nothing is typed yet. */
export function typedFault({ price, size }: Pick<OrderTexts, 'price' | 'size'>): string | null {
  const lots = size === '' ? 0 : parseSizeLots(size)
  if (lots < 0) return `Size ${decimalFaultText(lots, parseSizeLots)}`
  const micros = price === '' ? 0 : parsePriceMicros(price)
  return micros < 0 ? `Price ${decimalFaultText(micros, parsePriceMicros)}` : null
}

/** Best prices on the other side that an order may trade at in USD; null: no price. */
export interface Reachable {
  /** Best firm price of other wallets on the book. */
  readonly book: number | null
  /** Best indicative price of the providers, if it is better than the book's. */
  readonly provider: number | null
}

/** Returns the immediate effect of an order. */
export function executionText(
  { side, price, tif }: { readonly side: SideName; readonly price: string; readonly tif: TifName },
  { book, provider }: Reachable,
): string | null {
  if (!(parsePriceMicros(price) > 0)) return null
  const isReaching = (quote: number | null) =>
    quote !== null && (side === 'Buy' ? Number(price) >= quote : Number(price) <= quote)
  if (tif === 'alo')
    return isReaching(book) ? 'rejected: would trade on arrival' : 'rests on the book'
  if (isReaching(book)) return 'trades now'
  if (isReaching(provider)) {
    return `provider auction; ${tif === 'gtc' ? 'rests' : 'canceled'} if unfilled`
  }
  return tif === 'gtc' ? 'rests on the book' : 'canceled: no quote at this price'
}

/** Returns price times size, without fees; null if an input is missing. */
export function premiumOf({ price, size }: Pick<OrderTexts, 'price' | 'size'>): number | null {
  const premium = Number(price) * Number(size)
  return Number.isFinite(premium) && price !== '' && size !== '' ? premium : null
}

/** Sizes of an order, as in messages. */
interface OrderSizes {
  readonly size: string
  readonly filled_size: string
}

/** Returns the lots of an order that are not filled. */
export function openLots({ size, filled_size }: OrderSizes): number {
  return parseSignedLots(size) - parseSignedLots(filled_size)
}

/** Returns the open size of an order as text. */
export function openSize(order: OrderSizes): string {
  return formatLots(openLots(order))
}

/**
 * Returns the rest of a size to order again after an order has ended.
 * @param filledBefore filled size of the order when the user typed the new size.
 * @returns null if the order has filled that much since.
 */
export function sizeLeft(size: string, filledBefore: string, filled: string): string | null {
  const since = parseSignedLots(filled) - parseSignedLots(filledBefore)
  const left = parseSizeLots(size) - since
  return left > 0 ? formatLots(left) : null
}

/** Moves a price by one step of its last figure. Returns it unchanged if the result would not be positive. */
export function steppedPrice(price: string, steps: 1 | -1): string {
  const decimals = price.split('.')[1]?.length ?? 0
  const stepped = (Number(price) + steps * 10 ** -decimals).toFixed(decimals)
  return parsePriceMicros(price) > 0 && parsePriceMicros(stepped) > 0 ? stepped : price
}
