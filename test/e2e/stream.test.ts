import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { JudgeVenue, type Wire } from './support/judge-venue.js'
import { type Body, cancelBody, placeBody, symbolOf, Trader } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'

const venue = new JudgeVenue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 90_000, 'P')
const peers: StreamPeer[] = []

before(async () => {
  await venue.start()
  await venue.set('/instruments', { symbol })
  await venue.set('/instruments', { symbol: otherSymbol })
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  await venue.set('/vol-surfaces', {
    underlying: 'BTC',
    expiry: (await venue.get('/instruments')).body.result[0].expiration_timestamp / 1000,
    points: [
      { strike: '80000', iv: '0.6' },
      { strike: '120000', iv: '0.55' },
    ],
  })
})
afterEach(() => {
  for (const peer of peers.splice(0)) peer.close()
})
after(() => venue.dispose())

async function open(query = ''): Promise<StreamPeer> {
  const peer = await StreamPeer.open(venue, query)
  peers.push(peer)
  return peer
}

async function trader(amount = '1000000'): Promise<Trader> {
  const made = new Trader()
  await venue.set('/deposits', { wallet: made.wallet, amount })
  return made
}

async function place(by: Trader, patch: Body = {}): Promise<Wire> {
  const answer = await venue.send('POST', '/order', await placeBody(by, { symbol, ...patch }))
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function cancel(by: Trader, patch: Body): Promise<Wire> {
  return (await venue.send('DELETE', '/order', await cancelBody(by, patch))).body
}

/** An `Error` is expected, with the connection alive behind it. */
async function assertStreamError(peer: StreamPeer, frame: unknown, fields: object): Promise<Wire> {
  const error = await peer.ask(frame, 'Error')
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof RegExp) assert.match(String(error[name]), value, JSON.stringify(error))
    else assert.equal(error[name], value, JSON.stringify(error))
  }
  await peer.settle(0)
  assert.equal(peer.closed, null)
  return error
}

test('the clock is told before identification, with the nonce echoed', async () => {
  const peer = await open()
  const synced = await peer.ask({ type: 'ClockSync', nonce: 'ünï-1' }, 'ClockSynced')
  assert.deepEqual(Object.keys(synced).sort(), ['nonce', 'server_at', 'type'])
  assert.equal(synced.nonce, 'ünï-1')
  assert.ok(Math.abs(synced.server_at - Date.now()) < 5000)
  await assertStreamError(peer, { type: 'ClockSync', nonce: 'x'.repeat(129) }, {
    code: 'invalid_field',
    request_type: 'ClockSync',
  })
  await assertStreamError(peer, { type: 'ClockSync', nonce: 5 }, {
    message: /^Invalid nonce: /,
  })
  await assertStreamError(peer, { type: 'ClockSync' }, {
    message: 'Missing field: nonce',
    code: 'missing_field',
  })
})

test('identification by message: lower case, again, and with a bad wallet', async () => {
  const peer = await open()
  const { account, wallet } = new Trader()
  const first = await peer.ask({ type: 'Authenticate', wallet: account.address }, 'Authenticated')
  assert.equal(first.wallet, wallet)
  assert.equal((await peer.ask({ type: 'Authenticate', wallet }, 'Authenticated')).wallet, wallet)
  const fresh = await open()
  await assertStreamError(fresh, { type: 'Authenticate', wallet: 'nobody' }, {
    message: 'Invalid wallet: nobody',
    code: 'invalid_wallet',
  })
  await assertStreamError(fresh, { type: 'Subscribe', channel: 'fills' }, {
    message: 'Authentication required for this channel',
    code: 'unauthorized',
    channel: 'fills',
    request_type: 'Subscribe',
  })
})

test('identification by the wallet in the URL sends nothing; a bad one is an Error', async () => {
  const peer = await open(`?wallet=${new Trader().wallet}`)
  await peer.settle()
  assert.deepEqual(peer.ofType('Authenticated'), [])
  await peer.subscribe('fills')
  const bad = await open('?wallet=0x12')
  assert.equal((await bad.next('Error')).message, 'Invalid wallet: 0x12')
  await assertStreamError(bad, { type: 'Subscribe', channel: 'order_updates' }, {
    message: 'Authentication required for this channel',
  })
})

