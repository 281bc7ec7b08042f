import { formatMicros, parseAmountMicros, parseSizeLots } from '../../schemas/decimal.js'
import { Side } from '../../schemas/domain.js'
import { netPremiumMicros, type PricedLeg } from '../../schemas/net-premium.js'
import type { RfqQuoteTerms } from './signed-actions.js'

/**
 * Returns the net premium of a combo at these prices, as a firm quote states it: decimal text, USD, from the taker's
 * point of view, truncated to micros.
 * @throws RangeError if a price or size is not a positive decimal, or the premium exceeds the exchange's range.
 * @example
 * netPremiumOf([{ instrument: symbol, side: 'buy', size: '2', price: '1000.5' }]) // '-2001'
 */
export function netPremiumOf(legs: RfqQuoteTerms['legs']): string {
  const micros = netPremiumMicros(legs.map(pricedLeg))
  if (Number.isNaN(micros)) throw new RangeError('the premium is above what the exchange can hold')
  return formatMicros(micros)
}

function pricedLeg({ instrument, side, size, price }: RfqQuoteTerms['legs'][number]): PricedLeg {
  const [sizeLots, priceMicros] = [parseSizeLots(size), parseAmountMicros(price)]
  if (!(sizeLots > 0 && priceMicros > 0)) {
    throw new RangeError(`${instrument}: ${size} at ${price} is no size and price`)
  }
  return { side: side.toLowerCase() === 'buy' ? Side.Buy : Side.Sell, sizeLots, priceMicros }
}
