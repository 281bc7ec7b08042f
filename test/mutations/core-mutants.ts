import type { Mutant } from './mutant.js'

export const coreMutants: readonly Mutant[] = [
  {
    file: 'engine/state/accounts/nonces.ts',
    fault: 'a full window forgets that it dropped a nonce',
    original: 'return this.has(high, low) || (this.overflowed && this.isBelowLowest(high, low))',
    replacement: 'return this.has(high, low)',
  },
  {
    file: 'engine/state/accounts/kept-outcomes.ts',
    fault: 'a repeat is found by half of its nonce',
    original: 'words[first + nonceAt + 1] !== nonceLow || words[first + nonceAt] !== nonceHigh',
    replacement: 'words[first + nonceAt + 1] !== nonceLow',
  },
  {
    file: 'engine/state/orders/order-index.ts',
    fault: 'an ended order takes its client id away from the order that replaced it',
    original: 'this.#clients.slotAt(cell) === slot',
    replacement: 'true',
  },
  {
    file: 'engine/state/orders/order-index.ts',
    fault: 'the hash does not know in which order orders have ended',
    original: 'rowDoubles[1] = orderId[next]',
    replacement: 'rowDoubles[1] = orderId[slot]',
  },
  {
    file: 'engine/state/orders/slot-index.ts',
    fault: 'a removed order leaves a hole before another one’s place',
    original: 'this.#distance(home, place) < this.#distance(hole, place)',
    replacement: 'this.#distance(home, place) <= this.#distance(hole, place)',
  },
  {
    file: 'engine/state/market/expiry-queue.ts',
    fault: 'instruments of one expiry change their order',
    original: 'this.#millis[at - 1] > expiryMillis',
    replacement: 'this.#millis[at - 1] >= expiryMillis',
  },
  {
    file: 'engine/core/orders/decide-order.ts',
    fault: 'one order more than the cap',
    original: 'otherOrders(state, order) >= openOrdersMax',
    replacement: 'otherOrders(state, order) > openOrdersMax',
  },
  {
    file: 'engine/core/orders/decide-order.ts',
    fault: 'a replacement cannot keep its client id',
    original: 'same !== none && same !== batch.oldSlot[ticket]',
    replacement: 'same !== none',
  },
  {
    file: 'engine/core/orders/take-results.ts',
    fault: 'every replacement counts one working order less',
    original: 'slot === batch.oldSlot[ticket]',
    replacement: 'false',
  },
  {
    file: 'engine/core/decide-signed.ts',
    fault: 'a command does not wait for an undecided one with its nonce',
    original: 'return undecidedNonce(batch, account, command) !== none',
    replacement: 'return false',
  },
  {
    file: 'engine/state/matcher-links.ts',
    fault: 'all orders are sent in one round',
    original: '(this.#round + 1) | 0',
    replacement: 'this.#round',
  },
]