test('every private channel wants identification', async () => {
  const peer = await open()
  for (const channel of ['order_updates', 'fills', 'portfolio', 'liquidation', 'rfq']) {
    await assertStreamError(peer, { type: 'Subscribe', channel }, {
      message: 'Authentication required for this channel',
      code: 'unauthorized',
    })
  }
})

test('another wallet on the same connection ends its private subscriptions', async () => {
  const [first, second] = [await trader(), await trader()]
  const peer = await open(`?wallet=${first.wallet}`)
  await peer.subscribe('order_updates')
  await peer.subscribe('market_updates')
  await peer.ask({ type: 'Authenticate', wallet: second.wallet }, 'Authenticated')
  await place(first)
  await place(second)
  await peer.settle()
  assert.deepEqual(peer.ofType('OrderUpdate'), [])
  await peer.subscribe('order_updates')
  const update = await place(second)
  assert.equal((await peer.next('OrderUpdate')).order_id, update.order_id)
})

test('unknown and withdrawn channels', async () => {
  const peer = await open()
  await assertStreamError(peer, { type: 'Subscribe', channel: 'nothing' }, {
    message: 'Unknown channel: nothing',
    code: 'not_found',
  })
  for (const channel of ['candles:BTC:1m', 'candles:XYZ:9z', 'candles:']) {
    await assertStreamError(peer, { type: 'Subscribe', channel }, {
      message: `Channel withdrawn: ${channel}`,
      code: 'not_found',
    })
  }
})

