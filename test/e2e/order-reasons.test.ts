import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 120_000)
const { fundedWallet, place, cancel, cancelAll } = orderActions(venue, symbol)

before(async () => {
  await listMarket(venue, [symbol, otherSymbol])
})

test('the venue rejects the route rfq_only', async () => {
  const by = await fundedWallet()
  assertRejected(
    await place(by, { route: 'rfq_only' }),
    'route_not_supported',
    'Route rfq_only is not supported here',
  )
})

test('the core rejects an order of a wallet without cash', async () => {
  const by = await fundedWallet(null)
  assertRejected(
    await place(by),
    'no_funds',
    /^Account has no funds\. Please deposit before trading\. POST \/faucet /,
  )
})

test('the core rejects a buy that exceeds the cash', async () => {
  const by = await fundedWallet('50')
  assertRejected(
    await place(by),
    'insufficient_cash',
    /^Insufficient cash \(Standard\): needed=\d+, available=\d+$/,
  )
})

test('the rejection of a naked short beyond the equity states every figure', async () => {
  const by = await fundedWallet('10')
  const update = await place(by, { side: 'Sell', price: '5000' })
  const number = '-?\\d+(\\.\\d+)?'
  assertRejected(
    update,
    'insufficient_margin',
    new RegExp(
      `^Insufficient margin: required=${number}, equity=10, shortfall=${number}, consumed_im=0, ` +
        `incremental_im=${number}, consumed_mm=0, incremental_mm=${number}$`,
    ),
  )
  const { required, equity, shortfall, consumed_im, incremental_im } = update.details
  assert.equal(equity, '10')
  assert.equal(Number(required) - 10, Number(shortfall))
  assert.equal(Number(required) - Number(consumed_im), Number(incremental_im))
  assert.match(update.details.scenario.kind, /^(SpotChange|VolChange|SkewChange|KurtosisChange)$/)
  assert.equal(typeof update.details.scenario.id, 'string')
  assert.equal(typeof update.details.consumed_mm, 'string')
  assert.equal(typeof update.details.incremental_mm, 'string')
})

test('the core rejects an order in an underlying without an index price', async () => {
  const by = await fundedWallet()
  const eth = symbolOf('ETH', 3000)
  await venue.set('/instruments', { symbol: eth })
  assertRejected(
    await place(by, { symbol: eth }),
    'no_spot_price',
    'Failed to get portfolio: No spot price available for underlying: ETH',
  )
})

test('a tier1 wallet cannot go short, and its working sells count', async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  await place(other, { side: 'Sell', size: '2', price: '7000' })
  assert.equal((await place(by, { size: '2', price: '7000', tif: 'ioc' })).status, 'FILLED')
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  assert.equal((await place(by, { side: 'Sell', size: '1.5', price: '8000' })).status, 'ACKED')
  assertRejected(
    await place(by, { side: 'Sell', size: '1', price: '8000' }),
    'tier_long_only',
    'Tier1 users cannot go short. Long position 2, working sells 1.5, order size 1',
  )
})

test('the core rejects a well-formed symbol that is not listed', async () => {
  const by = await fundedWallet()
  const unlisted = symbolOf('BTC', '99999.5', 'P')
  assertRejected(
    await place(by, { symbol: unlisted }),
    'invalid_symbol',
    `Invalid symbol: ${unlisted}`,
  )
  const unknown = symbolOf('NOPE', 5)
  assertRejected(
    await place(by, { symbol: unknown }),
    'invalid_symbol',
    `Invalid symbol: ${unknown}`,
  )
})

test('the core rejects an order in an instrument without a book', async () => {
  const by = await fundedWallet()
  const rfqOnly = symbolOf('BTC', 130_000)
  await venue.set('/instruments', { symbol: rfqOnly, trading_mode: 'rfq_only' })
  assertRejected(
    await place(by, { symbol: rfqOnly }),
    'orderbook_not_found',
    `Orderbook not found for symbol: ${rfqOnly}`,
  )
})

