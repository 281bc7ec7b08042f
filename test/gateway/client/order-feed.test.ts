import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ActionOutcome } from '../../../gateway/client/answer-types.js'
import { ConnectionError } from '../../../gateway/client/client-error.js'
import type { Order } from '../../../gateway/client/generated/interface.js'
import { OrderFeed } from '../../../gateway/client/order-feed.js'
import { signPlaceOrder } from '../../../gateway/client/signed-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { FakeStream, settle } from '../../support/fake-stream.js'

type Rows = Map<number, { status: string; filled_size: string; created_at: number }>

/** A feed over a stream and lists of the test's own. */
function feedRig() {
  const stream = new FakeStream()
  const rows: Rows = new Map()
  const venue = { isDown: false, outcomes: [] as Partial<ActionOutcome>[], reads: 0 }
  const rowOf = (id: number) => ({ order_id: id, ...rows.get(id) }) as Order
  const client = {
    async orders({ status = '', limit = 50, offset = 0 } = {}) {
      if (venue.isDown) throw new Error('not_ready')
      venue.reads++
      const newest = [...rows.keys()].sort((one, other) => other - one).map(rowOf)
      const working = ['acked', 'open', 'partially_filled']
      const found = newest.filter((row) => status === '' || working.includes(row.status))
      return found.slice(offset, offset + limit)
    },
    orderStatus: async (id: string) => (rows.has(Number(id)) ? rowOf(Number(id)) : null),
    safety: { actionOutcome: async () => venue.outcomes.shift()! as ActionOutcome } as never,
  }
  const delivered: string[] = []
  const errors: string[] = []
  const lost = async () => {
    throw new ConnectionError('the stream went down before the answer')
  }
  const feed = new OrderFeed({
    stream: Object.assign(stream, { placeOrder: lost, replaceOrder: lost }),
    client,
    onOrder: ({ order_id: id, status, filled_size: filled }, isMissed) =>
      delivered.push(`${id} ${status} ${filled}${isMissed ? ' missed' : ''}`),
    onReconciled: () => delivered.push('reconciled'),
    onError: (error) => errors.push((error as Error).message),
  })
  const row = (id: number, status: string, filled = '0') =>
    rows.set(id, { status, filled_size: filled, created_at: id })
  const say = (order_id: number | null, status: string, filled_size = '0') =>
    stream.say({
      ...{ type: 'OrderUpdate', order_id, status, filled_size, timestamp: order_id },
      ...{ request: { price: '1', size: '2', symbol: 'A', side: 'Buy' } },
    })
  return { stream, venue, feed, delivered, errors, row, rows, say }
}

test('working orders are delivered first, then each change once, and ended ones are removed', async () => {
  const { feed, delivered, row, say } = feedRig()
  row(1, 'open')
  row(2, 'filled', '2')
  await settle()
  await settle()
  say(3, 'ACKED')
  say(3, 'OPEN')
  say(3, 'OPEN')
  say(1, 'PARTIALLY_FILLED', '1')
  say(3, 'CANCELED')
  say(3, 'CANCELED')
  say(null, 'REJECTED')
  const first = ['1 OPEN 0 missed', 'reconciled', '3 ACKED 0', '3 OPEN 0']
  assert.deepEqual(delivered, [...first, '1 PARTIALLY_FILLED 1', '3 CANCELED 0'])
  assert.deepEqual([...feed.working.keys()], [1])
})

test('orders that ended, changed, or were short-lived while the stream was down are delivered once', async () => {
  const { stream, feed, delivered, row, say } = feedRig()
  for (const id of [1, 2, 3]) row(id, 'open')
  await settle()
  await settle()
  delivered.length = 0
  stream.drop()
  row(1, 'canceled')
  row(2, 'partially_filled', '1')
  row(4, 'filled', '2')
  row(5, 'open')
  stream.connect()
  // Sent by the stream in the meantime; one of them is older than the list.
  say(2, 'OPEN')
  say(1, 'CANCELED')
  say(6, 'ACKED')
  for (let turns = 0; turns < 5; turns++) await settle()
  assert.deepEqual(delivered, [
    ...['1 CANCELED 0 missed', '2 PARTIALLY_FILLED 1 missed', '4 FILLED 2 missed'],
    ...['5 OPEN 0 missed', '6 ACKED 0', 'reconciled'],
  ])
  assert.deepEqual([...feed.working.keys()].sort(), [2, 3, 5, 6])
})

