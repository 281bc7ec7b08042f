import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { placeBody, symbolOf } from './support/signed-body.js'
import { assertStreamError, StreamPeer, streamPeers } from './support/stream-peer.js'
import { Venue } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 90_000, 'P')
const { fundedWallet, place, cancel } = orderActions(venue, symbol)
const open = streamPeers(venue)

before(async () => {
  await listMarket(venue, [symbol, otherSymbol])
})

test('trades, fills and order_updates show a trade with matching numbers', async () => {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  const publicPeer = await open()
  await publicPeer.subscribe('trades')
  const makerPeer = await open(`?wallet=${maker.wallet}`)
  const takerPeer = await open()
  await takerPeer.ask({ type: 'Authenticate', wallet: taker.wallet }, 'Authenticated')
  for (const peer of [makerPeer, takerPeer]) {
    await peer.subscribe('order_updates')
    await peer.subscribe('fills')
  }
  const resting = await place(maker, { side: 'Sell', price: '3300', size: '2', client_id: 'm-1' })
  const taken = await place(taker, { price: '3300.0', size: '1.5', client_id: 't-1' })
  assert.equal(taken.status, 'FILLED', JSON.stringify(taken))

  const trade = await publicPeer.next('Trade')
  const { timestamp, seq, trade_id, ...rest } = trade
  assert.deepEqual(rest, { type: 'Trade', symbol, price: '3300', size: '1.5', side: 'buy' })
  assert.ok(Number.isSafeInteger(trade_id) && Number.isSafeInteger(seq))
  assert.ok(Math.abs(timestamp - Date.now()) < 60_000)

  const takerFill = await takerPeer.next('Fill')
  const { fill_id, timestamp: fillMillis, seq: fillSeq, client_id: _, ...fill } = takerFill
  assert.ok(Number.isSafeInteger(fill_id) && Number.isSafeInteger(fillSeq))
  assert.equal(fillMillis, timestamp)
  assert.deepEqual(fill, {
    type: 'Fill',
    order_id: taken.order_id,
    symbol,
    side: 'Buy',
    price: '3300',
    size: '1.5',
    wallet_address: taker.wallet,
    fee: '0',
    trade_id,
    is_taker: true,
    builder_code_address: null,
    builder_code_fee: null,
    instrument_type: 'option',
    fill_source: { type: 'orderbook' },
  })
  const makerFill = await makerPeer.next('Fill')
  assert.equal(makerFill.is_taker, false)
  assert.equal(makerFill.side, 'Sell')
  assert.equal(makerFill.trade_id, trade_id)
  assert.notEqual(makerFill.fill_id, fill_id)
  assert.equal(makerFill.order_id, resting.order_id)

  const updates = (peer: StreamPeer) => peer.ofType('OrderUpdate')
  await takerPeer.until('two updates', () => updates(takerPeer).length >= 2)
  await makerPeer.until('three updates', () => updates(makerPeer).length >= 3)
  for (const peer of [takerPeer, makerPeer]) await peer.settle()
  const statuses = (peer: StreamPeer) =>
    updates(peer).map((each) => [each.status, each.filled_size])
  assert.deepEqual(statuses(takerPeer), [
    ['ACKED', '0'],
    ['FILLED', '1.5'],
  ])
  assert.deepEqual(statuses(makerPeer), [
    ['ACKED', '0'],
    ['OPEN', '0'],
    ['PARTIALLY_FILLED', '1.5'],
  ])
  const last = makerPeer.ofType('OrderUpdate').at(-1)
  assert.deepEqual(last.request, { price: '3300', size: '2', symbol, side: 'Sell', tif: 'gtc' })
  assert.equal(last.order_id, resting.order_id)
  assert.equal(last.reason, null)
  assert.equal(last.client_id, 'm-1')
  assert.equal(last.wallet_address, maker.wallet)
  assert.equal(last.instrument_type, 'option')
  assert.equal(last.mmp_triggered, false)
  assert.equal(last.reason_code, null)
})