test('bad frames are an Error each, and the connection stays', async () => {
  const peer = await open()
  const cases: [unknown, object][] = [
    ['{"type":', { message: 'Invalid JSON', code: 'invalid_json' }],
    ['', { code: 'invalid_json' }],
    ['[]', { code: /^invalid_(json|request)$/ }],
    ['null', { code: /^invalid_(json|request)$/ }],
    ['7', { code: /^invalid_(json|request)$/ }],
    ['"x"', { code: /^invalid_(json|request)$/ }],
    ['{}', { message: 'Missing field: type', code: 'missing_field' }],
    ['{"type":5}', { code: 'invalid_field' }],
    [{ type: 'Nonsense' }, { message: 'Unknown message type: Nonsense', code: 'invalid_request' }],
    [{ type: 'constructor' }, { message: 'Unknown message type: constructor' }],
    [{ type: '__proto__' }, { message: 'Unknown message type: __proto__' }],
    [{ type: 'Subscribe' }, { message: 'Missing field: channel', code: 'missing_field' }],
    [{ type: 'Subscribe', channel: 9 }, { message: /^Invalid channel: / }],
    [{ type: 'Subscribe', channel: '__proto__' }, { message: 'Unknown channel: __proto__' }],
    [{ type: 'Subscribe', channel: 'trades', symbols: 'BTC' }, { message: /^Invalid symbols: / }],
    [{ type: 'Subscribe', channel: 'trades', symbols: [1] }, { message: /^Invalid symbols: / }],
    [{ type: 'Subscribe', channel: 'trades', expiry: 5 }, { message: /^Invalid expiry: / }],
    [
      { type: 'Subscribe', channel: 'options_chain', option_type: 'both' },
      { message: /^Invalid option_type: / },
    ],
    [{ type: 'Authenticate' }, { message: 'Missing field: wallet', code: 'missing_field' }],
    [{ type: 'PlaceOrder' }, { code: 'missing_field', request_type: 'PlaceOrder' }],
    ['['.repeat(10_000), { code: 'invalid_json' }],
    [`{"type":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, {}],
    [Buffer.from('{"type":"ClockSync","nonce":"b"}'), { code: /^invalid_/ }],
  ]
  for (const [frame, fields] of cases) {
    const bytes = Buffer.isBuffer(frame)
    if (bytes) {
      peer.socket.send(frame, { binary: true })
      const error = await peer.next('Error')
      assert.match(error.code, /^invalid_/)
    } else await assertStreamError(peer, frame, fields)
  }
  const synced = await peer.ask({ type: 'ClockSync', nonce: 'alive' }, 'ClockSynced')
  assert.equal(synced.nonce, 'alive')
})

test('a frame above 256 KiB closes with 1009; one just below is served', async () => {
  const peer = await open()
  const frame = { type: 'ClockSync', nonce: 'n', pad: '' }
  frame.pad = 'x'.repeat(256 * 1024 - JSON.stringify(frame).length)
  await peer.ask(frame, 'ClockSynced')
  frame.pad += 'x'
  peer.send(frame)
  if (peer.closed === null) await once(peer.socket, 'close')
  assert.equal(peer.closed!.code, 1009)
})

test('a client ping is answered by a pong with the same payload', async () => {
  const peer = await open()
  const payload = Buffer.alloc(125, 7)
  const pong = once(peer.socket, 'pong')
  peer.socket.ping(payload)
  const [received] = await pong
  assert.deepEqual(Buffer.from(received), payload)
})

test('every Subscribe and Unsubscribe has its own ack, also a repeated one', async () => {
  const peer = await open()
  for (const channel of ['orderbook', 'trades', 'market_updates', 'index_prices']) {
    const ack = await peer.subscribe(channel)
    assert.deepEqual(ack, { type: 'Subscribed', channel })
    assert.equal((await peer.subscribe(channel)).channel, channel)
    const bye = await peer.ask({ type: 'Unsubscribe', channel }, 'Unsubscribed')
    assert.deepEqual(bye, { type: 'Unsubscribed', channel })
    await peer.ask({ type: 'Unsubscribe', channel }, 'Unsubscribed')
  }
  assert.deepEqual(peer.ofType('Error'), [])
})

test('a subscription with null filters is one without', async () => {
  const peer = await open()
  await peer.subscribe('market_updates', { symbols: null, expiry: null, option_type: null })
  const listed = symbolOf('BTC', 150_000)
  await venue.set('/instruments', { symbol: listed })
  assert.equal((await peer.next('MarketUpdate')).symbol, listed)
})

test('orderbook: a snapshot after the ack, then the whole ladder on a change', async () => {
  const [buyer, seller] = [await trader(), await trader()]
  const low = await place(buyer, { price: '1000', size: '2' })
  await place(seller, { side: 'Sell', price: '9000', size: '0.50' })
  const peer = await open()
  await peer.subscribe('orderbook', { symbols: [symbol, otherSymbol] })
  const snapshot = await peer.next('OrderbookUpdate')
  assert.ok(peer.messages.findIndex((each) => each.type === 'Subscribed') === 0)
  assert.equal(snapshot.snapshot, true)
  assert.ok(Number.isSafeInteger(snapshot.as_of_seq))
  assert.equal(snapshot.symbol, symbol)
  assert.equal(snapshot.option_token_address, null)
  assert.deepEqual(snapshot.bids[0], ['1000', '2'])
  assert.deepEqual(snapshot.asks, [['9000', '0.5']])
  assert.ok(Math.abs(snapshot.timestamp - Date.now()) < 10_000)

  const high = await place(buyer, { price: '1001', size: '1' })
  const update = await peer.next('OrderbookUpdate')
  assert.equal(update.snapshot ?? false, false)
  assert.deepEqual(update.bids.slice(0, 2), [
    ['1001', '1'],
    ['1000', '2'],
  ])
  assert.ok(update.seq > snapshot.as_of_seq)
  assert.equal(update.symbol, symbol)
  await cancel(buyer, { order_id: high.order_id })
  await cancel(buyer, { order_id: low.order_id })
  await peer.settle()
  const last = peer.ofType('OrderbookUpdate').at(-1)
  assert.equal(last.bids.some(([price]: [string]) => price === '1001' || price === '1000'), false)
})

test('orderbook: twenty quick changes end in the last state', async () => {
  const by = await trader()
  const peer = await open()
  await peer.subscribe('orderbook', { symbols: [otherSymbol] })
  const placed = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      place(by, { symbol: otherSymbol, price: String(500 + index), size: '1' }),
    ),
  )
  await peer.settle()
  const books = peer.ofType('OrderbookUpdate')
  assert.equal(books.at(-1).bids.length, 20)
  assert.deepEqual(books.at(-1).bids[0], ['519', '1'])
  const seqs = books.map((each) => each.seq)
  assert.deepEqual(seqs, [...seqs].sort((a, b) => a - b))
  for (const { order_id } of placed) await cancel(by, { order_id })
  await peer.settle()
  assert.deepEqual(peer.ofType('OrderbookUpdate').at(-1).bids, [])
})

test('filters: exact names only; none for an empty list; each message once', async () => {
  const by = await trader()
  const [empty, bare, double] = [await open(), await open(), await open()]
  await empty.subscribe('orderbook', { symbols: [] })
  await bare.subscribe('orderbook', { symbols: ['BTC'] })
  await double.subscribe('orderbook')
  await double.subscribe('orderbook', { symbols: [symbol] })
  await double.settle()
  const before = double.ofType('OrderbookUpdate').length
  const update = await place(by, { price: '1200' })
  for (const peer of [empty, bare, double]) await peer.settle()
  assert.deepEqual(empty.ofType('OrderbookUpdate'), [])
  assert.deepEqual(bare.ofType('OrderbookUpdate'), [])
  assert.equal(double.ofType('OrderbookUpdate').length, before + 1)
  await double.ask({ type: 'Unsubscribe', channel: 'orderbook', symbols: [symbol] }, 'Unsubscribed')
  await cancel(by, { order_id: update.order_id })
  await double.settle()
  assert.equal(double.ofType('OrderbookUpdate').length, before + 2)
  await double.ask({ type: 'Unsubscribe', channel: 'orderbook' }, 'Unsubscribed')
  await place(by, { price: '1200', tif: 'gtc' })
  await double.settle()
  assert.equal(double.ofType('OrderbookUpdate').length, before + 2)
})

test('a symbol filter takes every form that parses', async () => {
  const by = await trader()
  const peer = await open()
  await peer.subscribe('orderbook', { symbols: [`${symbol.slice(0, -2)}.0-C`] })
  await place(by, { price: '1300' })
  assert.equal((await peer.next('OrderbookUpdate')).symbol, symbol)
})

test('a trade shows on trades, fills and order_updates, with its numbers agreeing', async () => {
  const [maker, taker] = [await trader(), await trader()]
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
  assert.ok(Math.abs(timestamp - Date.now()) < 10_000)

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

  await takerPeer.settle()
  await makerPeer.settle()
  const statuses = (peer: StreamPeer) =>
    peer.ofType('OrderUpdate').map((each) => [each.status, each.filled_size])
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

test('a cancel, a rejection and a replacement show on order_updates', async () => {
  const by = await trader('2000')
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
  assert.equal(rejected.reason, 'Insufficient cash (Standard)')
  assert.equal(rejected.reason_code, 'insufficient_cash')
  assert.equal(rejected.request.price, '5000')
})

test('nobody sees another wallet’s private messages', async () => {
  const [by, other] = [await trader(), await trader()]
  const peer = await open(`?wallet=${other.wallet}`)
  await peer.subscribe('order_updates')
  await peer.subscribe('fills')
  await place(by)
  await peer.settle()
  assert.equal(peer.messages.length, 3)
})

test('market_updates: created, then deleted', async () => {
  const peer = await open()
  await peer.subscribe('market_updates')
  const listed = symbolOf('BTC', '27.5', 'P')
  await venue.set('/instruments', { symbol: listed })
  const created = await peer.next('MarketUpdate')
  const { expiry, timestamp, seq, ...rest } = created
  assert.deepEqual(rest, {
    type: 'MarketUpdate',
    action: 'Created',
    symbol: listed,
    strike: '27.5',
    is_call: false,
    underlying: 'BTC',
  })
  assert.ok(expiry > Date.now() / 1000 && expiry < 2 ** 32)
  assert.ok(Number.isSafeInteger(seq) && Math.abs(timestamp - Date.now()) < 10_000)
  await venue.set('/instruments', { symbol: listed })
  await venue.operator('DELETE', '/instruments', { symbol: listed })
  const deleted = await peer.next('MarketUpdate')
  assert.equal(deleted.action, 'Deleted')
  assert.deepEqual(Object.keys(deleted).sort(), ['action', 'seq', 'symbol', 'timestamp', 'type'])
})

test('index_prices: all known ones on subscribe, changes afterwards, sorted', async () => {
  await venue.set('/instruments', { symbol: symbolOf('ETH', 3000) })
  await venue.set('/index-prices', { prices: [{ underlying: 'ETH', price: '3456.789' }] })
  const peer = await open()
  await peer.subscribe('index_prices')
  const first = await peer.next('IndexPriceUpdate')
  assert.deepEqual(
    first.prices.map((each: Wire) => [each.underlying, each.price]),
    [
      ['BTC', '100000'],
      ['ETH', '3456.789'],
    ],
  )
  assert.equal(first.snapshot, true)
  assert.equal(
    first.timestamp,
    Math.min(...first.prices.map((each: Wire) => each.timestamp)),
  )
  await venue.set('/index-prices', { prices: [{ underlying: 'ETH', price: '3500' }] })
  const changed = await peer.next(
    (message) =>
      message.type === 'IndexPriceUpdate' &&
      message.prices.some((each: Wire) => each.underlying === 'ETH' && each.price === '3500'),
    1500,
  )
  assert.ok(Number.isSafeInteger(changed.seq))
  const only = await open()
  await only.subscribe('index_prices', { symbols: ['ETH'] })
  const filtered = await only.next('IndexPriceUpdate')
  assert.deepEqual(
    filtered.prices.map((each: Wire) => each.underlying),
    ['ETH'],
  )
  await only.next('IndexPriceUpdate', 3000)
})

test('PlaceOrder is answered by an OrderResult, identified or not', async () => {
  const by = await trader()
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

test('null optional fields of PlaceOrder are absent ones', async () => {
  const by = await trader()
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

test('a trading rejection is an OrderResult, everything before the engine an Error', async () => {
  const by = await trader('10')
  const peer = await open()
  const rejected = await peer.ask(
    { type: 'PlaceOrder', ...(await placeBody(by, { symbol })) },
    'OrderResult',
  )
  assert.equal(rejected.status, 'REJECTED')
  assert.equal(rejected.order_id, null)
  assert.equal(rejected.reason, 'Insufficient cash (Standard)')
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

test('a nonce used over REST is used on the stream, and a repeat has its first outcome', async () => {
  const by = await trader()
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

test('more than 64 commands in flight are engine_busy, each of the others is answered', async () => {
  const by = await trader()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  const peer = await open()
  const bodies = await Promise.all(
    Array.from({ length: 100 }, () => placeBody(by, { symbol, price: '3', size: '0.01' })),
  )
  for (const body of bodies) peer.send({ type: 'PlaceOrder', ...body })
  const answered = () => [...peer.ofType('OrderResult'), ...peer.ofType('Error')]
  for (let waited = 0; answered().length < 100 && waited < 100; waited++) await sleep(50)
  assert.equal(answered().length, 100)
  for (const error of peer.ofType('Error')) assert.equal(error.code, 'engine_busy')
  assert.equal(new Set(answered().map((each) => each.nonce)).size, 100)
})

test('at most 1,024 subscriptions, and 4,096 symbols in a frame', async () => {
  const peer = await open()
  const symbols = Array.from({ length: 4096 }, (_, index) => symbolOf('BTC', index + 1))
  await peer.subscribe('trades', { symbols })
  await assertStreamError(
    peer,
    { type: 'Subscribe', channel: 'trades', symbols: [...symbols, symbolOf('BTC', 5000)] },
    { code: /^(invalid_field|limit_exceeded|invalid_parameter)$/ },
  )
  for (let index = 0; index < 1023; index++) {
    peer.send({ type: 'Subscribe', channel: 'orderbook', symbols: [symbols[index]] })
  }
  await peer.settle()
  assert.equal(peer.ofType('Subscribed').length, 1024)
  await assertStreamError(peer, { type: 'Subscribe', channel: 'market_updates' }, {
    message: 'Too many subscriptions',
    code: 'limit_exceeded',
  })
})

test('other paths than /ws are no stream', async () => {
  const socket = new WebSocket(`${venue.publicUrl.replace('http', 'ws')}/nothing`)
  const [error] = await once(socket, 'error')
  assert.match(String(error), /Unexpected server response: 4\d\d/)
})
