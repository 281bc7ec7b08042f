import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { auctionProviders } from './support/auction-trader.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { acceptBody } from './support/rfq-body.js'
import {
  type Body,
  cancelBody,
  placeBody,
  symbolOf,
  type WalletKey,
} from './support/signed-body.js'
import { type StreamPeer, streamPeers } from './support/stream-peer.js'
import { assertError, Venue, type Wire } from './support/venue.js'

// No test waits for the deadline unless it says so: all invited providers answer or leave.
const venue = new Venue({
  arguments: [
    '--gateways=2',
    '--set=rpi.auctionMillis=30000',
    '--set=rpi.minImprovementTick=1',
    '--set=rfq.responseDeadlineMillis=20000',
  ],
})
/** Each test has an instrument of its own, with its own book. */
const symbols = Array.from({ length: 20 }, (_, i) => symbolOf('BTC', 105_000 + 1000 * i))
const rfqOnly = symbolOf('BTC', 104_000)
let used = 0
const { fundedWallet, place, replace, cancel } = orderActions(venue, symbols[0]!)
const open = streamPeers(venue)
const provider = auctionProviders(venue)

before(async () => {
  await venue.start()
  await venue.set('/instruments', { symbol: rfqOnly, trading_mode: 'rfq' })
  await listMarket(venue, symbols)
})
after(() => venue.dispose())

/** Returns an instrument with asks in its book, as `[size, price]`. */
async function market(...asks: readonly (readonly [string, string])[]): Promise<string> {
  const symbol = symbols[used++]!
  const maker = await fundedWallet()
  await venue.set('/tiers', { wallet: maker.wallet, tier: 'market_maker' })
  for (const [size, price] of asks) {
    const { status } = await place(maker, { symbol, side: 'Sell', size, price })
    assert.equal(status, 'ACKED')
  }
  return symbol
}

/** Returns a taker, and a connection that receives all its messages. */
async function taker(): Promise<{ by: WalletKey; heard: StreamPeer }> {
  const by = await fundedWallet()
  const heard = await open(`?wallet=${by.wallet}`)
  for (const channel of ['order_updates', 'fills', 'rfq']) await heard.subscribe(channel)
  return { by, heard }
}

const terms = { side: 'Buy', size: '5', price: '3310', route: 'best_execution' }

/** Sends a best-execution order over REST. */
function send(by: WalletKey, symbol: string, patch: Body = {}): Promise<Wire> {
  return place(by, { ...terms, symbol, ...patch })
}

async function fillsOf(by: WalletKey): Promise<string[]> {
  const { data } = await venue.read(`/fills?wallet=${by.wallet}`)
  return data.map(({ size, price, side, fill_source }: Wire) =>
    [side, size, price, fill_source.type].join(' '),
  )
}

/** Returns an order's statuses on its wallet's stream, in order. */
function statuses(heard: StreamPeer): string[] {
  return heard.ofType('OrderUpdate').map(({ status }) => status)
}