test('order_updates shows a cancel, a rejection and a replacement', async () => {
  const by = await fundedWallet('2000')
  const peer = await open(`?wallet=${by.wallet}`)
  await peer.subscribe('order_updates')
  const next = async (status: string) => {
    const update = await peer.next('OrderUpdate')
    assert.equal(update.status, status, JSON.stringify(update))
    return update
  }
  const first = await place(by)
  await next('ACKED')
  await next('OPEN')
  await cancel(by, { order_id: first.order_id })
  const canceled = await next('CANCELED')
  assert.equal(canceled.order_id, first.order_id)
  assert.equal(canceled.reason, null)
  await place(by, { price: '5000' })
  const rejected = await next('REJECTED')
  assert.equal(rejected.order_id, null)
  assert.match(rejected.reason, /^Insufficient cash \(Standard\): needed=[\d.]+, available=[\d.]+$/)
  assert.equal(rejected.reason_code, 'insufficient_cash')
  assert.equal(rejected.request.price, '5000')
})

test('no connection sees another wallet’s private messages', async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  const peer = await open(`?wallet=${other.wallet}`)
  await peer.subscribe('order_updates')
  await peer.subscribe('fills')
  await place(by)
  await peer.settle()
  assert.equal(peer.messages.length, 3)
})

test('PlaceOrder gets an OrderResult, identified or not', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const body = await placeBody(by, {
    symbol,
    tif: undefined,
    route: undefined,
    client_id: 'stream',
    size: '1.50',
    price: '7.0',
  })
  const result = await peer.ask({ type: 'PlaceOrder', ...body }, 'OrderResult')
  const { order_id, seq: _, ...rest } = result
  assert.ok(Number.isSafeInteger(order_id), JSON.stringify(result))
  assert.equal(rest.status, 'ACKED')
  assert.equal(rest.symbol, symbol)
  assert.equal(rest.side, 'Buy')
  assert.equal(rest.price, '7.0')
  assert.equal(rest.size, '1.50')
  assert.equal(rest.nonce, body['nonce'])
  assert.equal(rest.client_id, 'stream')
  assert.equal(rest.filled_size, '0')
  assert.equal(rest.mmp_triggered, false)
  assert.equal(rest.reason ?? null, null)
  const row = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=stream`)
  assert.equal(row.body.data.order_id, order_id)
  assert.equal(row.body.data.tif, 'gtc')
})

test('a PlaceOrder that trades immediately gets FILLED', async () => {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  await place(maker, { side: 'Sell', price: '3250' })
  const peer = await open()
  const body = await placeBody(taker, { symbol, price: '3250' })
  const result = await peer.ask({ type: 'PlaceOrder', ...body }, 'OrderResult')
  assert.deepEqual([result.status, result.filled_size], ['FILLED', '1'])
})

test('the venue treats null optional fields of PlaceOrder as absent', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const body = await placeBody(by, { symbol, tif: undefined, route: undefined })
  const nulls = {
    tif: null,
    route: null,
    client_id: null,
    mmp_enabled: null,
    builder_code_address: null,
  }
  const result = await peer.ask({ type: 'PlaceOrder', ...body, ...nulls }, 'OrderResult')
  assert.equal(result.status, 'ACKED', JSON.stringify(result))
})

test('a trading rejection is an OrderResult, and any failure before the engine an Error', async () => {
  const by = await fundedWallet('10')
  const peer = await open()
  const rejected = await peer.ask(
    { type: 'PlaceOrder', ...(await placeBody(by, { symbol })) },
    'OrderResult',
  )
  assert.equal(rejected.status, 'REJECTED')
  assert.equal(rejected.order_id, null)
  assert.match(rejected.reason, /^Insufficient cash \(Standard\): needed=[\d.]+, available=[\d.]+$/)
  assert.equal(rejected.reason_code, 'insufficient_cash')

  const unlisted = symbolOf('BTC', 7)
  const unknown = await peer.ask(
    { type: 'PlaceOrder', ...(await placeBody(by, { symbol: unlisted })) },
    'OrderResult',
  )
  assert.equal(unknown.reason, `Invalid symbol: ${unlisted}`)
  const unparseable = await peer.ask(
    { type: 'PlaceOrder', ...(await placeBody(by, { symbol: 'rubbish' })) },
    'OrderResult',
  )
  assert.equal(unparseable.status, 'REJECTED')
  assert.equal(unparseable.reason_code, 'symbol_unparseable')
  assert.match(unparseable.reason, /^Failed to parse symbol: ./)
  const rfq = await peer.ask(
    { type: 'PlaceOrder', ...(await placeBody(by, { symbol, route: 'rfq_only' })) },
    'OrderResult',
  )
  assert.equal(rfq.reason, 'Route rfq_only is not supported here')

  const good = await placeBody(by, { symbol, client_id: 'c-9' })
  const type = 'PlaceOrder'
  const cases: [object, object][] = [
    [{ signature: '0x00' }, { code: 'signature_verification_failed' }],
    [{ size: '2' }, { code: 'unauthorized', request_type: 'PlaceOrder', client_id: 'c-9' }],
    [{ wallet: '0x1' }, { code: 'invalid_wallet' }],
    [{ size: undefined }, { code: 'missing_field', message: 'Missing field: size' }],
    [{ side: 'buy' }, { code: 'invalid_field', message: /^Invalid side: / }],
    [{ price: '1.23456789' }, { code: 'invalid_field', message: /^Invalid price: / }],
    [{ price: 5 }, { code: 'invalid_parameter' }],
    [{ nonce: -4 }, { code: 'invalid_parameter' }],
    [{ mmp_enabled: 'x' }, { code: 'invalid_parameter' }],
  ]
  for (const [change, fields] of cases) {
    await assertStreamError(peer, { type, ...good, ...change }, fields)
  }
})

test('a nonce used over REST is used on the stream, and a retry gets its first result', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const body = await placeBody(by, { symbol })
  const first = await venue.send('POST', '/order', body)
  const repeat = await peer.ask({ type: 'PlaceOrder', ...body }, 'OrderResult')
  assert.equal(repeat.order_id, first.body.order_id)
  const other = await placeBody(by, { symbol, nonce: body['nonce'], size: '3' })
  const used = await peer.ask({ type: 'PlaceOrder', ...other }, 'OrderResult')
  assert.equal(used.status, 'REJECTED')
  assert.equal(used.reason, `Nonce ${body['nonce']} already used`)
})

test('commands beyond the in-flight limit fail with engine_busy and succeed later', async (context) => {
  // The gateway reads the next frame immediately, long before the journal has the previous order.
  const narrow = new Venue({ arguments: ['--set=stream.commandsInFlightMax=1'] })
  context.after(() => narrow.dispose())
  await narrow.start()
  await listMarket(narrow, [symbol])
  const by = await orderActions(narrow, symbol).fundedWallet()
  const peer = await StreamPeer.open(narrow)
  const bodies = await Promise.all(
    Array.from({ length: 50 }, () => placeBody(by, { symbol, price: '3', size: '0.01' })),
  )
  const { _socket: stream } = peer.socket as unknown as { _socket: Socket }
  stream.cork()
  for (const body of bodies) peer.send({ type: 'PlaceOrder', ...body })
  stream.uncork()
  const answered = () => [...peer.ofType('OrderResult'), ...peer.ofType('Error')]
  await peer.until('an answer to each', () => answered().length >= bodies.length)
  const results = peer.ofType('OrderResult')
  const errors = peer.ofType('Error')
  assert.equal(results.length + errors.length, bodies.length)
  assert.ok(results.length > 0, 'the venue accepted no command')
  assert.ok(errors.length > 0, 'the venue refused no command')
  for (const result of results) assert.equal(result.status, 'ACKED')
  for (const error of errors) assert.equal(error.code, 'engine_busy')
  assert.equal(new Set(answered().map((each) => each.nonce)).size, bodies.length)
  const { nonce } = errors[0]
  peer.send({ type: 'PlaceOrder', ...bodies.find((body) => body['nonce'] === nonce) })
  const taken = await peer.next((each) => each.type === 'OrderResult' && each.nonce === nonce)
  assert.equal(taken.status, 'ACKED')
  peer.close()
})
