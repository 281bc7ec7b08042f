import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import {
  type Body,
  placeBody,
  replaceBody,
  symbolOf,
  type WalletKey,
} from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { assertError, Venue } from './support/venue.js'

// Limits of tiers, caps and halts: the last order that passes, and the first that does not.

const venue = new Venue({
  arguments: ['--set', 'limits.default.openOrdersMax=3', '--set', 'limits.default.positionsMax=2'],
})
const [call, second, third] = [110_000, 120_000, 130_000].map((strike) => symbolOf('BTC', strike))
const { fundedWallet, place, replace, cancel, sendOrder } = orderActions(venue, call!)
const open = streamPeers(venue)
let maker: WalletKey

before(async () => {
  await venue.start()
  await listMarket(venue, [call!, second!, third!])
  maker = await fundedWallet('100000000')
  await setTier(maker, 'market_maker')
})
after(() => venue.dispose())

const setTier = ({ wallet }: WalletKey, tier: string) => venue.set('/tiers', { wallet, tier })
const bid = { price: '1', size: '0.1' }

/** Lets the wallet buy from the maker. */
async function buy(by: WalletKey, patch: Body): Promise<void> {
  await place(maker, { ...patch, side: 'Sell' })
  assert.equal((await place(by, { ...patch, tif: 'ioc' })).status, 'FILLED')
}

test('open orders may reach the cap, over REST, in a bulk and on the stream', async () => {
  const by = await fundedWallet()
  const first = await place(by, bid)
  await place(by, bid)
  const bulk = [
    await placeBody(by, { symbol: call, ...bid }),
    await placeBody(by, { symbol: call, ...bid }),
  ]
  const { body } = await venue.send('POST', '/bulk_order', bulk)
  assert.deepEqual([body[0].success, body[1].success], [true, false])
  assert.match(body[1].error, /limit/i)
  assertError(await sendOrder(by, bid), 403, 'limit_exceeded')
  const peer = await open()
  const frame = { type: 'PlaceOrder', ...(await placeBody(by, { symbol: call, ...bid })) }
  assert.equal((await peer.ask(frame, 'Error')).code, 'limit_exceeded')
  const moved = await replace(by, { ...bid, order_id: first.order_id, price: '2' })
  assert.equal(moved.status, 'ACKED', 'a replacement and its old order count as one')
  await cancel(by, { order_id: moved.order_id })
  assert.equal((await place(by, bid)).status, 'ACKED')
  assertError(await sendOrder(by, bid), 403, 'limit_exceeded')
})

test('the position cap counts held positions and those that orders could open, and lets reducing and counted ones pass', async () => {
  const by = await fundedWallet()
  await buy(by, { price: '4000', size: '1' })
  const opening = await place(by, { ...bid, symbol: second })
  assert.equal(opening.status, 'ACKED')
  assertError(await sendOrder(by, { ...bid, symbol: third }), 403, 'limit_exceeded')
  assert.equal((await place(by, bid)).status, 'ACKED', 'the instrument already counts')
  await cancel(by, { order_id: opening.order_id })
  const other = await place(by, { ...bid, symbol: third })
  assert.equal(other.status, 'ACKED', 'the cancelled order no longer counts')
  await cancel(by, { order_id: other.order_id })
  await buy(by, { symbol: second, price: '2000', size: '1' })
  assertError(await sendOrder(by, { ...bid, symbol: third }), 403, 'limit_exceeded')
  const close = { symbol: second, side: 'Sell', size: '1', price: '1000', reduce_only: true }
  await place(maker, { symbol: second, size: '1', price: '1000' })
  assert.equal((await place(by, close)).status, 'FILLED')
  assert.equal(
    (await place(by, { ...bid, symbol: third })).status,
    'ACKED',
    'a closed position does not count either',
  )
})

