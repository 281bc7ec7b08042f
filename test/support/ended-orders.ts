import { builderWords, clientIdWords } from '../../engine/state/orders/order-texts.js'
import { underlyingsMax } from '../../schemas/bounds.js'
import { OrderStatus } from '../../schemas/domain.js'
import type { CoreRig } from './core-rig.js'

/** Owner of all orders that end here. */
export const endedOwner = 2
const texts = new Int32Array(clientIdWords + builderWords)

/** Creates an order and ends it immediately: filled if its counter is even, else canceled. */
export function endOrder({ state }: CoreRig, counter: number): void {
  const { orders, orderIndex } = state
  const slot = orders.take()
  orders.orderId[slot] = endedId(counter)
  orders.account[slot] = endedOwner
  orders.filledMicros[slot] = counter
  orders.setTexts(slot, texts, 0, 0, clientIdWords)
  orderIndex.add(slot)
  orders.status[slot] = counter % 2 === 0 ? OrderStatus.Filled : OrderStatus.Canceled
  orderIndex.end(slot)
}

export function endedId(counter: number): number {
  return counter * underlyingsMax
}
