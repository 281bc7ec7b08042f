import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { orders } from '../../../../gateway/read-model/history/history-tables.js'
import { IdLister } from '../../../../gateway/read-model/history/id-lists.js'
import { latestByClientId } from '../../../../gateway/read-model/history/order-sources.js'
import { BlockRemover, selecting } from '../../../../gateway/read-model/history/row-blocks.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { OrderStatus } from '../../../../schemas/domain.js'
import { putRows } from '../../../support/packed-rows.js'

const [wallet, other] = [walletOf(1), walletOf(2)]

function openOrders(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'order-sources-'))
  const database = openHistory(folder)
  context.after(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  const lister = new IdLister(database, orders)
  return {
    database,
    /** Orders that have ended. */
    put(first: number, count: number, clientId: string) {
      const numbers = Array.from({ length: count }, (_, i) => first + i)
      const facts = { wallet, clientId, status: OrderStatus.Filled }
      const rows = numbers.map((number) => ({ ...facts, orderId: number * underlyingsMax }))
      putRows(database, orders, rows)
    },
    list: () => lister.takeUp(),
    latest(clientId: string, of = wallet) {
      const found = latestByClientId(selecting(database), of, clientId)
      return found === null ? null : found.orderId / underlyingsMax
    },
  }
}

test('the latest order of a client id is found among many of one, listed or not', (context) => {
  const store = openOrders(context)
  store.put(1, 50, 'a')
  store.put(51, 10, 'b')
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => store.latest(id)),
    [50, 60, null],
  )
  store.list()
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => store.latest(id)),
    [50, 60, null],
  )
  store.put(61, 1, 'a')
  assert.equal(store.latest('a'), 61)
  assert.equal(store.latest('a', other), null)
})

test('ids of the list whose orders have gone are passed over', (context) => {
  const store = openOrders(context)
  store.put(1, 100, 'a')
  store.list()
  new BlockRemover(store.database, orders).above(40 * underlyingsMax)
  assert.equal(store.latest('a'), 40)
  new BlockRemover(store.database, orders).above(0)
  assert.equal(store.latest('a'), null)
})

test('of an order that stands apart and others the latest counts', (context) => {
  const store = openOrders(context)
  const apart = store.database.prepare('insert into kept_client_ids values (?, ?, ?)')
  store.put(10, 3, 'a')
  store.list()
  apart.run(wallet, 'a', 5 * underlyingsMax)
  assert.equal(store.latest('a'), 12)
  store.put(20, 1, '')
  store.put(5, 1, 'b')
  store.list()
  apart.run(wallet, 'b', 5 * underlyingsMax)
  assert.equal(store.latest('b'), 5)
})
