import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orderActions } from './support/order-actions.js'
import { startRoundShort } from './support/round-short.js'
import type { WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// Grace and partial phase, checked to the cent by an outside client; neither ends by time here.

const graceful = new Venue({ arguments: ['--set=liquidation.graceSeconds=3600'] })
const partial = new Venue({
  arguments: [
    '--set=liquidation.graceSeconds=0',
    '--set=liquidation.partialSeconds=3600',
    '--set=liquidation.repriceSeconds=3600',
  ],
})
const openGraceful = streamPeers(graceful)
const openPartial = streamPeers(partial)

before(async () => {
  await graceful.start()
  await partial.start()
})
after(async () => {
  await graceful.dispose()
  await partial.dispose()
})

async function statusOf(venue: Venue, { wallet }: WalletKey): Promise<Wire> {
  return (await venue.read(`/liquidation/status?wallet=${wallet}`)).data
}

test('in grace the core cancels and rejects risk-increasing orders and keeps others; 1.05 of the requirement ends it', async () => {
  const { place } = orderActions(graceful, '')
  const { symbol, short, mark } = await startRoundShort(graceful, 'GRACE')
  const deposit = (amount: string) => graceful.set('/deposits', { wallet: short.wallet, amount })
  // Cash 23,400. At a mark of 8,000 equity is 7,400, and maintenance margin 2 x 0.8 x 0.2 x 30,000 = 9,600.
  await deposit('2000')
  const increasing = await place(short, { symbol, side: 'Sell', size: '0.1', price: '9000' })
  const reducing = await place(short, { symbol, size: '0.5', price: '100' })
  assert.deepEqual([increasing.status, reducing.status], ['ACKED', 'ACKED'])
  const peer = await openGraceful(`?wallet=${short.wallet}`)
  await peer.subscribe('liquidation')
  await peer.subscribe('order_updates')
  await mark(8000)
  const change = await peer.next('LiquidationStateChange')
  const { equity, mm_required, maintenance_margin, shortfall } = change
  assert.deepEqual([change.previous_state, change.new_state], ['healthy', 'pre_liquidation'])
  assert.deepEqual(
    [equity, mm_required, maintenance_margin, shortfall],
    ['9400', '9600', '-200', '200'],
  )
  assert.deepEqual(
    [change.liquidation_mode, change.partial_liquidation, change.full_liquidation],
    [null, null, null],
  )
  const listed = async (): Promise<Wire> =>
    (await graceful.operator('GET', '/liquidations')).body.data
  await eventually("the operator's list has the wallet", async () => (await listed()).length === 1)
  const [row] = await listed()
  assert.deepEqual(
    [row.wallet, row.state, row.liquidation_mode, row.shortfall],
    [short.wallet, 'pre_liquidation', null, '200'],
  )
  assert.equal(row.deadline_ts_ms - row.entered_ts_ms, 3_600_000)
  const ended = await peer.next(({ status }) => status === 'CANCELED')
  assert.deepEqual(
    [ended.order_id, ended.reason, ended.reason_code],
    [increasing.order_id, 'Account is in liquidation', 'account_in_liquidation'],
  )
  const refused = await place(short, { symbol, side: 'Sell', size: '0.1', price: '9000' })
  assert.deepEqual([refused.status, refused.reason_code], ['REJECTED', 'account_in_liquidation'])
  const allowed = await place(short, { symbol, size: '0.5', price: '90' })
  assert.equal(allowed.status, 'ACKED')
  const { data: orders } = await graceful.read(`/orders?wallet=${short.wallet}&status=open`)
  assert.deepEqual(
    orders.map(({ order_id }: Wire) => order_id),
    [allowed.order_id, reducing.order_id],
  )
  await deposit('679.999999')
  const between = await statusOf(graceful, short)
  assert.deepEqual(
    [between.state, between.equity, between.shortfall],
    ['pre_liquidation', '10079.999999', '0'],
  )
  await deposit('0.000001')
  const healthy = await peer.next('LiquidationStateChange')
  assert.deepEqual([healthy.new_state, healthy.equity], ['healthy', '10080'])
  assert.equal((await statusOf(graceful, short)).state, 'healthy')
  await eventually("the operator's list is empty", async () => (await listed()).length === 0)
})

test('in the partial phase the engine buys back enough to restore 1.10 of the requirement, half a percent above the mark', async () => {
  const { fundedWallet, place } = orderActions(partial, '')
  const { symbol, short, mark } = await startRoundShort(partial, 'PARTIAL')
  const peer = await openPartial(`?wallet=${short.wallet}`)
  await peer.subscribe('liquidation')
  await mark(9000)
  const book = async () => (await partial.read(`/orderbook?instrument_id=${symbol}`)).result
  await eventually('an order of the engine', async () => (await book()).bids.length > 0)
  // M 5,400, R 9,920 of two, c 45: (1.1 R - M) / (1.1 x 4,960 - 45), to the next lot.
  const size = Math.ceil(((1.1 * 9920 - 5400) / (1.1 * 4960 - 45)) * 1e8) / 1e8
  assert.deepEqual((await book()).bids, [[9045, size]])
  const status = await statusOf(partial, short)
  assert.deepEqual(
    [status.state, status.liquidation_mode, status.equity, status.mm_required, status.shortfall],
    ['in_liquidation', 'partial', '5400', '9920', '4520'],
  )
  const { partial_liquidation: phase } = status
  assert.deepEqual(
    [phase.target_equity, phase.mm_shortfall, phase.bonus_bps],
    ['10912', '4520', 50],
  )
  assert.equal(phase.escalation_deadline, phase.entered_at + 3_600_000)
  const { data: orders } = await partial.read(`/orders?wallet=${short.wallet}&status=open`)
  const [order] = orders
  assert.deepEqual(
    [orders.length, order.side, order.price, order.size, order.reduce_only],
    [1, 'Buy', '9045', String(size), true],
  )
  assert.deepEqual(phase.active_order_client_ids, [order.client_id])
  assert.equal(phase.active_order_request_ids.length, 1)
  const refused = await place(short, { symbol, size: '0.1', price: '9000' })
  assert.equal(refused.reason_code, 'account_in_liquidation')

  const seller = await fundedWallet()
  const sold = await place(seller, { symbol, side: 'Sell', size: String(size), price: '9045' })
  assert.equal(sold.status, 'FILLED', JSON.stringify(sold))
  const healthy = await peer.next(({ new_state }) => new_state === 'healthy')
  assert.equal(healthy.previous_state, 'in_liquidation')
  const [held] = (await partial.read(`/portfolio?wallet=${short.wallet}`)).data.positions
  assert.equal(held.amount, (size - 2).toFixed(8))
  assert.ok(Number(healthy.equity) >= 1.1 * Number(healthy.mm_required) - 1e-6)
  assert.ok(Math.abs(Number(healthy.equity) - (5400 - 45 * size)) < 1e-5, healthy.equity)
})

test("a closed market stops a liquidation's time: its orders are removed and its deadline moves", async () => {
  const { place } = orderActions(partial, '')
  const underlying = 'STANDS'
  const { symbol, short, mark } = await startRoundShort(partial, underlying)
  await mark(9000)
  const book = async () => (await partial.read(`/orderbook?instrument_id=${symbol}`)).result
  await eventually('an order of the engine', async () => (await book()).bids.length > 0)
  const before = await statusOf(partial, short)
  assert.equal(before.timers_stand, false)
  await partial.set('/halts', { underlying, mode: 'halted' })
  await eventually('no order of the engine', async () => (await book()).bids.length === 0)
  const standing = await statusOf(partial, short)
  assert.equal(standing.timers_stand, true)
  assert.equal(standing.liquidation_mode, 'partial')
  const halted = await place(short, { symbol, size: '0.1', price: '9000' })
  assert.equal(halted.reason_code, 'trading_halted')
  await mark(8900)
  await mark(9000)
  await partial.set('/halts', { underlying, mode: 'open' })
  await eventually('an order of the engine again', async () => (await book()).bids.length > 0)
  const after = await statusOf(partial, short)
  assert.equal(after.timers_stand, false)
  const moved = (status: Wire) => status.partial_liquidation.escalation_deadline
  assert.equal(after.partial_liquidation.entered_at, before.partial_liquidation.entered_at)
  assert.ok(moved(after) > moved(before), `${moved(before)} is ${moved(after)}`)
  assert.ok(moved(standing) >= moved(before) && moved(standing) <= moved(after))
})