test('the best of three quotes fills the whole order inside the book, and the other providers learn that they lost', async () => {
  const symbol = await market(['2', '3300'], ['10', '3305'])
  const { by, heard } = await taker()
  const row = { bid: '3000', ask: '3299' }
  const [a, b, c] = [
    await provider(symbol, row),
    await provider(symbol, row),
    await provider(symbol, row),
  ]
  const answer = send(by, symbol, { client_id: 'improved' })
  const request = await a.asked()
  assert.deepEqual(
    { ...request, request_timestamp: 0 },
    {
      ...{ type: 'rfq_request', rfq_id: request.rfq_id, request_timestamp: 0 },
      legs: [{ instrument: symbol, side: 'buy', size: '5' }],
      taker_wallet: `0x${'0'.repeat(40)}`,
      ...{ response_deadline_ms: 30_000, auction_deadline_ms: 30_000, auto_execute: true },
      ...{ reference_price: '3300', min_improvement_tick: '1' },
      requires_price_improvement: true,
    },
  )
  await a.quote(request, 3296)
  const wrongSize = [{ ...request.legs[0], size: '3' }]
  await b.quote({ ...(await b.asked()), legs: wrongSize }, 3294)
  assert.equal((await b.peer.next('error')).code, 'legs_mismatch')
  const acked = await heard.next('OrderUpdate')
  assert.deepEqual([acked.status, acked.client_id], ['ACKED', 'improved'])
  await sealed(by, heard, request.rfq_id)
  await c.quote(await c.asked(), 3299.5)
  b.decline(request)
  const { status, filled_size, order_id } = await answer
  assert.deepEqual([status, filled_size, order_id], ['FILLED', 5, acked.order_id])
  const fill = await heard.next('Fill')
  const source = { type: 'rfq', rfq_id: request.rfq_id, quote_id: fill.fill_source.quote_id }
  assert.deepEqual(
    [fill.price, fill.size, fill.order_id, fill.client_id, fill.is_taker, fill.fill_source],
    ['3296', '5', order_id, 'improved', true, source],
  )
  assert.deepEqual(statuses(heard), ['ACKED', 'FILLED'])
  assert.deepEqual(await fillsOf(by), ['Buy 5 3296 rfq'])
  assert.deepEqual(await fillsOf(a.by), ['Sell 5 3296 rfq'])
  const { positions } = (await venue.read(`/portfolio?wallet=${by.wallet}`)).data
  assert.deepEqual(
    positions.map(({ symbol: of, amount }: Wire) => [of, amount]),
    [[symbol, '5']],
  )
  const [order] = (await venue.read(`/orders?wallet=${by.wallet}`)).data
  assert.deepEqual([order.status, order.avg_fill_price], ['filled', '3296'])
  for (const other of [b, c]) await other.peer.next('rfq_already_filled')
  await heard.settle()
  assert.equal(a.messagesAbout('rfq_already_filled', request).length, 0)
  for (const other of [b, c])
    assert.equal(other.messagesAbout('rfq_already_filled', request).length, 1)
  await sealed(by, heard, request.rfq_id, source.quote_id)
  const metrics = await venue.metrics()
  assert.match(metrics, /^strikebook_auctions_begun_total 1$/m)
  assert.match(metrics, /^strikebook_auctions_ended_total\{result="executed"\} 1$/m)
})

/** Asserts that no client can find the auction or accept its quotes. */
async function sealed(by: WalletKey, heard: StreamPeer, rfqId: string, quoteId = rfqId) {
  assertError(await venue.get(`/rfq/${rfqId}`), 404, 'not_found')
  assertError(await venue.get(`/rfq/${rfqId}?wallet=${by.wallet}`), 404, 'not_found')
  assert.deepEqual((await venue.read(`/rfq?wallet=${by.wallet}`)).rfqs, [])
  const accept = await acceptBody(by, rfqId, quoteId, '-16480')
  assertError(await venue.send('POST', '/rfq/accept', accept), 404, 'not_found')
  const ofRfqs = ['RfqStatusUpdate', 'RfqQuotes', 'RfqAcceptResult']
  assert.deepEqual(
    heard.messages.filter(({ type }) => ofRfqs.includes(type)),
    [],
  )
}

test('an order whose provider lacks margin goes to the book when no other is eligible', async () => {
  const symbol = await market(['2', '3300'], ['10', '3305'])
  const [first, second] = [await taker(), await taker()]
  // It can afford one of them.
  const a = await provider(symbol, { ask: '3299', size: '5', amount: '80000' })
  const c = await provider(symbol, { ask: '3299' })
  const winner = send(first.by, symbol)
  const one = await a.asked()
  const loser = send(second.by, symbol)
  const two = await a.asked()
  for (const request of [one, two]) await a.quote(request, 3296)
  await a.settle(two)
  c.decline(one)
  const won = await winner
  assert.equal(won.status, 'FILLED')
  assert.equal(a.messagesAbout('qp_margin_rejection', two).length, 0)
  c.decline(two)
  assert.equal((await loser).status, 'FILLED')
  const rejected = await a.peer.next('qp_margin_rejection')
  assert.equal(rejected.rfq_id, two.rfq_id)
  assert.deepEqual(await fillsOf(first.by), ['Buy 5 3296 rfq'])
  assert.deepEqual(await fillsOf(second.by), ['Buy 3 3305 orderbook', 'Buy 2 3300 orderbook'])
  await assertWaited(won)
  await assertWaited(await loser)
})

