import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { orderActions } from './support/order-actions.js'
import { cancelBody, WalletKey } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import {
  call,
  put,
  startTradedMarket,
  type TradedMarket,
  tradesCount,
} from './support/traded-market.js'
import { assertError, assertKeys, isoPattern, Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const { place } = orderActions(venue, call)
let maker: WalletKey
let taker: WalletKey
let market: TradedMarket

before(async () => {
  await venue.start()
  market = await startTradedMarket(venue)
  ;({ maker, taker } = market)
})
after(() => venue.dispose())

const read = (path: string) => venue.read(path)

const walletReads = ['/orders', '/orders/status', '/fills', '/portfolio', '/user-tier']

test('/orders returns rows newest first, filtered, paged and bounded', async () => {
  const { success, data, pagination } = await read(`/orders?wallet=${taker.wallet}`)
  assert.equal(success, true)
  assert.equal(data.length, tradesCount + 1)
  assert.deepEqual(pagination, { limit: 50, offset: 0, count: tradesCount + 1 })
  const { order_id, created_at, updated_at, reason_code: _, ...rest } = data[0]
  assert.ok(Number.isSafeInteger(order_id))
  assert.ok(Math.abs(created_at - Date.now()) < 60_000)
  assert.match(updated_at, isoPattern)
  assert.deepEqual(rest, {
    wallet_address: taker.wallet,
    symbol: call,
    side: 'Buy',
    price: '3000',
    size: '2.5',
    tif: 'gtc',
    status: 'open',
    filled_size: '0',
    client_id: 'bid',
    reduce_only: rest.reduce_only,
    mmp_enabled: false,
    instrument_type: 'option',
    reason: null,
    avg_fill_price: null,
  })
  assert.equal(data[1].status, 'filled')
  assert.equal(data[1].avg_fill_price, '3500')
  assert.equal(data[1].order_id, market.lastTaken.order_id)
  const ids = data.map((row: Wire) => row.order_id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  )

  const filtered = async (query: string) =>
    (await read(`/orders?wallet=${taker.wallet}&${query}`)).data.length
  assert.equal(await filtered('status=open'), 1)
  assert.equal(await filtered('status=FILLED'), tradesCount)
  assert.equal(await filtered('status=Cancelled'), 0)
  assert.equal(await filtered('limit=2'), 2)
  assert.equal(await filtered(`offset=${tradesCount}`), 1)
  assert.equal(await filtered('offset=100000'), 0)
  const upper = await read(`/orders?wallet=${taker.account.address}`)
  assert.equal(upper.data.length, tradesCount + 1)
  for (const query of [
    'status=x',
    'limit=0',
    'limit=51',
    'limit=x',
    'offset=-1',
    'offset=100001',
  ]) {
    assertError(
      await venue.get(`/orders?wallet=${taker.wallet}&${query}`),
      400,
      'invalid_parameter',
    )
  }
  const part = (await read(`/orders?wallet=${maker.wallet}`)).data[0]
  assert.equal(part.status, 'partially_filled')
  assert.equal(part.filled_size, String(0.5 * tradesCount))
  assert.equal(part.order_id, market.resting.order_id)
})

test("/orders/status finds an order by either id and returns null for another wallet's", async () => {
  const status = (by: WalletKey, id: unknown) =>
    read(`/orders/status?wallet=${by.wallet}&order_id=${id}`)
  assert.equal((await status(maker, market.resting.order_id)).data.status, 'partially_filled')
  assert.equal((await status(taker, 'bid')).data.client_id, 'bid')
  assert.deepEqual(Object.keys(await status(taker, market.resting.order_id)).sort(), [
    'as_of_seq',
    'data',
    'success',
  ])
  assert.equal((await status(taker, market.resting.order_id)).data, null)
  assert.equal((await status(taker, 'nothing')).data, null)
  assertError(await venue.get(`/orders/status?wallet=${taker.wallet}`), 400, 'missing_field')
})

test('/orders/status returns the latest order of a client id used twice', async () => {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000' })
  const first = await place(by, { symbol: put, price: '1', client_id: 'again' })
  const { order_id } = first
  await venue.send('DELETE', '/order', await cancelBody(by, { order_id }))
  const second = await place(by, { symbol: put, price: '1', client_id: 'again' })
  const { data } = await read(`/orders/status?wallet=${by.wallet}&order_id=again`)
  assert.equal(data.order_id, second.order_id)
  assert.equal(data.status, 'open')
})

test('/fills returns both sides of each trade', async () => {
  const mine = await read(`/fills?wallet=${taker.wallet}`)
  assert.equal(mine.data.length, tradesCount)
  assert.deepEqual(mine.pagination, { limit: 50, offset: 0, count: tradesCount })
  const { fill_id, trade_id, timestamp, created_at, realized_pnl: _, ...rest } = mine.data[0]
  assert.ok(Number.isSafeInteger(fill_id) && Number.isSafeInteger(trade_id))
  assert.ok(Math.abs(timestamp - Date.now()) < 60_000)
  assert.match(created_at, isoPattern)
  assert.deepEqual(rest, {
    order_id: market.lastTaken.order_id,
    wallet_address: taker.wallet,
    symbol: call,
    side: 'Buy',
    price: '3500',
    size: '0.5',
    fee: '0',
    is_taker: true,
    builder_code_address: null,
    builder_code_fee: null,
    explorer_url: null,
    fill_source: { type: 'orderbook' },
    instrument_type: 'option',
  })
  const other = await read(`/fills?wallet=${maker.wallet}&limit=1`)
  assert.equal(other.data[0].trade_id, trade_id)
  assert.equal(other.data[0].side, 'Sell')
  assert.equal(other.data[0].is_taker, false)
  assert.equal(other.data[0].order_id, market.resting.order_id)
})

test('/trades returns newest first, by cursor ascending, with filters and bounds', async () => {
  const { data, pagination } = await read('/trades')
  assert.equal(data.length, tradesCount)
  assert.equal(pagination.limit, 100)
  const ids = data.map((row: Wire) => row.trade_id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => b - a),
  )
  const { trade_id, timestamp, created_at, ...rest } = data[0]
  assert.deepEqual(rest, {
    symbol: call,
    price: '3500',
    size: '0.5',
    taker_side: 'Buy',
    maker_address: maker.wallet,
    taker_address: taker.wallet,
    maker_fee: '0',
    taker_fee: '0',
  })
  assert.match(created_at, isoPattern)
  assert.ok(Math.abs(timestamp - Date.now()) < 60_000)

  const after = await read(`/trades?after_trade_id=${ids[3]}`)
  assert.deepEqual(
    after.data.map((row: Wire) => row.trade_id),
    [ids[2], ids[1], ids[0]],
  )
  const page = await read(`/trades?after_trade_id=0&limit=2`)
  assert.deepEqual(
    page.data.map((row: Wire) => row.trade_id),
    [ids[4], ids[3]],
  )
  const count = async (query: string) => (await read(`/trades?${query}`)).data.length
  assert.equal(await count(`option_id=${call}`), tradesCount)
  assert.equal(await count(`symbol=${put}`), 0)
  assert.equal(await count('underlying=BTC'), tradesCount)
  assert.equal(await count('underlying=ETH'), 0)
  assert.equal(await count(`account=${maker.wallet}`), tradesCount)
  assert.equal(await count(`account=${new WalletKey().wallet}`), 0)
  assert.equal(await count(`underlying=BTC&account=${taker.wallet}&limit=2&offset=4`), 1)
  for (const query of [
    'limit=0',
    'limit=501',
    'after_trade_id=1&offset=0',
    `after_trade_id=1&option_id=${call}`,
    'after_trade_id=1&underlying=BTC',
    `after_trade_id=1&account=${maker.wallet}`,
    'after_trade_id=x',
    'after_trade_id=-1',
  ]) {
    assertError(await venue.get(`/trades?${query}`), 400, 'invalid_parameter')
  }
  const one = await read(`/trades/${trade_id}`)
  assert.equal(one.success, true)
  assert.deepEqual(one.data, data[0])
  assertError(await venue.get('/trades/987654321'), 404, 'not_found')
  const odd = await venue.get('/trades/abc')
  assert.ok([400, 404].includes(odd.status))
})