test('a market maker has no cap of positions, and tier2 has its own', async () => {
  const by = await fundedWallet()
  await setTier(by, 'market_maker')
  for (const symbol of [call, second, third]) {
    assert.equal((await place(by, { ...bid, symbol })).status, 'ACKED')
  }
  const { data } = await venue.read(`/user-tier?wallet=${by.wallet}`)
  assert.equal(data.limits.max_open_positions, -1)
  await setTier(by, 'default')
  assertError(await sendOrder(by, bid), 403, 'limit_exceeded')
  await setTier(by, 'tier2')
  assert.equal((await place(by, bid)).status, 'ACKED')
})

test('the long-only tier sells all it holds, and not a lot more', async () => {
  const by = await fundedWallet()
  await buy(by, { price: '4000', size: '1' })
  await setTier(by, 'tier1')
  const sell = { side: 'Sell', price: '9000' }
  const text = (working: string, size: string) =>
    `Tier1 users cannot go short. Long position 1, working sells ${working}, order size ${size}`
  const beyond = await place(by, { ...sell, size: '1.00000001' })
  assertRejected(beyond, 'tier_long_only', text('0', '1.00000001'))
  const part = await place(by, { ...sell, size: '0.4' })
  assert.equal(part.status, 'ACKED')
  assertRejected(
    await place(by, { ...sell, size: '0.60000001' }),
    'tier_long_only',
    text('0.4', '0.60000001'),
  )
  assert.equal((await place(by, { ...sell, size: '0.6' })).status, 'ACKED')
  assertRejected(
    await place(by, { ...sell, size: '0.00000001' }),
    'tier_long_only',
    text('1', '0.00000001'),
  )
  const more = await venue.send(
    'PUT',
    '/order',
    await replaceBody(by, { ...sell, symbol: call, size: '0.41', order_id: part.order_id }),
  )
  assertRejected(more.body, 'tier_long_only', text('0.6', '0.41'))
  const same = await replace(by, { ...sell, size: '0.4', price: '9500', order_id: part.order_id })
  assert.equal(same.status, 'ACKED', 'the replaced order no longer counts')
  await cancel(by, { order_id: same.order_id })
  assert.equal((await place(by, { ...sell, size: '0.4' })).status, 'ACKED')
  const naked = await place(by, { ...sell, symbol: second, size: '0.00000001' })
  assert.equal(naked.reason_code, 'tier_long_only')
  assert.equal(
    (await place(by, { ...bid, symbol: second })).status,
    'ACKED',
    'buys are always allowed',
  )
})

test('halts always accept cancels and never replacements, and apply to one underlying alone', async () => {
  const ether = symbolOf('ETH', 3000)
  await venue.set('/instruments', { symbol: ether })
  await venue.set('/index-prices', { prices: [{ underlying: 'ETH', price: '3000' }] })
  const by = await fundedWallet()
  for (const [mode, reason] of [
    ['cancel_only', 'Only cancels are accepted for BTC'],
    ['halted', 'Trading is halted for BTC'],
  ] as const) {
    const { order_id } = await place(by, bid)
    await venue.set('/halts', { underlying: 'BTC', mode })
    assertRejected(await place(by, { ...bid, tif: 'ioc' }), 'trading_halted', reason)
    const moved = await replace(by, { ...bid, order_id, price: '2' })
    assertRejected(moved, 'trading_halted', reason)
    const elsewhere = await place(by, { ...bid, symbol: ether })
    assert.equal(elsewhere.status, 'ACKED')
    assert.equal((await cancel(by, { order_id: elsewhere.order_id })).status, 'CANCELED')
    const orders = [{ symbol: call, side: 'Buy', size: '1', price: '1' }]
    const preview = await venue.send('POST', '/risk/simulate/orders', {
      wallet: by.wallet,
      orders,
    })
    assert.equal(preview.body.data.rejection_reason, reason)
    const canceled = await cancel(by, { order_id })
    assert.equal(
      canceled.status,
      'CANCELED',
      'the rejected replacement has left the order, and it can be cancelled',
    )
    await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  }
  await venue.set('/halts', { scope: 'all', mode: 'halted' })
  assertRejected(
    await place(by, { ...bid, symbol: ether }),
    'trading_halted',
    'Trading is halted for ETH',
  )
  await venue.set('/halts', { scope: 'all', mode: 'open' })
  assert.equal((await place(by, bid)).status, 'ACKED')
})