/** Asserts that the stages before the auction's batch are unmeasured. */
async function assertWaited({ order_id, seq }: Wire): Promise<void> {
  const { data } = await venue.read(`/orders/why?order_id=${order_id}`)
  const { ring_micros, batch_micros, match_micros, pump_micros, total_micros } = data.stages
  assert.deepEqual([ring_micros, batch_micros, match_micros, data.batch], [null, null, null, null])
  assert.ok(pump_micros >= 0 && total_micros > pump_micros)
  assert.deepEqual([data.seq, data.status], [seq, 'FILLED'])
}

test('without a winner the book handles an order according to its time in force', async () => {
  const symbol = await market(['2', '3300'], ['1', '3305'])
  const outcomes: unknown[] = []
  for (const tif of ['fok', 'ioc', 'gtc']) {
    const { by, heard } = await taker()
    const declining = await provider(symbol, { ask: '3299' })
    const answer = send(by, symbol, { tif, ...(tif === 'gtc' ? { price: '3306' } : {}) })
    declining.decline(await declining.asked())
    const { status, filled_size, reason_code } = await answer
    await heard.settle()
    outcomes.push([tif, status, filled_size, reason_code, statuses(heard), await fillsOf(by)])
    if (tif === 'fok') continue
    // Restores the book for the next order.
    const maker = await fundedWallet()
    await venue.set('/tiers', { wallet: maker.wallet, tier: 'market_maker' })
    if (tif === 'ioc') await place(maker, { symbol, side: 'Sell', size: '2', price: '3300' })
  }
  const three = ['Buy 1 3305 orderbook', 'Buy 2 3300 orderbook']
  assert.deepEqual(outcomes, [
    ['fok', 'CANCELED', 0, 'fok_not_filled', ['ACKED', 'CANCELED'], []],
    ['ioc', 'CANCELED', 3, 'ioc_remainder', ['ACKED', 'CANCELED'], three],
    ['gtc', 'PARTIALLY_FILLED', 2, null, ['ACKED', 'PARTIALLY_FILLED'], ['Buy 2 3300 orderbook']],
  ])
})

test('a quote within the limit fills the order when the book has no price within it', async () => {
  const symbol = await market(['10', '3400'])
  const { by } = await taker()
  const a = await provider(symbol, { bid: '3000', ask: '3305' })
  const answer = send(by, symbol, { size: '2.5' })
  const request = await a.asked()
  const { requires_price_improvement, reference_price, taker_limit_price, auto_accept_limit } =
    request
  assert.deepEqual(
    [requires_price_improvement, reference_price, taker_limit_price, auto_accept_limit],
    [false, '3310', '3310', '8275'],
  )
  await a.quote(request, 3310)
  assert.equal((await answer).status, 'FILLED')
  assert.deepEqual(await fillsOf(by), ['Buy 2.5 3310 rfq'])
})

test('an order that no provider can improve, or with route book_only, enters the book immediately', async () => {
  const symbol = await market(['10', '3400'])
  const { by } = await taker()
  const a = await provider(symbol, { ask: '3311' })
  assert.equal((await send(by, symbol)).status, 'ACKED')
  assert.equal((await send(by, symbol, { route: 'book_only', price: '3320' })).status, 'ACKED')
  assert.equal(a.peer.ofType('rfq_request').length, 0)
  const [order] = (await venue.read(`/orders?wallet=${by.wallet}&status=open`)).data
  assert.equal(order.price, '3320')
})

