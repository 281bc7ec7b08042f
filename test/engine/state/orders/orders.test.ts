import assert from 'node:assert/strict'
import { test } from 'node:test'
import { none } from '../../../../engine/memory/rows.js'
import { handleOf, OrderStore, slotOf } from '../../../../engine/state/orders/orders.js'

test('rows are allocated densely and reused once free', () => {
  const orders = new OrderStore(4)
  const slots = [orders.take(), orders.take(), orders.take()]
  assert.deepEqual(slots.map(handleOf), [0, 1, 2])
  orders.orderId[slots[1]!] = 5
  orders.free(slots[1]!)
  assert.equal(orders.take(), slots[1])
  assert.equal(orders.take(), slotOf(3))
})

test('the columns of a row are independent', () => {
  const orders = new OrderStore(4)
  const [a, b] = [orders.take(), orders.take()]
  const columns = Object.values(orders).filter((column) => ArrayBuffer.isView(column))
  const ofRows = (columns as Uint8Array[]).filter((column) => column.length > b)
  for (const [i, column] of ofRows.entries()) {
    column[a] = i + 1
    column[b] = 100 + i
  }
  const read = (slot: number) => ofRows.map((column) => column[slot])
  assert.ok(ofRows.length >= 21, 'doubles, words and bytes')
  assert.deepEqual(
    read(a),
    ofRows.map((_, i) => i + 1),
  )
  assert.deepEqual(
    read(b),
    ofRows.map((_, i) => 100 + i),
  )
})

test('freeing a slot twice is a bug', () => {
  const orders = new OrderStore(4)
  const slot = orders.take()
  orders.orderId[slot] = 5
  orders.free(slot)
  assert.throws(() => orders.free(slot), /freed twice/)
})

test('columns keep their values when they grow, also client ids and builders', () => {
  const orders = new OrderStore(2)
  const words = new Int32Array(21)
  for (let i = 0; i < 9; i++) {
    const slot = orders.take()
    orders.priceMicros[slot] = i
    words.fill(i + 1, 0, 16).fill(i % 2, 16)
    orders.setTexts(slot, words, 64 * (i % 3 === 0 ? 0 : 1), 0, 16)
  }
  assert.equal(orders.capacity, 16)
  const read = new Int32Array(21)
  for (let i = 0; i < 9; i++) {
    assert.equal(orders.priceMicros[slotOf(i)], i)
    orders.copyClientId(slotOf(i), read, 0)
    orders.copyBuilder(slotOf(i), read, 16)
    assert.deepEqual([read[0], read[15]], i % 3 === 0 ? [0, 0] : [i + 1, i + 1])
    assert.deepEqual([read[16], read[20]], [i % 2, i % 2])
  }
})

test('a large store grows by one thirty-second, and a freed slot has no client id', () => {
  const orders = new OrderStore(1 << 16)
  for (let i = 0; i <= 1 << 16; i++) orders.orderId[orders.take()] = i + 1
  assert.equal(orders.capacity, (1 << 16) + (1 << 11))
  orders.setTexts(slotOf(5), new Int32Array(21).fill(7), 64, 0, 16)
  orders.free(slotOf(5))
  assert.equal(orders.text[orders.take()], none)
})

test('working orders of an instrument stay in order, whichever is removed', () => {
  const orders = new OrderStore(8)
  const [a, b, c] = [100, 100, 100].map((instrument) => {
    const slot = orders.take()
    orders.instrument[slot] = instrument
    orders.linkInstrument(slot)
    return slot
  }) as [number, number, number]
  assert.deepEqual(listOf(orders, 100), [a, b, c])
  orders.unlinkInstrument(b)
  assert.deepEqual(listOf(orders, 100), [a, c])
  orders.unlinkInstrument(a)
  orders.unlinkInstrument(c)
  assert.deepEqual(listOf(orders, 100), [])
  orders.linkInstrument(b)
  assert.deepEqual(listOf(orders, 100), [b])
  assert.equal(orders.firstOf(5000), none, 'an instrument beyond all seen')
})

test('removing an order from its queue twice stops the engine', () => {
  const orders = new OrderStore(8)
  const [first, second] = [orders.take(), orders.take()]
  for (const slot of [first, second]) {
    orders.instrument[slot] = 3
    orders.linkInstrument(slot)
  }
  orders.unlinkInstrument(first)
  assert.throws(() => orders.unlinkInstrument(first), /the order is in its queue/)
  assert.deepEqual(listOf(orders, 3), [second])
})

function listOf(orders: OrderStore, instrument: number): number[] {
  const slots: number[] = []
  let slot = orders.firstOf(instrument)
  for (; slot !== none; slot = orders.nextInInstrument[slot]!) slots.push(slot)
  return slots
}
