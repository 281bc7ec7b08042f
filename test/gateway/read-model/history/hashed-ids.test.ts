import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { HashedKeys, hashedPlace } from '../../../../gateway/read-model/history/hashed-ids.js'
import { orders } from '../../../../gateway/read-model/history/history-tables.js'
import { RowPacker } from '../../../../gateway/read-model/history/packed-rows.js'
import type { Row } from '../../../../gateway/read-model/history/table.js'

const numbers = Object.keys(orders.columns).map((name) => [name, 0] as const)

/** Where the list has an order; null: it has it not. */
function listedPlace(order: Partial<Row<typeof orders>>) {
  const packer = new RowPacker(orders)
  packer.packRow({ ...Object.fromEntries(numbers), wallet: walletOf(1), builder: null, ...order })
  const keys = new HashedKeys(orders)
  const isListed = keys.read(packer.out.written(), 0)
  return isListed ? { owner: keys.owner, part: keys.part } : null
}

test('a row stands where a search for its wallet and text looks, whatever else it says', () => {
  for (const wallet of [1, 2, 77].map(walletOf)) {
    for (const clientId of ['a', 'order-17', 'x'.repeat(64)]) {
      const facts = { wallet, clientId, priceMicros: 2 ** 40, sizeLots: 5, flags: 3 }
      const place = hashedPlace(wallet, clientId)
      assert.deepEqual(listedPlace(facts), place)
      assert.deepEqual(listedPlace({ ...facts, builder: walletOf(9) }), place)
    }
  }
})

test('a row without the text is in no place', () => {
  assert.equal(listedPlace({ clientId: '' }), null)
})

test('places are spread over all owners, and hardly any two are one', () => {
  const places = Array.from({ length: 20_000 }, (_, i) =>
    hashedPlace(walletOf(1 + (i % 7)), `c${i}`),
  )
  const owners = new Map<number, number>()
  for (const { owner } of places) owners.set(owner, (owners.get(owner) ?? 0) + 1)
  assert.equal(owners.size, 256)
  assert.ok(Math.max(...owners.values()) < 160)
  assert.ok(new Set(places.map(({ owner, part }) => `${owner} ${part}`)).size > 19_990)
})
