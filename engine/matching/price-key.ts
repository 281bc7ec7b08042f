import { Side } from '../../schemas/domain.js'
import { keyMax } from './key-tree.js'

const keyBits = keyMax
const buy = Side.Buy

/**
 * Key of a price: the better the price for the other side, the less. A buy's is `keyMax` less its
 * price, which turns all its bits; without a branch, since nobody can guess a side.
 */
export function keyOf(side: Side, priceIndex: number): number {
  return priceIndex ^ ((side - (buy + 1)) & keyBits)
}

/** The price of a key; `keyOf` is its own inverse. */
export const indexOfKey = keyOf
