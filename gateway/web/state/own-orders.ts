import { computed, signal } from '@preact/signals'
import type { FedOrder } from '../../client/order-feed.js'

/** Working orders of the wallet, the latest first. */
export const workingOrders = signal<readonly FedOrder[]>([])

/** How many work, by symbol. */
export const ordersBySymbol = computed(() => {
  const counts = new Map<string, number>()
  for (const { symbol } of workingOrders.value) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
  return counts
})