test('/portfolio returns consistent figures, and zeros for an unknown wallet', async () => {
  const { data, error, success } = await read(`/portfolio?wallet=${taker.wallet}`)
  assert.equal(success, true)
  assert.equal(error, null)
  assert.equal(data.wallet_address, taker.wallet)
  assert.equal(data.margin_mode, 'standard')
  const [position] = data.positions
  assert.equal(position.symbol, call)
  assert.equal(position.amount, '2.5')
  assert.equal(position.entry_price, '3500')
  assert.equal(position.instrument_type, 'option')
  assertKeys(
    position,
    'wallet_address margin_posted realized_pnl unrealized_pnl notional_value maintenance_margin liquidation_price margin_ratio',
  )
  assert.match(position.updated_at, isoPattern)
  const mark = (await read(`/orderbook?instrument_id=${call}`)).result.mark_price
  assert.ok(Math.abs(Number(position.notional_value) - 2.5 * mark) < 1)
  const cash = 1_000_000 - 2.5 * 3500
  assert.ok(Math.abs(Number(data.equity) - cash - Number(position.notional_value)) < 0.01)
  const gap = Number(data.equity) - Number(data.total_margin_used) - Number(data.available_balance)
  assert.ok(Math.abs(gap) < 0.00001)
  for (const name of ['scanning_risk', 'option_floor', 'gamma_overlay'])
    assert.equal(data[name], '0')
  const { margin_summary: summary, span_margin: span } = data
  assert.equal(summary.open_orders_im, span.open_orders_initial_margin)
  assert.equal(summary.open_orders_premium_reserved, '7500')
  const excess =
    Number(summary.equity) - Number(summary.position_im) - Number(summary.open_orders_im)
  assert.ok(Math.abs(excess - Number(summary.initial_margin)) < 0.00001)

  const stranger = (await read(`/portfolio?wallet=${new WalletKey().wallet}`)).data
  assert.deepEqual(stranger.positions, [])
  for (const name of ['equity', 'total_margin_used', 'available_balance', 'withdrawable_usdc']) {
    assert.equal(stranger[name], '0')
  }
})

