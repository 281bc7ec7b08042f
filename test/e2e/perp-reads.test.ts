import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { symbolOf, WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

// A client's reads and stream messages of a perp from its listing to its delisting; no wallet trades it here.

const venue = new Venue()
const option = symbolOf('BTC', 110_000)
const perp = 'BTC-PERP'
const open = streamPeers(venue)

before(async () => {
  await venue.start()
  await listMarket(venue, [option])
  await venue.set('/instruments', { symbol: perp })
})
after(() => venue.dispose())

const bookOf = async (): Promise<Wire> => (await venue.read(`/orderbook?symbol=${perp}`)).result

async function namesOf(path: string): Promise<string[]> {
  const { result } = await venue.read(path)
  return result.map((row: Wire) => row.instrument_name ?? row.instrument_id)
}

async function price(index: string): Promise<void> {
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: index }] })
  await eventually(`marked at ${index}`, async () => (await bookOf()).mark_price === Number(index))
}

test('reads show a perp as a future, and never with the options', async () => {
  assert.deepEqual(await namesOf('/instruments'), [option])
  assert.deepEqual(await namesOf('/instruments?kind=future'), [perp])
  const [row] = (await venue.read('/instruments?kind=future')).result
  assert.deepEqual(
    [row.kind, row.expiration_timestamp, row.strike, row.option_type, row.rfq, row.orderbook],
    ['future', 0, 0, '', false, true],
  )
  assert.deepEqual(await namesOf('/options-summary'), [option])
  assert.deepEqual((await namesOf('/instrument-specs')).sort(), [option, perp].sort())
  const { data } = await venue.read('/markets')
  assert.deepEqual(
    data.flatMap((market: Wire) => market.instruments.map(({ id }: Wire) => id)),
    [option],
  )
  const theos = await venue.read(`/historical-theos?instrument_name=${perp}`)
  assert.deepEqual(theos.data, { instrument_name: perp, interval: '1h', points: [] })
})

test("a perp's mark is the index, for the book and for the operator, and it has no volatility", async () => {
  for (const index of ['100000', '101000.5']) {
    await price(index)
    const book = await bookOf()
    assert.deepEqual([book.state, book.bids, book.asks], ['open', [], []])
    assert.deepEqual(book.greeks, { delta: 1, gamma: 0, vega: 0, theta: 0, rho: 0 })
    assert.deepEqual([book.estimated_delivery_price, book.settlement_price], [Number(index), 0])
    for (const name of ['mark_iv', 'bid_iv', 'ask_iv']) assert.equal(name in book, false, name)
    const gauge = `strikebook_mark_price_usd{instrument="${perp}"} ${index}\n`
    await eventually(gauge, async () => {
      const answer = await fetch(`${venue.operatorUrl}/metrics/detail`)
      return (await answer.text()).includes(gauge)
    })
  }
})

test("trade reads accept a perp's symbol or id, and a preview its symbol", async () => {
  const [{ instrument_id }] = (await venue.read('/instruments?kind=future')).result
  for (const name of [perp, instrument_id]) {
    assert.deepEqual((await venue.read(`/trades?symbol=${name}`)).data, [])
    const byId = await venue.read(`/orderbook?instrument_id=${name}`)
    assert.equal(byId.result.instrument_name, perp)
  }
  assertError(await venue.get('/trades?symbol=BTC-perp'), 400, 'invalid_parameter')
  const { wallet } = new WalletKey()
  const orders = [{ symbol: perp, side: 'Buy', size: '1', price: '100000' }]
  const { body } = await venue.send('POST', '/risk/simulate/orders', { wallet, orders })
  const reason = 'Account has no funds. Please deposit before trading.'
  assert.equal(body.data.rejection_reason, reason)
})

test("the stream reports a perp's listing and delisting, and channels accept its symbol", async () => {
  const peer = await open()
  for (const channel of ['orderbook', 'trades', 'market_updates']) {
    await peer.subscribe(channel, { symbols: ['ETH-PERP'] })
  }
  await venue.set('/instruments', { symbol: 'ETH-PERP' })
  const { timestamp, seq, ...created } = await peer.next('MarketUpdate')
  assert.ok(Number.isSafeInteger(seq) && Number.isSafeInteger(timestamp))
  assert.deepEqual(created, {
    type: 'MarketUpdate',
    action: 'Created',
    symbol: 'ETH-PERP',
    strike: '0',
    is_call: false,
    underlying: 'ETH',
    expiry: 0,
    instrument_type: 'perp',
  })
  const deleted = await venue.operator('DELETE', '/instruments', { symbol: 'ETH-PERP' })
  assert.equal(deleted.status, 200, deleted.text)
  assert.equal((await peer.next('MarketUpdate')).action, 'Deleted')
  assert.deepEqual(await namesOf('/instruments?kind=future'), [perp])
})

longTest('a perp survives a hard stop and follows the index again', async () => {
  const [before] = (await venue.read('/instruments?kind=future')).result
  await venue.end('SIGKILL')
  await venue.start()
  assert.deepEqual((await venue.read('/instruments?kind=future')).result, [before])
  await price('99000')
})
