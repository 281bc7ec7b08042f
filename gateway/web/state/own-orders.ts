import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { FedOrder } from '../../client/order-feed.js'

/** Working orders of the wallet, the latest first. */
export const workingOrders = signal<readonly FedOrder[]>([])

/** Working orders by symbol; the symbol of the latest order first. */
export const ordersBySymbol = computed(() => {
  const orders = new Map<string, FedOrder[]>()
  for (const order of workingOrders.value) {
    const found = orders.get(order.symbol)
    if (found === undefined) orders.set(order.symbol, [order])
    else found.push(order)
  }
  return orders
})

const none: readonly FedOrder[] = []
const ofSymbols = new Map<string, ReadonlySignal<readonly FedOrder[]>>()

/** Returns the working orders of one symbol. Orders of other symbols do not change the signal while it has none. */
export function ownOrdersOf(symbol: string): ReadonlySignal<readonly FedOrder[]> {
  let found = ofSymbols.get(symbol)
  if (found === undefined) {
    found = computed(() => ordersBySymbol.value.get(symbol) ?? none)
    ofSymbols.set(symbol, found)
  }
  return found
}