test('a cancel ends an auction, by id over REST and by client id for a streamed order', async () => {
  const symbol = await market(['10', '3305'])
  const { by, heard } = await taker()
  const a = await provider(symbol, { ask: '3299' })
  const answer = send(by, symbol)
  const request = await a.asked()
  const { order_id } = await heard.next('OrderUpdate')
  const listed = (await venue.read(`/orders?wallet=${by.wallet}`)).data
  assert.deepEqual([listed[0].status, listed[0].order_id], ['acked', order_id])
  assert.equal((await cancel(by, { order_id })).status, 'CANCELED')
  const { status, filled_size, order_id: answered } = await answer
  assert.deepEqual([status, filled_size, answered], ['CANCELED', 0, order_id])
  await a.quote(request, 3290)
  assert.equal((await a.peer.next('error')).code, 'rfq_closed')
  const client_id = 'streamed'
  heard.send({ type: 'PlaceOrder', ...(await placeBody(by, { ...terms, symbol, client_id })) })
  await a.asked()
  const gone = await venue.send('DELETE', '/order', await cancelBody(by, { client_id }))
  assert.equal(gone.body.status, 'CANCELED')
  const result = await heard.next('OrderResult')
  assert.deepEqual([result.status, result.filled_size], ['CANCELED', '0'])
  await heard.settle()
  assert.equal(heard.ofType('OrderResult').length, 1)
  assert.deepEqual(statuses(heard), ['ACKED', 'CANCELED', 'ACKED', 'CANCELED'])
})

test('an order in auction keeps its reserve, and its replacement goes to the book', async () => {
  const symbol = await market(['10', '3305'])
  const { by, heard } = await taker()
  const available = async () =>
    Number((await venue.read(`/portfolio?wallet=${by.wallet}`)).data.available_balance)
  const before = await available()
  const a = await provider(symbol, { ask: '3299' })
  const answer = send(by, symbol)
  await a.asked()
  const { order_id } = await heard.next('OrderUpdate')
  assert.equal(await available(), before - 5 * 3310)
  const replaced = await replace(by, { order_id, symbol, side: 'Buy', size: '2', price: '3305' })
  assert.deepEqual([replaced.status, replaced.filled_size], ['FILLED', 2])
  const { status, filled_size } = await answer
  assert.deepEqual([status, filled_size], ['CANCELED', 0])
  assert.deepEqual(await fillsOf(by), ['Buy 2 3305 orderbook'])
  assert.equal(a.peer.ofType('rfq_request').length, 1)
})

test('a streamed order gets one answer, after its auction', async () => {
  const symbol = await market(['10', '3305'])
  const { by, heard } = await taker()
  const a = await provider(symbol, { ask: '3299' })
  const frame = await placeBody(by, { ...terms, symbol })
  heard.send({ type: 'PlaceOrder', ...frame })
  const request = await a.asked()
  await heard.settle()
  assert.deepEqual(heard.ofType('OrderResult'), [])
  // A retry before the answer returns the current state.
  heard.send({ type: 'PlaceOrder', ...frame })
  const repeat = await heard.next('OrderResult')
  assert.deepEqual([repeat.status, repeat.filled_size], ['ACKED', '0'])
  await a.quote(request, 3300)
  const result = await heard.next('OrderResult')
  assert.deepEqual([result.status, result.filled_size], ['FILLED', '5'])
  await heard.settle()
  assert.equal(heard.ofType('OrderResult').length, 2)
})