test('/user-tier returns the specified limits of each tier', async () => {
  const by = new WalletKey()
  const limits: [string, number[]][] = [
    ['default', [100, 50, 60, 120, 600]],
    ['tier1', [50, 20, 30, 60, 300]],
    ['tier2', [500, 200, 120, 300, 1200]],
    ['market_maker', [2000, -1, 600, 1200, 6000]],
  ]
  const before = await read(`/user-tier?wallet=${by.wallet}`)
  assert.equal(before.data.tier, 'default')
  for (const [tier, [orders, positions, placements, cancels, requests]] of limits) {
    await venue.set('/tiers', { wallet: by.wallet, tier })
    const { data, success, error } = await read(`/user-tier?wallet=${by.wallet}`)
    assert.deepEqual([success, error], [true, null])
    assert.deepEqual(data, {
      wallet_address: by.wallet,
      tier,
      limits: {
        max_open_orders: orders,
        max_open_positions: positions,
        orders_per_minute: placements,
        cancels_per_minute: cancels,
        api_requests_per_minute: requests,
      },
    })
  }
})

test('wallet reads require a valid wallet', async () => {
  for (const path of walletReads) {
    assertError(await venue.get(path), 400, 'missing_field')
    assertError(await venue.get(`${path}?wallet=`), 400, 'invalid_wallet')
    assertError(await venue.get(`${path}?wallet=0x12&order_id=1`), 400, 'invalid_wallet')
  }
})

test('reads of an unknown wallet return empty lists, never 404', async () => {
  const { wallet } = new WalletKey()
  for (const path of ['/orders', '/fills']) {
    assert.deepEqual((await read(`${path}?wallet=${wallet}`)).data, [])
  }
})

longTest('reads return the same after a hard stop', async () => {
  const paths = [
    `/orders?wallet=${taker.wallet}`,
    `/fills?wallet=${maker.wallet}`,
    '/trades',
    `/user-tier?wallet=${taker.wallet}`,
    `/authorized-agents?wallet=${taker.wallet}`,
  ]
  const withoutSeq = async (path: string) => {
    const { as_of_seq: _, ...rest } = await read(path)
    return rest
  }
  const before = await Promise.all(paths.map(withoutSeq))
  const position = (await read(`/portfolio?wallet=${taker.wallet}`)).data.positions[0]
  const book = (await read(`/orderbook?instrument_id=${call}`)).result
  await venue.end('SIGKILL')
  await venue.start()
  assert.deepEqual(await Promise.all(paths.map(withoutSeq)), before)
  const after = (await read(`/portfolio?wallet=${taker.wallet}`)).data.positions[0]
  assert.deepEqual([after.amount, after.entry_price], [position.amount, position.entry_price])
  const bookAfter = (await read(`/orderbook?instrument_id=${call}`)).result
  assert.deepEqual([bookAfter.bids, bookAfter.asks], [book.bids, book.asks])
  assert.equal(bookAfter.last_price, book.last_price)
  const more = await place(taker, { symbol: call, size: '0.5', price: '3500', tif: 'ioc' })
  assert.ok(more.order_id > market.lastTaken.order_id)
  assert.equal((await read('/trades')).data.length, tradesCount + 1)
})

test('on SIGTERM the venue tells open sockets to reconnect and exits with code 0', async () => {
  const peer = await StreamPeer.open(venue)
  const closed = once(peer.socket, 'close')
  assert.equal(await venue.end('SIGTERM'), 0)
  const [code] = await closed
  assert.equal(code, 1012)
})
