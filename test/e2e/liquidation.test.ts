import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRejected } from './support/order-actions.js'
import { shortVenue } from './support/short-venue.js'
import { marginModeBody } from './support/signed-body.js'
import { assertError, assertKeys, eventually, type Wire } from './support/venue.js'

// A short enters liquidation: grace period, engine orders in the book, recovery. The partial phase is longer than any
// test.

const { venue, maker, short, place, book, open, sink, statusOf } = shortVenue({
  graceSeconds: 2,
  partialSeconds: 3600,
})

test('the engine offers a short in liquidation in the book, and the wallet recovers when the order fills', async () => {
  const peer = await open(`?wallet=${short.wallet}`)
  await peer.ask({ type: 'Subscribe', channel: 'liquidation' }, 'Subscribed')
  assert.equal((await statusOf(short)).state, 'healthy')
  await sink()
  const warned = await peer.next('LiquidationStateChange')
  assert.deepEqual(
    [warned.wallet_address, warned.previous_state, warned.new_state, warned.liquidation_mode],
    [short.wallet, 'healthy', 'pre_liquidation', null],
  )
  assertKeys(warned, 'margin_mode equity mm_required maintenance_margin shortfall timestamp seq')
  assert.ok(Number(warned.shortfall) > 0)
  assert.equal(Number(warned.maintenance_margin), -Number(warned.shortfall))
  assert.deepEqual([warned.partial_liquidation, warned.full_liquidation], [null, null])
  const sell = await place(short, { side: 'Sell', size: '0.1', price: '9000' })
  assertRejected(sell, 'account_in_liquidation', 'Account is in liquidation')

  const taken = await peer.next('LiquidationStateChange')
  assert.deepEqual([taken.new_state, taken.liquidation_mode], ['in_liquidation', 'partial'])
  assertKeys(taken.partial_liquidation, 'entered_at target_equity mm_shortfall escalation_deadline')
  const buy = await place(short, { size: '0.1', price: '1' })
  assertRejected(buy, 'account_in_liquidation', 'Account is in liquidation')
  let status: Wire
  await eventually('the engine bids for the wallet', async () => {
    status = await statusOf(short)
    return status.partial_liquidation.active_order_client_ids.length === 1
  })
  assert.equal(status.liquidation_mode, 'partial')
  const { pre_liquidation, partial, full } = (await venue.operatorState()).venue.liquidations
  assert.deepEqual([pre_liquidation, partial, full], [0, 1, 0])
  assert.match(await venue.metrics(), /^strikebook_liquidations\{kind="partial"\} 1$/m)
  assert.ok(status.partial_liquidation.bonus_bps >= 50)
  const [bid] = (await book()).bids
  assert.ok(bid![1]! > 0 && bid![1]! < 1)
  const working = (await venue.read(`/orders?wallet=${short.wallet}&status=OPEN`)).data
  assert.equal(working.length, 1)
  assert.deepEqual([working[0].reduce_only, working[0].side], [true, 'Buy'])

  const mode = await venue.send('POST', '/margin-mode', await marginModeBody(short, 'portfolio'))
  assertError(mode, 409, 'conflict')
  assert.equal(mode.body.message, 'Account is in liquidation')

  // After a crash the state, the deadline and the engine's order are unchanged.
  const { entered_at: enteredAt, escalation_deadline: deadline } = status!.partial_liquidation
  await venue.end('SIGKILL')
  await venue.start()
  const again = await open(`?wallet=${short.wallet}`)
  await again.ask({ type: 'Subscribe', channel: 'liquidation' }, 'Subscribed')
  const { partial_liquidation: after } = await statusOf(short)
  assert.deepEqual([after.entered_at, after.escalation_deadline], [enteredAt, deadline])
  assert.equal(after.active_order_client_ids.length, 1)

  // The engine reprices every 5 s: the maker sells to each of its bids, at the bid's price or a lower one.
  await eventually('the wallet recovers', async () => {
    await place(maker, { side: 'Sell', size: '0.5', price: '1000', tif: 'ioc' })
    return (await statusOf(short)).state === 'healthy'
  })
  const recovered = await again.next('LiquidationStateChange')
  assert.deepEqual(
    [recovered.previous_state, recovered.new_state, recovered.liquidation_mode],
    ['in_liquidation', 'healthy', null],
  )
  assert.ok(Number(recovered.equity) >= 1.1 * Number(recovered.mm_required) - 0.0001)
  assert.deepEqual((await book()).bids, [])
  await assertHistory()
})

async function assertHistory(): Promise<void> {
  const path = `/liquidation/history?wallet=${short.wallet}`
  await eventually('the history has all', async () => (await venue.read(path)).data.length === 3)
  const { data, pagination } = await venue.read(path)
  assert.deepEqual(
    data.map((row: Wire) => [row.previous_state, row.new_state, row.liquidation_mode]),
    [
      ['in_liquidation', 'healthy', null],
      ['pre_liquidation', 'in_liquidation', 'partial'],
      ['healthy', 'pre_liquidation', null],
    ],
  )
  assert.equal(pagination.count, 3)
  const keys = 'id wallet margin_mode equity mm_required maintenance_margin shortfall auction_id'
  assertKeys(
    data[0],
    `${keys} request_id tx_hash margin_needed winner_address bonus details timestamp`,
  )
  assertKeys(
    data[0].details,
    'previous_liquidation_mode insurance_paid deleveraged uncovered fees_paid',
  )
  const first = await venue.read('/liquidations?limit=2')
  assert.equal(first.page.has_more, true)
  const second = await venue.read(`/liquidations?limit=2&cursor=${first.page.next_cursor}`)
  const ids = [...first.data, ...second.data].map((row: Wire) => row.id)
  assert.deepEqual(
    ids,
    data.map((row: Wire) => row.id),
  )
  assert.deepEqual(second.page, { limit: 2, next_cursor: null, has_more: false })
  const partial = await venue.read('/liquidations?status=in_liquidation&liquidation_mode=partial')
  assert.equal(partial.data.length, 1)
  const bad = await venue.get('/liquidations?status=broke')
  assert.equal(bad.status, 400)
}
