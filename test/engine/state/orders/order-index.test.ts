import assert from 'node:assert/strict'
import { test } from 'node:test'
import { none } from '../../../../engine/memory/rows.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { OrderIndex } from '../../../../engine/state/orders/order-index.js'
import { builderWords, clientIdWords } from '../../../../engine/state/orders/order-texts.js'
import { OrderStore } from '../../../../engine/state/orders/orders.js'
import { finalFactsKept, underlyingsMax } from '../../../../schemas/bounds.js'
import { OrderStatus } from '../../../../schemas/domain.js'

test('orders are found by id while they work and shortly after their end', () => {
  const { orders, index } = rig()
  const slots = Array.from({ length: 5000 }, (_, i) => add(orders, index, i + 1))
  for (const [i, slot] of slots.entries()) assert.equal(index.find(idOf(i + 1)), slot)
  assert.equal(index.find(idOf(6000)), none)
  index.end(slots[10]!)
  assert.equal(index.find(idOf(11)), slots[10])
})

test('an order that ended long ago has only status and account', () => {
  const { orders, index } = rig()
  for (let i = 1; i <= finalFactsKept + 10; i++) {
    const slot = add(orders, index, i)
    orders.status[slot] = i % 2 === 0 ? OrderStatus.Filled : OrderStatus.Canceled
    index.end(slot)
  }
  assert.equal(index.find(idOf(10)), none)
  assert.equal(index.forgottenStatus(idOf(10), 3), OrderStatus.Filled)
  assert.equal(index.forgottenStatus(idOf(9), 3), OrderStatus.Canceled)
  assert.equal(index.forgottenStatus(idOf(9), 4), OrderStatus.None, 'of another wallet')
  assert.notEqual(index.find(idOf(11)), none)
  assert.equal(orders.high, finalFactsKept + 1, 'slots are used again')
})

test('the hash covers ended orders in the order of their ends, until their facts are dropped', () => {
  const hashAfter = (ended: readonly number[]) => {
    const { orders, index, hash } = rig()
    for (const number of ended) index.end(add(orders, index, number))
    return `${hash.low} ${hash.high}`
  }
  const all = Array.from({ length: finalFactsKept + 2 }, (_, i) => i + 1)
  const turned = (at: number) => all.with(at, at + 2).with(at + 1, at + 1)
  assert.equal(new Set([hashAfter([1, 2, 3]), hashAfter([2, 1, 3]), hashAfter([1, 3, 2])]).size, 3)
  assert.equal(hashAfter(turned(0)), hashAfter(all), 'two that are forgotten')
  assert.notEqual(hashAfter(turned(2)), hashAfter(all), 'the two that ended first')
  assert.notEqual(hashAfter(turned(finalFactsKept)), hashAfter(all), 'the two that ended last')
})

test('memory reserved at the start does not change lookups', () => {
  const { orders, index } = rig()
  const early = add(orders, index, 1, 'abc')
  orders.reserve(20_000)
  index.reserve(20_000)
  assert.equal(orders.capacity, 20_000)
  const late = add(orders, index, 2, 'def')
  assert.equal(index.find(idOf(1)), early)
  assert.equal(index.find(idOf(2)), late)
  assert.equal(index.findClient(3, bytes('abc'), 0, 3), early)
  assert.equal(index.findClient(3, bytes('def'), 0, 3), late)
  assert.equal(orders.text[orders.take()], none, 'a slot just taken has no text')
  for (let i = 3; i < 30_000; i++) add(orders, index, i)
  assert.ok(orders.capacity > 20_000, 'more than was taken at the start have room, too')
  assert.equal(index.find(idOf(1)), early)
})

test('a client id belongs to one working order of its account', () => {
  const { orders, index } = rig()
  const slot = add(orders, index, 1, 'abc')
  assert.equal(index.findClient(3, bytes('abc'), 0, 3), slot)
  assert.equal(index.findClient(4, bytes('abc'), 0, 3), none)
  assert.equal(index.findClient(3, bytes('abd'), 0, 3), none)
  index.end(slot)
  assert.equal(index.findClient(3, bytes('abc'), 0, 3), none)
})

test('a replacement may take over the client id, and a rejected one returns it', () => {
  const { orders, index } = rig()
  const old = add(orders, index, 1, 'abc')
  const replacement = add(orders, index, 2, 'abc')
  assert.equal(index.findClient(3, bytes('abc'), 0, 3), replacement)
  index.discard(replacement)
  orders.openLots[old] = 1
  index.reclaimClient(old)
  assert.equal(index.findClient(3, bytes('abc'), 0, 3), old)
  const second = add(orders, index, 3, 'abc')
  orders.openLots[old] = 0
  index.end(old)
  assert.equal(index.findClient(3, bytes('abc'), 0, 3), second)
})

test('great numbers of client ids are added and removed without losing any', () => {
  const { orders, index } = rig()
  const live = new Map<string, number>()
  for (let i = 1; i <= 20_000; i++) {
    const clientId = `c${i}`
    live.set(clientId, add(orders, index, i, clientId))
    if (i % 3 !== 0) continue
    const [first] = live
    index.end(first![1])
    live.delete(first![0])
  }
  for (const [clientId, slot] of live) {
    assert.equal(index.findClient(3, bytes(clientId), 0, clientId.length), slot)
  }
})

test('a second order of an id, or the end of an open order, stops the engine', () => {
  const { orders, index } = rig()
  const slot = add(orders, index, 1)
  assert.throws(() => add(orders, index, 1), /an id has one order/)
  orders.openLots[slot] = 5
  assert.throws(() => index.end(slot), /a final order has no open lots/)
})

function rig() {
  const [orders, hash] = [new OrderStore(), new StateHash()]
  return { orders, hash, index: new OrderIndex(orders, hash) }
}

function idOf(counter: number): number {
  return counter * underlyingsMax + 2
}

function add(orders: OrderStore, index: OrderIndex, counter: number, clientId = ''): number {
  const slot = orders.take()
  orders.orderId[slot] = idOf(counter)
  orders.account[slot] = 3
  const words = new Int32Array(clientIdWords + builderWords)
  new Uint8Array(words.buffer).set(bytes(clientId))
  orders.setTexts(slot, words, clientId.length, 0, clientIdWords)
  index.add(slot)
  return slot
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
