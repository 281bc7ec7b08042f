import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { auctionProviders } from './support/auction-trader.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { placeBody, symbolOf, type WalletKey } from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { Venue, type Wire } from './support/venue.js'

// Ends of auctions without a provider: their deadline, and the end of the venue.

/** Enough for a quote on a busy machine. */
const deadlineMillis = 3000
const venue = new Venue({
  arguments: ['--gateways=2', `--set=rpi.auctionMillis=${deadlineMillis}`],
})
const patient = new Venue({ arguments: ['--gateways=2', '--set=rpi.auctionMillis=60000'] })
const symbol = symbolOf('BTC', 110_000)
const provider = auctionProviders(venue)
const patientProvider = auctionProviders(patient)
const terms = { side: 'Buy', size: '5', price: '3310', route: 'best_execution', symbol }

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(async () => {
  await venue.dispose()
  await patient.dispose()
})

/** Returns a taker in a market with asks in the book. */
async function market(on: Venue, size = '10'): Promise<WalletKey> {
  const { fundedWallet, place } = orderActions(on, symbol)
  const maker = await fundedWallet()
  await on.set('/tiers', { wallet: maker.wallet, tier: 'market_maker' })
  await place(maker, { side: 'Sell', size, price: '3305' })
  return fundedWallet()
}

async function send(on: Venue, by: WalletKey): Promise<Wire> {
  return (await on.send('POST', '/order', await placeBody(by, terms))).body
}

async function sourcesOf(on: Venue, by: WalletKey): Promise<string[]> {
  const { data } = await on.read(`/fills?wallet=${by.wallet}`)
  return data.map(({ price, fill_source: source }: Wire) => `${price} ${source.type}`)
}

test('at the deadline the best quote wins, silent providers are out, and a late answer fails', async () => {
  const by = await market(venue)
  const [a, silent] = [
    await provider(symbol, { ask: '3299' }),
    await provider(symbol, { ask: '3298' }),
  ]
  const beganMillis = performance.now()
  const answer = send(venue, by)
  const request = await a.asked()
  await a.quote(request, 3299)
  const { status } = await answer
  assert.equal(status, 'FILLED')
  assert.ok(performance.now() - beganMillis > deadlineMillis - 100)
  assert.deepEqual(await sourcesOf(venue, by), ['3299 rfq'])
  await silent.quote(request, 3290)
  assert.equal((await silent.peer.next('error')).code, 'rfq_already_filled')
  assert.equal(silent.messagesAbout('rfq_already_filled', request).length, 1)
  const again = send(venue, by)
  await a.quote(await a.asked(), 3299)
  assert.equal((await again).status, 'FILLED')
  assert.equal(silent.peer.ofType('rfq_request').length, 1)
})

test('without quotes the order goes to the book at its deadline', async () => {
  const by = await market(venue)
  await provider(symbol, { ask: '3299' })
  assert.equal((await send(venue, by)).status, 'FILLED')
  assert.deepEqual(await sourcesOf(venue, by), ['3305 orderbook'])
})

longTest(
  'a venue that shuts down sends waiting orders to the book and answers them early',
  async () => {
    await patient.start()
    await listMarket(patient, [symbol])
    const by = await market(patient)
    const a = await patientProvider(symbol, { ask: '3299' })
    const streaming = await StreamPeer.open(patient)
    const answer = send(patient, by)
    await a.asked()
    streaming.send({ type: 'PlaceOrder', ...(await placeBody(by, { ...terms, size: '1' })) })
    await a.asked()
    const beganMillis = performance.now()
    const ended = patient.end('SIGTERM')
    assert.equal((await answer).status, 'FILLED')
    assert.equal((await streaming.next('OrderResult')).status, 'FILLED')
    assert.equal(await ended, 0)
    assert.ok(performance.now() - beganMillis < 30_000)
    await patient.start()
    assert.deepEqual(await sourcesOf(patient, by), ['3305 orderbook', '3305 orderbook'])
  },
)

longTest('a killed venue finds a waiting order again and sends it to the book', async () => {
  const by = await market(patient)
  const a = await patientProvider(symbol, { ask: '3299' })
  const answer = send(patient, by).catch(() => 'cut')
  await a.asked()
  const body = await placeBody(by, { ...terms, size: '1' })
  const lost = patient.send('POST', '/order', body).catch(() => 'cut')
  await a.asked()
  await patient.end('SIGKILL')
  assert.deepEqual([await answer, await lost], ['cut', 'cut'])
  await patient.start()
  const { data } = await patient.read(`/orders?wallet=${by.wallet}`)
  assert.deepEqual(
    data.map(({ status }: Wire) => status),
    ['filled', 'filled'],
  )
  // The cut-off client retries and gets the answer that it would have had.
  const repeat = await patient.send('POST', '/order', body)
  assert.deepEqual([repeat.body.status, repeat.body.filled_size], ['FILLED', 1])
})
