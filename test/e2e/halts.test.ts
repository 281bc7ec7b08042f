import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { streamPeers } from './support/stream-peer.js'
import { assertError, eventually, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, book } = orderActions(venue, symbol)
const open = streamPeers(venue)

before(async () => {
  await listMarket(venue, [symbol])
})

test('an underlying listed during a venue-wide halt starts halted, and opens with all others', async () => {
  const by = await fundedWallet()
  const [other, later] = [symbolOf('AAA', 100), symbolOf('BBB', 100)]
  const terms = { price: '1', size: '1' }
  const codeOf = async (of: string) => (await place(by, { symbol: of, ...terms })).reason_code
  await venue.set('/halts', { scope: 'all', mode: 'cancel_only' })
  await venue.set('/instruments', { symbol: other })
  assert.equal(await codeOf(other), 'trading_halted')
  await venue.set('/halts', { scope: 'all', mode: 'open' })
  await venue.set('/instruments', { symbol: later })
  for (const opened of [other, later]) assert.equal(await codeOf(opened), 'no_spot_price')
})

test('a halt stops orders over REST, in a bulk and on the stream; an open market accepts all three', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const order = (price: string) => placeBody(by, { symbol, price, size: '0.1' })
  const streamed = async (price: string): Promise<Wire> =>
    peer.ask({ type: 'PlaceOrder', ...(await order(price)) }, 'OrderResult')
  const bulk = async (price: string): Promise<Wire> =>
    (await venue.send('POST', '/bulk_order', [await order(price)])).body[0].data
  const reasons = {
    cancel_only: 'Only cancels are accepted for BTC',
    halted: 'Trading is halted for BTC',
  }
  for (const [mode, reason] of Object.entries(reasons)) {
    await venue.set('/halts', { underlying: 'BTC', mode })
    assertRejected(await place(by, { price: '10' }), 'trading_halted', reason)
    assertRejected(await bulk('11'), 'trading_halted', reason)
    const { status, reason_code, reason: text } = await streamed('12')
    assert.deepEqual([status, reason_code, text], ['REJECTED', 'trading_halted', reason])
  }
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  const opened = [await place(by, { price: '10' }), await bulk('11'), await streamed('12')]
  assert.deepEqual(
    opened.map(({ status }) => status),
    ['ACKED', 'ACKED', 'ACKED'],
  )
  assert.deepEqual((await book()).bids.map(([price]) => price).slice(-3), [12, 11, 10])
})

test('the index shows a halted underlying with cause and time, as JSON and as a page', async () => {
  const before = Date.now()
  await venue.set('/halts', { underlying: 'BTC', mode: 'halted' })
  let rows: Wire[] = []
  await eventually('the index shows the halt', async () => {
    rows = (await venue.read('/')).halts.rows
    return rows.length > 0
  })
  const [{ since_ms, ...halt }] = rows as [Wire]
  const btc = { scope: 'underlying', underlying: 'BTC', mode: 'halted', reason: 'operator' }
  assert.deepEqual(halt, btc)
  assert.ok(Math.abs(since_ms - before) < 60_000, `${since_ms}`)
  const page = await fetch(venue.url, { headers: { accept: 'text/html' } })
  assert.match(
    await page.text(),
    /<li><strong>BTC: halted<\/strong> since .*, cause: operator<\/li>/,
  )
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  await eventually('no halt', async () => (await venue.read('/')).halts.count === 0)
  const { acknowledgements, role, uptime_ms } = await venue.read('/')
  assert.ok(role === 'single' && uptime_ms > 0)
  assert.ok(acknowledgements.count > 0 && acknowledgements.p50_ms <= acknowledgements.p999_ms)
})

test('only `open` ends a wallet’s stop, and it does nothing to a wallet that is not stopped', async () => {
  const { wallet } = await fundedWallet()
  const {
    changed,
    mode,
    wallet: resumed,
  } = await venue.set('/wallet-halts', { wallet, mode: 'open' })
  assert.deepEqual([changed, mode, resumed], [false, 'open', wallet])
  const stopping = await venue.operator('POST', '/wallet-halts', { wallet, mode: 'halted' })
  assertError(stopping, 400, 'invalid_field')
  const unknown = { wallet: new WalletKey().wallet, mode: 'open' }
  assertError(await venue.operator('POST', '/wallet-halts', unknown), 404, 'not_found')
})
