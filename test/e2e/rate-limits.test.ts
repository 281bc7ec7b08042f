import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { cancelBody, placeBody, selfTradeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { SlowVenue } from './support/slow-venue.js'
import { streamPeers } from './support/stream-peer.js'
import { type Answer, assertError, type Wire } from './support/venue.js'

/** Windows that a test uses up with a few requests. */
const limits = {
  tier1: { ordersPerMinute: 4, cancelsPerMinute: 3, apiRequestsPerMinute: 3 },
  tier2: { ordersPerMinute: 6 },
}
const settings = Object.entries(limits).flatMap(([tier, values]) =>
  Object.entries(values).map(([name, value]) => `--set=limits.${tier}.${name}=${value}`),
)
const venue = new SlowVenue(['--gateways=2', ...settings])
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, sendOrder } = orderActions(venue, symbol)
const open = streamPeers(venue)

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

/** Returns a wallet of tier1, with cash. */
async function limitedWallet(): Promise<WalletKey> {
  const by = await fundedWallet()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  return by
}

const small = { price: '10', size: '0.1' }
const smallOrder = (by: WalletKey) => placeBody(by, { symbol, ...small })
const remaining = ({ headers }: Answer) => headers.get('x-ratelimit-remaining')

test('every counted answer shows its window, and the one beyond it is 429 with all fields', async () => {
  const by = await limitedWallet()
  const resetSeconds = venue.minuteMillis / 1000 + 60
  const shown = ({ headers }: Answer) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))
  assert.deepEqual(shown(await sendOrder(by, small)), ['4', '3', `${resetSeconds}`])
  const rejected = await sendOrder(by, { ...small, route: 'rfq_only' })
  assert.equal(rejected.body.status, 'REJECTED')
  assert.deepEqual(shown(rejected), ['4', '2', `${resetSeconds}`])
  const malformed = await sendOrder(by, small, { size: 1 })
  assertError(malformed, 400, 'invalid_parameter')
  assert.deepEqual(shown(malformed), [null, null, null])
  for (const left of ['1', '0']) assert.equal(remaining(await sendOrder(by, small)), left)
  const refused = await sendOrder(by, small)
  assert.equal(refused.status, 429, refused.text)
  assert.deepEqual(shown(refused), ['4', '0', `${resetSeconds}`])
  const { retry_after_secs: wait, ...body } = refused.body
  assert.ok(wait >= 1 && wait <= 60, refused.text)
  assert.equal(refused.headers.get('retry-after'), `${wait}`)
  assert.deepEqual(body, {
    code: 'rate_limit_exceeded',
    error: 'rate_limit_exceeded',
    message: `Rate limit exceeded for OrderPlacement: 4 per minute, retry after ${wait} seconds`,
    limit: 4,
  })
})

test('REST, bulk and stream share one window over connections of every gateway', async () => {
  const by = await limitedWallet()
  assert.equal(remaining(await sendOrder(by, small)), '3')
  const bulk = await venue.send('POST', '/bulk_order', [await smallOrder(by)])
  assert.equal(remaining(bulk), '2')
  const answers: Wire[] = []
  for (let count = 0; count < 6; count++) {
    const peer = await open()
    peer.send({ type: 'PlaceOrder', ...(await smallOrder(by)) })
    answers.push(await peer.next(({ type }) => type === 'OrderResult' || type === 'Error'))
  }
  assert.deepEqual(
    answers.map(({ type }) => type),
    ['OrderResult', 'OrderResult', 'Error', 'Error', 'Error', 'Error'],
  )
  assert.match(
    answers[2].message,
    /^Rate limit exceeded for OrderPlacement: 4 per minute, retry after \d+ seconds$/,
  )
  assertError(await sendOrder(by, small), 429, 'rate_limit_exceeded')
})

