import { orderNumberOf } from '../../engine/core/orders/explain-order.js'
import { none } from '../../engine/memory/rows.js'
import type { OrderIndex } from '../../engine/state/orders/order-index.js'
import type { OrderStore } from '../../engine/state/orders/orders.js'
import { OrderStatus } from '../../schemas/domain.js'
import { stateBefore } from './find-order.js'
import { orderSubject, type StoryStep, storyOf } from './story.js'
import type { VenueFolder } from './venue-folder.js'

export interface OrderStoryState {
  readonly orderIndex: OrderIndex
  readonly orders: OrderStore
}

/**
 * Returns the story of an order, replayed from the newest snapshot before it up to its end. After its end it contains only
 * commands that name the order.
 * @throws JournalDamage, JournalRefusal, ReplayDivergence
 */
export function orderStory(folder: VenueFolder, orderId: number): Generator<StoryStep> {
  const number = orderNumberOf(orderId)
  return storyOf(folder, orderSubject(orderId), {
    fromBatch: stateBefore(folder, number),
    isOver: (state) => state.orderCount >= number && !isWorking(state, orderId),
  })
}

/** Returns true if an order rests in a book, or waits for quotes. */
export function isWorking({ orderIndex, orders }: OrderStoryState, orderId: number): boolean {
  const slot = orderIndex.find(orderId)
  if (slot === none) return false
  const status = orders.status[slot] as OrderStatus
  return status < OrderStatus.Filled
}
