import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { symbolOf } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 90_000, 'P')
const { fundedWallet, place, cancel } = orderActions(venue, symbol)
const open = streamPeers(venue)

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol, otherSymbol])
})
after(() => venue.dispose())

test('a subscription with null filters equals one without filters', async () => {
  const peer = await open()
  await peer.subscribe('market_updates', { symbols: null, expiry: null, option_type: null })
  const listed = symbolOf('BTC', 150_000)
  await venue.set('/instruments', { symbol: listed })
  assert.equal((await peer.next('MarketUpdate')).symbol, listed)
})

test('orderbook sends a snapshot after the ack, then the whole ladder on a change', async () => {
  const [buyer, seller] = [await fundedWallet(), await fundedWallet()]
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
  assert.ok(Math.abs(snapshot.timestamp - Date.now()) < 60_000)

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
  const latest = () => peer.ofType('OrderbookUpdate').at(-1)
  const isCanceled = ([price]: [string]) => price === '1001' || price === '1000'
  await peer.until('a book without both', () => !latest().bids.some(isCanceled))
})

test('orderbook sends a book that has become empty as empty to a new subscription', async () => {
  const emptied = symbolOf('BTC', 130_000)
  const quiet = symbolOf('BTC', 140_000)
  for (const each of [emptied, quiet]) await venue.set('/instruments', { symbol: each })
  const buyer = await fundedWallet()
  const { order_id } = await place(buyer, { symbol: emptied, price: '1000', size: '1' })
  const peer = await open()
  await peer.subscribe('orderbook', { symbols: [emptied] })
  assert.equal((await peer.next('OrderbookUpdate')).bids.length, 1)
  await peer.ask({ type: 'Unsubscribe', channel: 'orderbook' }, 'Unsubscribed')
  await cancel(buyer, { order_id })
  await peer.subscribe('orderbook', { symbols: [quiet, emptied] })
  const snapshot = await peer.next('OrderbookUpdate')
  assert.deepEqual([snapshot.symbol, snapshot.snapshot], [emptied, true])
  assert.deepEqual([snapshot.bids, snapshot.asks], [[], []])
})

test('orderbook ends in the last state after twenty quick changes', async () => {
  const by = await fundedWallet()
  const peer = await open()
  await peer.subscribe('orderbook', { symbols: [otherSymbol] })
  const placed = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      place(by, { symbol: otherSymbol, price: String(500 + index), size: '1' }),
    ),
  )
  const latestBids = () => peer.ofType('OrderbookUpdate').at(-1)?.bids ?? []
  await peer.until('twenty bids', () => latestBids().length === 20)
  assert.deepEqual(latestBids()[0], ['519', '1'])
  const books = peer.ofType('OrderbookUpdate')
  const seqs = books.map((each) => each.seq)
  assert.deepEqual(
    seqs,
    [...seqs].sort((a, b) => a - b),
  )
  for (const { order_id } of placed) await cancel(by, { order_id })
  await peer.until('no bid', () => latestBids().length === 0)
})

test('filters match exact names only, an empty list matches none, and each message comes once', async () => {
  const by = await fundedWallet()
  const [empty, bare, double] = [await open(), await open(), await open()]
  await empty.subscribe('orderbook', { symbols: [] })
  await bare.subscribe('orderbook', { symbols: ['BTC'] })
  await double.subscribe('orderbook')
  await double.subscribe('orderbook', { symbols: [symbol] })
  await double.settle()
  const books = () => double.ofType('OrderbookUpdate').length
  const before = books()
  const update = await place(by, { price: '1200' })
  await double.until('the change', () => books() > before)
  for (const peer of [empty, bare, double]) await peer.settle()
  assert.deepEqual(empty.ofType('OrderbookUpdate'), [])
  assert.deepEqual(bare.ofType('OrderbookUpdate'), [])
  assert.equal(books(), before + 1)
  await double.ask({ type: 'Unsubscribe', channel: 'orderbook', symbols: [symbol] }, 'Unsubscribed')
  await cancel(by, { order_id: update.order_id })
  await double.until('the next change', () => books() > before + 1)
  await double.settle()
  assert.equal(books(), before + 2)
  await double.ask({ type: 'Unsubscribe', channel: 'orderbook' }, 'Unsubscribed')
  await place(by, { price: '1200', tif: 'gtc' })
  await double.settle()
  assert.equal(books(), before + 2)
})

test('a symbol filter accepts every form that parses', async () => {
  const by = await fundedWallet()
  const peer = await open()
  await peer.subscribe('orderbook', { symbols: [`${symbol.slice(0, -2)}.0-C`] })
  await place(by, { price: '1300' })
  assert.equal((await peer.next('OrderbookUpdate')).symbol, symbol)
})

test("market_updates reports an instrument's creation, then its deletion", async () => {
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
  assert.ok(Number.isSafeInteger(seq) && Math.abs(timestamp - Date.now()) < 60_000)
  await venue.set('/instruments', { symbol: listed })
  await venue.operator('DELETE', '/instruments', { symbol: listed })
  const deleted = await peer.next('MarketUpdate')
  assert.equal(deleted.action, 'Deleted')
  assert.deepEqual(Object.keys(deleted).sort(), ['action', 'seq', 'symbol', 'timestamp', 'type'])
})

test('index_prices sends all known prices on subscribe, then changes, sorted', async () => {
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
  assert.equal(first.timestamp, Math.min(...first.prices.map((each: Wire) => each.timestamp)))
  await venue.set('/index-prices', { prices: [{ underlying: 'ETH', price: '3500' }] })
  const changed = await peer.next(
    (message) =>
      message.type === 'IndexPriceUpdate' &&
      message.prices.some((each: Wire) => each.underlying === 'ETH' && each.price === '3500'),
  )
  assert.ok(Number.isSafeInteger(changed.seq))
  const only = await open()
  await only.subscribe('index_prices', { symbols: ['ETH'] })
  const filtered = await only.next('IndexPriceUpdate')
  assert.deepEqual(
    filtered.prices.map((each: Wire) => each.underlying),
    ['ETH'],
  )
  await only.next('IndexPriceUpdate')
})
