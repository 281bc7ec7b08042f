import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandomSource } from '../../../../gateway/feeds/random-source.js'
import {
  noOrder,
  OrderTable,
  type TableOrder,
} from '../../../../gateway/read-model/views/order-table.js'
import { Side } from '../../../../schemas/domain.js'

function orderOf(orderId: number): TableOrder {
  const terms = { instrument: 7, side: Side.Sell, flags: 4, priceMicros: 5 }
  return { orderId, ...terms, sizeLots: 9, filledLots: 1 }
}

test('an order is found with all its values', () => {
  const table = new OrderTable(2)
  const slot = table.add(3, orderOf(1025))
  assert.equal(table.find(1025), slot)
  assert.deepEqual(
    [table.orderId[slot], table.account[slot], table.instrument[slot], table.side[slot]],
    [1025, 3, 7, 1],
  )
  assert.deepEqual(
    [table.flags[slot], table.priceMicros[slot], table.sizeLots[slot], table.openLots[slot]],
    [4, 5, 9, 8],
  )
  assert.equal(table.find(1026), noOrder)
})

test('an order is added once and removed once', () => {
  const table = new OrderTable(2)
  const slot = table.add(0, orderOf(1))
  assert.throws(() => table.add(0, orderOf(1)), /added once/)
  table.remove(slot)
  assert.throws(() => table.remove(slot), /removed once/)
})

test('ids that differ only in their upper half are distinguished', () => {
  const table = new OrderTable(2)
  const ids = [5, 5 + 2 ** 32, 5 + 2 ** 40, 5 + 2 ** 52]
  const slots = ids.map((id, account) => table.add(account, orderOf(id)))
  assert.deepEqual(
    ids.map((id) => table.find(id)),
    slots,
  )
})

test('added and removed orders leave the table at the maximum number that worked at once', () => {
  const table = new OrderTable(64)
  for (let id = 1; id <= 10_000; id++) {
    table.add(id, orderOf(id))
    if (id > 60) table.remove(table.find(id - 60))
  }
  assert.equal(table.count, 60)
  assert.equal(table.orderId.length, 64)
})

test('after any additions and removals it finds the orders of a map', () => {
  const seed = Date.now() % 1_000_000
  const random = createRandomSource(seed)
  const table = new OrderTable(4)
  const twin = new Map<number, number>()
  for (let step = 0; step < 40_000; step++) {
    const id = (1 + Math.floor(random.next() * 3000)) * 1024 + (step % 3)
    const slot = table.find(id)
    assert.equal(slot === noOrder, !twin.has(id), `seed ${seed}, step ${step}`)
    if (slot === noOrder) {
      twin.set(id, step)
      table.add(step, orderOf(id))
    } else {
      assert.equal(table.account[slot], twin.get(id), `seed ${seed}, step ${step}`)
      if (random.next() < 0.9) {
        twin.delete(id)
        table.remove(slot)
      }
    }
  }
  assert.equal(table.count, twin.size, `seed ${seed}`)
  for (const [id, step] of twin) assert.equal(table.account[table.find(id)], step, `seed ${seed}`)
})
