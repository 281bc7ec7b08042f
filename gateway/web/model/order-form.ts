import { parsePriceMicros, parseSizeLots } from '../../../schemas/decimal.js'

/** What is written in a form of an order. */
export interface OrderTexts {
  readonly symbol: string
  readonly price: string
  readonly size: string
}

/** Why an order cannot be sent as it is written; null: it can. */
export function orderFault({ symbol, price, size }: OrderTexts): string | null {
  if (symbol === '') return 'Choose an option'
  if (!(parseSizeLots(size) > 0)) return 'The size is no decimal above 0'
  if (!(parsePriceMicros(price) > 0)) return 'The price is no decimal above 0 of 5 figures'
  return null
}

/** What it costs, or brings, without fees. */
export function premiumOf({ price, size }: Pick<OrderTexts, 'price' | 'size'>): number | null {
  const premium = Number(price) * Number(size)
  return Number.isFinite(premium) && price !== '' && size !== '' ? premium : null
}