test('more orders than a page are all compared', async () => {
  const { stream, feed, delivered, row } = feedRig()
  for (let id = 1; id <= 130; id++) row(id, 'open')
  await settle()
  for (let turns = 0; turns < 20; turns++) await settle()
  assert.equal(feed.working.size, 130)
  delivered.length = 0
  stream.drop()
  for (let id = 1; id <= 120; id++) row(id, 'canceled')
  for (let id = 131; id <= 260; id++) row(id, 'filled', '2')
  stream.connect()
  for (let turns = 0; turns < 200; turns++) await settle()
  assert.equal(delivered.length, 120 + 130 + 1)
  assert.equal(feed.working.size, 10)
})

test('reads for a connection that is lost in between are delivered by the next one', async () => {
  const { stream, delivered, row } = feedRig()
  for (let turns = 0; turns < 3; turns++) await settle()
  delivered.length = 0
  stream.drop()
  for (let id = 1; id <= 120; id++) row(id, 'filled', '2')
  stream.connect()
  stream.drop() // the lists are on their way
  stream.connect()
  for (let turns = 0; turns < 40; turns++) await settle()
  assert.equal(delivered.length, 120 + 1)
})

test('a resumed stream delivers the missed messages, and nothing is read', async () => {
  const { stream, venue, delivered, row, say } = feedRig()
  row(1, 'open')
  await settle()
  await settle()
  const { reads } = venue
  stream.drop()
  say(1, 'PARTIALLY_FILLED', '1')
  say(1, 'FILLED', '2')
  stream.connect('order_updates')
  await settle()
  const expected = ['1 PARTIALLY_FILLED 1 missed', '1 FILLED 2 missed', 'reconciled']
  assert.deepEqual(delivered.slice(2), expected)
  assert.equal(venue.reads, reads)
})

test('an order whose answer is lost is looked up after the reconnect until it is decided', async () => {
  const { stream, venue, feed } = feedRig()
  await settle()
  const signer = createSigner(`0x${'11'.repeat(32)}`)
  const domain = { name: 'Test', version: '1', chainId: 1 } as never
  const terms = { symbol: 'BTC-20300628-100000-C', side: 'Buy', size: '1', price: '10' } as const
  const sign = (nonce: number) =>
    signPlaceOrder({ domain, signer, wallet: signer.address }, terms, nonce)
  const outcome = { status: 'OPEN', order_id: 7 }
  stream.drop()
  venue.outcomes = [{ status: 'in_flight' }, { status: 'accepted', outcome }]
  const placed = feed.placeOrder(sign(1))
  await settle()
  assert.equal(venue.outcomes.length, 2, 'nobody is asked while the stream is down')
  stream.connect()
  assert.deepEqual(await placed, outcome)
  venue.outcomes = [{ status: 'unknown' }]
  assert.equal(await feed.placeOrder(sign(2)), null)
  feed.close()
  await assert.rejects(feed.placeOrder(sign(3)), ConnectionError)
})

test('an exchange restored from a backup delivers its working orders again, and unknown ones are named', async () => {
  const { stream, feed, delivered, errors, row, rows } = feedRig()
  for (const id of [1, 2, 3]) row(id, 'open')
  await settle()
  await settle()
  stream.drop()
  delivered.length = 0
  rows.delete(3)
  row(2, 'canceled')
  stream.connectSetBack()
  for (let turns = 0; turns < 10; turns++) await settle()
  assert.deepEqual(delivered, ['1 OPEN 0 missed', '2 CANCELED 0 missed', 'reconciled'])
  assert.deepEqual(errors, ['the exchange was set back: orders 3 are not known to it'])
  assert.deepEqual([...feed.working.keys()], [1])
})