test('cancels have a window of their own', async () => {
  const by = await limitedWallet()
  for (let count = 0; count < 4; count++) await sendOrder(by, small)
  const cancel = async () => venue.send('DELETE', '/order', await cancelBody(by, { order_id: 1 }))
  for (const left of ['2', '1', '0']) assert.equal(remaining(await cancel()), left)
  const refused = await cancel()
  assertError(refused, 429, 'rate_limit_exceeded')
  assert.match(refused.body.message, /^Rate limit exceeded for OrderCancellation: 3 per minute/)
  const bulk = await venue.send('DELETE', '/bulk_order', [await cancelBody(by, { order_id: 1 })])
  assertError(bulk, 429, 'rate_limit_exceeded')
})

test('reads count for their client and wallet, and do not affect signed writes', async () => {
  const [by, other] = [await limitedWallet(), await limitedWallet()]
  const read = (wallet: string) => venue.get(`/orders?wallet=${wallet}`)
  for (const left of ['2', '1', '0']) assert.equal(remaining(await read(by.wallet)), left)
  const refused = await read(by.account.address)
  assertError(refused, 429, 'rate_limit_exceeded')
  assert.match(refused.body.message, /^Rate limit exceeded for ApiRequest: 3 per minute/)
  assertError(await venue.get(`/portfolio?wallet=${by.wallet}`), 429, 'rate_limit_exceeded')
  assert.equal(remaining(await read(other.wallet)), '2')
  assert.equal((await venue.get('/markets')).headers.get('x-ratelimit-limit'), null)
  const signed = await selfTradeBody(by, 'cancel_maker')
  const written = await venue.send('POST', '/self-trade-prevention', signed)
  assert.equal(written.status, 200, written.text)
  assert.equal(remaining(written), '2')
})

test("a stranger’s signature does not count against the wallet's window", async () => {
  const by = await limitedWallet()
  const stranger = new WalletKey()
  const forged = () => placeBody(by, { symbol, ...small }, stranger)
  for (let count = 0; count < 5; count++) {
    assertError(await venue.send('POST', '/order', await forged()), 401, 'unauthorized')
  }
  const bulk = await venue.send('POST', '/bulk_order', [await forged(), await forged()])
  assert.equal(bulk.body[0].code, 'unauthorized', bulk.text)
  assert.equal(remaining(await sendOrder(by, small)), '3')
})

test('a new tier applies from the next request, including what the minute has used', async () => {
  const by = await limitedWallet()
  for (let count = 0; count < 4; count++) await sendOrder(by, small)
  assert.equal((await sendOrder(by, small)).status, 429)
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier2' })
  const answer = await sendOrder(by, small)
  assert.equal(answer.body.status, 'ACKED', answer.text)
  assert.equal(answer.headers.get('x-ratelimit-limit'), '6')
  assert.equal(remaining(answer), '1')
})

test('a bulk fits as a whole or uses up nothing; one larger than its window is 400', async () => {
  const [by, other] = [await limitedWallet(), await limitedWallet()]
  const orders = (count: number, of = by) =>
    Promise.all(Array.from({ length: count }, () => smallOrder(of)))
  const beyond = await venue.send('POST', '/bulk_order', await orders(5))
  assertError(beyond, 400, 'invalid_parameter')
  const three = await venue.send('POST', '/bulk_order', await orders(3))
  assert.equal(remaining(three), '1', three.text)
  const refused = await venue.send('POST', '/bulk_order', [
    ...(await orders(1, other)),
    ...(await orders(2)),
  ])
  assertError(refused, 429, 'rate_limit_exceeded')
  assert.equal(refused.headers.get('retry-after'), `${refused.body.retry_after_secs}`)
  assert.equal((await venue.read(`/orders?wallet=${by.wallet}`)).data.length, 3)
  assert.deepEqual((await venue.read(`/orders?wallet=${other.wallet}`)).data, [])
  const both = await venue.send('POST', '/bulk_order', [
    ...(await orders(1)),
    ...(await orders(1, other)),
  ])
  assert.equal(remaining(both), '0', both.text)
  assert.equal(remaining(await sendOrder(other, small)), '2')
})
