import {
  formatLots,
  parsePriceMicros,
  parseSignedLots,
  parseSizeLots,
} from '../../../schemas/decimal.js'

/** What is written in a form of an order. */
export interface OrderTexts {
  readonly symbol: string
  readonly price: string
  readonly size: string
}

/** Why an order cannot be sent as it is written; null: it can. */
export function orderFault({ symbol, price, size }: OrderTexts): string | null {
  if (symbol === '') return 'Choose an option or a perp'
  if (!(parseSizeLots(size) > 0)) return 'The size is no decimal above 0'
  if (!(parsePriceMicros(price) > 0)) return 'The price is no decimal above 0 of 5 figures'
  return null
}

/** What it costs, or brings, without fees. */
export function premiumOf({ price, size }: Pick<OrderTexts, 'price' | 'size'>): number | null {
  const premium = Number(price) * Number(size)
  return Number.isFinite(premium) && price !== '' && size !== '' ? premium : null
}

/** What of an order still works. */
export function openSize(order: { readonly size: string; readonly filled_size: string }): string {
  return formatLots(parseSignedLots(order.size) - parseSignedLots(order.filled_size))
}

/**
 * What of a size is still to be ordered behind an order that has ended.
 * @param toldFilled what it had filled when the size was written.
 * @returns null: it has filled as much since.
 */
export function sizeLeft(size: string, toldFilled: string, filled: string): string | null {
  const since = parseSignedLots(filled) - parseSignedLots(toldFilled)
  const left = parseSizeLots(size) - since
  return left > 0 ? formatLots(left) : null
}

/** A price one step of its last figure up or down; as it is where that would be none. */
export function steppedPrice(price: string, steps: 1 | -1): string {
  const decimals = price.split('.')[1]?.length ?? 0
  const stepped = (Number(price) + steps * 10 ** -decimals).toFixed(decimals)
  return parsePriceMicros(price) > 0 && parsePriceMicros(stepped) > 0 ? stepped : price
}
