import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { symbolOf } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const lasting = symbolOf('BTC', 110_000)
const { fundedWallet, place, replace, cancel } = orderActions(venue, lasting)

before(async () => {
  await venue.start()
  await listMarket(venue, [lasting])
})
after(() => venue.dispose())

/** An option that expires on the second after next. @returns its symbol and expiry in Unix seconds */
async function listShort(strike: number): Promise<{ symbol: string; expiry: number }> {
  const symbol = symbolOf('BTC', strike)
  const expiry = Math.floor(Date.now() / 1000) + 2
  await venue.set('/instruments', { symbol, expiry })
  return { symbol, expiry }
}

async function untilPast(expiry: number): Promise<void> {
  await sleep(Math.max(0, expiry * 1000 - Date.now()))
}

async function marketRow(symbol: string): Promise<Wire> {
  const markets = await venue.get('/markets')
  return markets.body.data
    .flatMap((each: Wire) => each.instruments)
    .find((each: Wire) => each.id === symbol)
}

function assertExpired(update: Wire): void {
  assert.equal(update.status, 'REJECTED', JSON.stringify(update))
  assert.equal(update.reason, 'Instrument has expired')
  assert.equal(update.reason_code, 'instrument_expired')
}

test('at its expiry an instrument stops, its orders are cancelled, new ones rejected', async () => {
  const by = await fundedWallet()
  const publicPeer = await StreamPeer.open(venue)
  await publicPeer.subscribe('market_updates')
  await publicPeer.subscribe('orderbook')
  const peer = await StreamPeer.open(venue, `?wallet=${by.wallet}`)
  await peer.subscribe('order_updates')

  const { symbol, expiry } = await listShort(101_000)
  assert.equal((await publicPeer.next('MarketUpdate')).expiry, expiry)
  const resting = await place(by, { symbol })
  assert.equal(resting.status, 'ACKED', JSON.stringify(resting))
  const other = await place(by, { symbol: lasting })
  await untilPast(expiry)

  const update = await publicPeer.next('MarketUpdate')
  const { timestamp, seq, ...rest } = update
  assert.deepEqual(rest, {
    type: 'MarketUpdate',
    action: 'Expired',
    symbol,
    strike: '101000',
    is_call: true,
    underlying: 'BTC',
    expiry,
  })
  assert.ok(timestamp >= expiry * 1000 && timestamp < expiry * 1000 + 1500)
  const canceled = await peer.next((message) => message.status === 'CANCELED')
  assert.equal(canceled.order_id, resting.order_id)
  assert.equal(canceled.reason, 'Instrument has expired')
  assert.equal(canceled.reason_code, 'instrument_expired')
  const books = () => publicPeer.ofType('OrderbookUpdate').filter((each) => each.symbol === symbol)
  await publicPeer.until('an empty book', () => books().at(-1)?.bids.length === 0)

  assertExpired(await place(by, { symbol }))
  assertExpired(await place(by, { symbol, tif: 'ioc' }))
  const { order_id } = resting
  assert.equal((await replace(by, { symbol, order_id })).status, 'REJECTED')
  const again = await cancel(by, { order_id })
  assert.equal(again.reason, `Order ${order_id} was already cancelled`)
  const status = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${order_id}`)
  assert.equal(status.body.data.status, 'CANCELED')
  assert.equal(status.body.data.reason, 'Instrument has expired')
  const kept = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${other.order_id}`)
  assert.equal(kept.body.data.status, 'OPEN')
  peer.close()
  publicPeer.close()
})

test('an expired instrument shows as pending its price, and leaves the live lists', async () => {
  const { symbol, expiry } = await listShort(102_000)
  const names = async (query: string) =>
    (await venue.get(`/instruments${query}`)).body.result.map((row: Wire) => row.instrument_name)
  assert.ok((await names('')).includes(symbol))
  assert.equal((await marketRow(symbol)).status, 'ACTIVE')
  await untilPast(expiry)
  await eventually('an end of its listing', async () => !(await names('')).includes(symbol))
  assert.ok((await names('?expired=true')).includes(symbol))
  const row = await marketRow(symbol)
  if (row !== undefined) assert.equal(row.status, 'EXPIRED_PENDING_PRICE')
  const book = await venue.get(`/orderbook?instrument_id=${symbol}`)
  assert.equal(book.body.result?.state, 'closed', book.text)
})

test('an expiry that passes while the venue is down is noticed at its start', async () => {
  const by = await fundedWallet()
  const { symbol, expiry } = await listShort(103_000)
  const resting = await place(by, { symbol })
  assert.equal(resting.status, 'ACKED', JSON.stringify(resting))
  await venue.end('SIGKILL')
  await untilPast(expiry)
  await venue.start()
  const path = `/orders/status?wallet=${by.wallet}&order_id=${resting.order_id}`
  const status = async () => (await venue.read(path)).data
  await eventually('its cancel', async () => (await status()).status === 'CANCELED')
  assert.equal((await status()).reason, 'Instrument has expired')
  assertExpired(await place(by, { symbol }))
  assert.equal((await place(by, { symbol: lasting })).status, 'ACKED')
})

test('an instrument listed with an expiry that is past', async () => {
  const by = await fundedWallet()
  const symbol = symbolOf('BTC', 104_000)
  const expiry = Math.floor(Date.now() / 1000) - 60
  const answer = await venue.operator('POST', '/instruments', { symbol, expiry })
  if (answer.status === 200) assertExpired(await place(by, { symbol }))
  else assert.ok(answer.status < 500, answer.text)
})