test("the core uses a provider's last answer and accepts at most two quotes from it", async () => {
  const symbol = await market(['10', '3305'])
  const { by } = await taker()
  const [a, b] = [await provider(symbol, { ask: '3299' }), await provider(symbol, { ask: '3299' })]
  const answer = send(by, symbol)
  const request = await a.asked()
  await a.quote(request, 3290)
  await a.quote(request, 3298)
  await a.quote(request, 3297)
  const refused = await a.peer.next('error')
  assert.equal(refused.code, 'limit_exceeded')
  await b.quote(await b.asked(), 3299)
  assert.equal((await answer).status, 'FILLED')
  assert.deepEqual(await fillsOf(by), ['Buy 5 3298 rfq'])
})

test('the core stops waiting for a provider that leaves, and keeps its quotes', async () => {
  const symbol = await market(['10', '3305'])
  const [first, second] = [await taker(), await taker()]
  const a = await provider(symbol, { ask: '3299' })
  const answer = send(first.by, symbol)
  await a.asked()
  a.peer.close()
  assert.equal((await answer).status, 'FILLED')
  assert.deepEqual(await fillsOf(first.by), ['Buy 5 3305 orderbook'])
  const [b, c] = [await provider(symbol, { ask: '3299' }), await provider(symbol, { ask: '3299' })]
  const late = send(second.by, symbol)
  await b.quote(await b.asked(), 3290)
  await c.asked()
  b.peer.close()
  c.peer.close()
  assert.equal((await late).status, 'FILLED')
  assert.deepEqual(await fillsOf(second.by), ['Buy 5 3290 rfq'])
})

test("a decline excludes the provider's row from the next auction of the instrument", async () => {
  const symbol = await market(['10', '3305'], ['10', '3306'])
  const { by } = await taker()
  const [a, b] = [await provider(symbol, { ask: '3299' }), await provider(symbol, { ask: '3299' })]
  const answers = [send(by, symbol)]
  a.decline(await a.asked())
  await b.quote(await b.asked(), 3299)
  await answers[0]
  const next = send(by, symbol)
  await b.quote(await b.asked(), 3299)
  await next
  assert.equal(a.peer.ofType('rfq_request').length, 1)
  assert.deepEqual(await fillsOf(by), ['Buy 5 3299 rfq', 'Buy 5 3299 rfq'])
})

test('an instrument without a book trades by auction only', async () => {
  const { by } = await taker()
  const a = await provider(rfqOnly, { ask: '3299' })
  const filled = send(by, rfqOnly)
  await a.quote(await a.asked(), 3299)
  assert.equal((await filled).status, 'FILLED')
  const none = send(by, rfqOnly)
  await a.quote(await a.asked(), 3311)
  const { status, reason_code, reason } = await none
  assert.deepEqual(
    [status, reason_code, reason],
    ['CANCELED', 'no_eligible_quote', 'No eligible quote'],
  )
})

test('for a sell order the highest bid wins', async () => {
  const symbol = await market()
  const buyer = await fundedWallet()
  await place(buyer, { symbol, side: 'Buy', size: '10', price: '3200' })
  const { by } = await taker()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  const [a, b] = [await provider(symbol, { bid: '3201' }), await provider(symbol, { bid: '3201' })]
  const answer = send(by, symbol, { side: 'Sell', price: '3190', size: '3' })
  await a.quote(await a.asked(), 3202)
  await b.quote(await b.asked(), 3205)
  assert.equal((await answer).status, 'FILLED')
  assert.deepEqual(await fillsOf(by), ['Sell 3 3205 rfq'])
})

test('a halt ends the auction', async () => {
  const symbol = await market(['10', '3305'])
  const a = await provider(symbol, { ask: '3299' })
  const ends: unknown[] = []
  for (const mode of ['halted', 'cancel_only']) {
    const { by } = await taker()
    const answer = send(by, symbol)
    await a.asked()
    await venue.set('/halts', { underlying: 'BTC', mode })
    const { status, reason_code, filled_size } = await answer
    ends.push([status, reason_code, filled_size])
    await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  }
  assert.deepEqual(ends, [
    ['CANCELED', 'trading_halted', 0],
    ['CANCELED', 'trading_halted', 0],
  ])
})