test("an order that meets its own wallet's order has its remainder cancelled", async () => {
  const by = await fundedWallet('10000000')
  await place(by, { side: 'Sell', price: '5900', size: '1' })
  const update = await place(by, { price: '5900', size: '2' })
  assert.equal(update.status, 'CANCELED', JSON.stringify(update))
  assert.equal(update.reason, 'Self-trade prevention')
  assert.equal(update.reason_code, 'self_trade_prevention')
  assert.ok(Number.isSafeInteger(update.order_id))
  await cancelAll(by)
})

test('the core cancels ioc and fok remainders and never rejects them', async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  const ioc = await place(by, { tif: 'ioc', price: '1' })
  assert.equal(ioc.status, 'CANCELED')
  assert.equal(ioc.filled_size, 0)
  assert.equal(ioc.reason_code, 'ioc_remainder')
  assert.equal(ioc.reason, 'Immediate-or-cancel remainder cancelled')
  await place(other, { side: 'Sell', price: '5800', size: '0.4' })
  const fok = await place(by, { tif: 'fok', price: '5800' })
  assert.equal(fok.status, 'CANCELED', JSON.stringify(fok))
  assert.equal(fok.filled_size, 0)
  assert.equal(fok.reason_code, 'fok_not_filled')
  assert.equal(fok.reason, 'Fill-or-kill order could not be filled')
  const part = await place(by, { tif: 'ioc', price: '5800' })
  assert.equal(part.status, 'CANCELED')
  assert.equal(part.filled_size, 0.4)
  assert.equal(part.reason_code, 'ioc_remainder')
  await place(other, { side: 'Sell', price: '5800', size: '0.4' })
  const resting = await place(by, { price: '5800' })
  assert.equal(resting.status, 'PARTIALLY_FILLED')
  assert.equal(resting.filled_size, 0.4)
  assert.equal(resting.reason, null)
  await cancelAll(by)
})

test('the core rejects a reduce-only order that would increase the position', async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  assertRejected(
    await place(by, { reduce_only: true }),
    'reduce_only',
    'Reduce-only order would increase the position',
  )
  await place(other, { side: 'Sell', price: '5700', size: '2' })
  await place(by, { price: '5700', size: '2', tif: 'ioc' })
  const first = await place(by, { side: 'Sell', price: '9000', size: '1.5', reduce_only: true })
  assert.equal(first.status, 'ACKED', JSON.stringify(first))
  assert.equal(first.info.reduce_only, true)
  assertRejected(
    await place(by, { side: 'Sell', price: '9000', size: '1', reduce_only: true }),
    'reduce_only',
    'Reduce-only order would increase the position',
  )
  await cancelAll(by)
})

test('halts accept nothing, or only cancels', async () => {
  const by = await fundedWallet()
  const resting = await place(by)
  await venue.set('/halts', { underlying: 'BTC', mode: 'cancel_only' })
  assertRejected(await place(by), 'trading_halted', 'Only cancels are accepted for BTC')
  assert.equal((await cancel(by, { order_id: resting.order_id })).status, 'CANCELED')
  await venue.set('/halts', { underlying: 'BTC', mode: 'halted' })
  assertRejected(await place(by), 'trading_halted', 'Trading is halted for BTC')
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  assert.equal((await place(by)).status, 'ACKED')
})

test('delisting cancels the working orders', async () => {
  const by = await fundedWallet()
  const gone = symbolOf('BTC', 140_000)
  await venue.set('/instruments', { symbol: gone })
  const resting = await place(by, { symbol: gone })
  const peer = await StreamPeer.open(venue, `?wallet=${by.wallet}`)
  await peer.subscribe('order_updates')
  const delisted = await venue.operator('DELETE', '/instruments', { symbol: gone })
  assert.equal(delisted.status, 200, delisted.text)
  const update = await peer.next((message) => message.status === 'CANCELED')
  peer.close()
  assert.equal(update.reason, 'Instrument was delisted')
  assert.equal(update.reason_code, 'instrument_delisted')
  // The cancels follow the delisting in the sequence, so the read must wait for their own sequence.
  const query = `wallet=${by.wallet}&order_id=${resting.order_id}&min_seq=${update.seq}`
  const row = await venue.get(`/orders/status?${query}`)
  assert.equal(row.body.data.status, 'canceled')
  assert.equal(row.body.data.reason, 'Instrument was delisted')
  assertRejected(await place(by, { symbol: gone }), 'invalid_symbol', `Invalid symbol: ${gone}`)
})
