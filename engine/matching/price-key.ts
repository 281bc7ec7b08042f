import { Side } from '../../schemas/domain.js'
import { keyMax } from './level-index.js'

const keyLimit = keyMax
const buy = Side.Buy

/** Key of a price: the better the price for the other side, the less. */
export function keyOf(side: Side, priceIndex: number): number {
  return side === buy ? keyLimit - priceIndex : priceIndex
}

/** The price of a key; `keyOf` is its own inverse. */
export const indexOfKey = keyOf
