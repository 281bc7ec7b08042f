import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { symbolOf } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { eventually, untilPast, Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const lasting = symbolOf('BTC', 110_000)
const { fundedWallet, place, replace, cancel } = orderActions(venue, lasting)

before(async () => {
  await venue.start()
  await listMarket(venue, [lasting])
})
after(() => venue.dispose())

interface Short<Seen> {
  readonly symbol: string
  readonly strike: number
  /** Unix seconds. */
  readonly expiry: number
  readonly seen: Seen
}

/**
 * Lists an option that expires soon and runs `look` before its expiry. If the machine is too slow for that, it retries
 * with a new option and twice the time.
 */
async function listShort<Seen>(
  firstStrike: number,
  look: (symbol: string) => Promise<Seen>,
): Promise<Short<Seen>> {
  for (let seconds = 2; ; seconds *= 2) {
    const strike = firstStrike + seconds
    const symbol = symbolOf('BTC', strike)
    const expiry = Math.floor(Date.now() / 1000) + seconds
    const listed = await venue.operator('POST', '/instruments', { symbol, expiry })
    if (listed.status !== 200) assert.ok(Date.now() >= expiry * 1000, listed.text)
    const seen = await look(symbol)
    if (Date.now() < expiry * 1000) return { symbol, strike, expiry, seen }
  }
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

test('at its expiry the core closes an instrument, cancels its orders and rejects new ones', async () => {
  const by = await fundedWallet()
  const publicPeer = await StreamPeer.open(venue)
  await publicPeer.subscribe('market_updates')
  await publicPeer.subscribe('orderbook')
  const peer = await StreamPeer.open(venue, `?wallet=${by.wallet}`)
  await peer.subscribe('order_updates')

  const placeIn = (of: string) => place(by, { symbol: of })
  const { symbol, strike, expiry, seen: resting } = await listShort(101_000, placeIn)
  const ofSymbol = (message: Wire) => message.type === 'MarketUpdate' && message.symbol === symbol
  assert.equal((await publicPeer.next(ofSymbol)).expiry, expiry)
  assert.equal(resting.status, 'ACKED', JSON.stringify(resting))
  const other = await place(by, { symbol: lasting })
  await untilPast(expiry)

  const update = await publicPeer.next(ofSymbol)
  const { timestamp, seq, ...rest } = update
  assert.deepEqual(rest, {
    type: 'MarketUpdate',
    action: 'Expired',
    symbol,
    strike: String(strike),
    is_call: true,
    underlying: 'BTC',
    expiry,
  })
  assert.ok(timestamp >= expiry * 1000)
  const canceled = await peer.next(
    ({ status, order_id }) => status === 'CANCELED' && order_id === resting.order_id,
  )
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
  assert.equal(status.body.data.status, 'canceled')
  assert.equal(status.body.data.reason, 'Instrument has expired')
  const kept = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${other.order_id}`)
  assert.equal(kept.body.data.status, 'open')
  peer.close()
  publicPeer.close()
})

test('an expired instrument is pending its price and leaves the live lists', async () => {
  const names = async (query: string) =>
    (await venue.get(`/instruments${query}`)).body.result.map((row: Wire) => row.instrument_name)
  const { symbol, expiry, seen } = await listShort(102_000, async (of) => ({
    isListed: (await names('')).includes(of),
    row: await marketRow(of),
  }))
  assert.ok(seen.isListed)
  assert.equal(seen.row.status, 'ACTIVE')
  await untilPast(expiry)
  await eventually('an end of its listing', async () => !(await names('')).includes(symbol))
  assert.ok((await names('?expired=true')).includes(symbol))
  const row = await marketRow(symbol)
  if (row !== undefined) assert.equal(row.status, 'EXPIRED_PENDING_PRICE')
  const book = await venue.get(`/orderbook?instrument_id=${symbol}`)
  assert.equal(book.body.result?.state, 'closed', book.text)
})

longTest('a venue that was down at an expiry processes it at its start', async () => {
  const by = await fundedWallet()
  const {
    symbol,
    expiry,
    seen: resting,
  } = await listShort(103_000, (of) => place(by, { symbol: of }))
  assert.equal(resting.status, 'ACKED', JSON.stringify(resting))
  await venue.end('SIGKILL')
  await untilPast(expiry)
  await venue.start()
  const path = `/orders/status?wallet=${by.wallet}&order_id=${resting.order_id}`
  const status = async () => (await venue.read(path)).data
  await eventually('its cancel', async () => (await status()).status === 'canceled')
  assert.equal((await status()).reason, 'Instrument has expired')
  assertExpired(await place(by, { symbol }))
  assert.equal((await place(by, { symbol: lasting })).status, 'ACKED')
})

test('the venue never trades an instrument whose expiry is in the past', async () => {
  const by = await fundedWallet()
  const symbol = symbolOf('BTC', 104_000)
  const expiry = Math.floor(Date.now() / 1000) - 60
  const answer = await venue.operator('POST', '/instruments', { symbol, expiry })
  if (answer.status === 200) assertExpired(await place(by, { symbol }))
  else assert.ok(answer.status < 500, answer.text)
})
