import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { symbolOf } from './support/signed-body.js'
import { Stranger, type StrangerSocket } from './support/stranger.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// A taker and a quote provider by an author who has read only the documents that the venue serves.

const venue = new Venue()
const [call, high] = [symbolOf('BTC', 100_000), symbolOf('BTC', 110_000)]
const spread = [
  { instrument: call, side: 'Buy', size: '1.50' },
  { instrument: high, side: 'Sell', size: '1.50' },
]
let taker: Stranger
let provider: Stranger
let asking: StrangerSocket
let quoting: StrangerSocket

before(async () => {
  await venue.start()
  await listMarket(venue, [call, high])
  taker = await Stranger.of(venue.url)
  provider = await Stranger.of(venue.url)
  for (const { wallet } of [taker, provider]) await taker.call('post', '/faucet', { wallet })
  // Steps that only an operator can take.
  await venue.set('/tiers', { wallet: provider.wallet, tier: 'market_maker' })
  await venue.set('/quote-providers', { wallet: provider.wallet, status: 'active' })
})
after(async () => {
  for (const stranger of [taker, provider]) stranger?.close()
  await venue.dispose()
})

/**
 * Prices all legs at their marks. "Sum over the legs as the taker has it: a buy leg -price x size, a sell leg +price x
 * size"
 */
async function quoteFor(request: Wire): Promise<Wire> {
  const { result: rows } = await provider.call('get', '/options-summary', { currency: 'BTC' })
  const legs = request.legs.map((leg: Wire) => {
    const { mark_price: mark } = rows.find((row: Wire) => row.instrument_name === leg.instrument)
    return { ...leg, price: String(Math.round(mark)) }
  })
  const net = legs.reduce(
    (sum: number, { side, price, size }: Wire) =>
      sum + (side === 'buy' ? -1 : 1) * Number(price) * Number(size),
    0,
  )
  const terms = { action: 'quote', legs, net_premium: net.toFixed(6), valid_for_ms: 5000 }
  return provider.frame('rfq_response', { rfq_id: request.rfq_id, ...terms })
}

function statusOf(rfqId: string, status: string): Promise<Wire> {
  return asking.next(
    status,
    ({ type, rfq_id, status: reached }) =>
      type === 'RfqStatusUpdate' && rfq_id === rfqId && reached === status,
  )
}

const requestOf = (rfqId: string) =>
  quoting.next('rfq_request', ({ type, rfq_id: id }) => type === 'rfq_request' && id === rfqId)

test('a provider connects and shows quotes to all subscribers', async () => {
  quoting = await provider.connect('providers')
  const timestamp = String(Date.now())
  quoting.send(await provider.frame('connect_quote_provider', { timestamp }))
  assert.equal((await quoting.ofType('authenticated')).wallet, provider.wallet)
  const quotes = [{ instrument: call, bid_price: '1000', max_bid_size: '5' }]
  quoting.send(await provider.frame('indicative_quote_update', { quotes }))
  await eventually('the quote is shown', async () => {
    const wanted = { currency: 'BTC', include_rfq_provider_quotes: true }
    const { result: rows } = await taker.call('get', '/options-summary', wanted)
    const { rfq_provider_quotes: shown } = rows.find((row: Wire) => row.instrument_name === call)
    return shown.length === 1 && shown[0].wallet === provider.wallet
  })
})

test('a taker requests a combo, gets a quote, accepts it and is filled', async () => {
  asking = await taker.connect('clients')
  asking.send(await taker.frame('Authenticate', {}))
  await asking.ofType('Authenticated')
  const rfqId = randomUUID()
  asking.send(await taker.frame('SubmitRfq', { rfq_id: rfqId, legs: spread }))
  quoting.send(await quoteFor(await requestOf(rfqId)))
  const { quotes } = await asking.ofType('RfqQuotes')
  const [{ quote_id, net_premium: netPremium }] = quotes
  assert.ok(Number(netPremium) < 0, 'a call spread costs its taker money')
  asking.send(await taker.frame('AcceptRfqQuote', { rfq_id: rfqId, quote_id }, { netPremium }))
  const result = await asking.ofType('RfqAcceptResult')
  assert.deepEqual([result.status, result.quote_id], ['executed', quote_id], JSON.stringify(result))
  for (const { wallet } of [taker, provider]) {
    const { data } = await taker.call('get', '/profile/trades', { wallet })
    assert.deepEqual(
      data.map(({ symbol, fill_source: of }: Wire) => [symbol, of.rfq_id, of.quote_id]),
      [
        [high, rfqId, quote_id],
        [call, rfqId, quote_id],
      ],
    )
  }
})

test('a quote within a limit executes without an acceptance, and one beyond it does not', async () => {
  const single = [{ instrument: call, side: 'Buy', size: '0.5' }]
  for (const [limit, status] of [
    ['20000', 'executed'],
    ['0.5', 'expired'],
  ] as const) {
    const rfqId = randomUUID()
    const terms = { rfq_id: rfqId, legs: spread.slice(0, 1), limit_price: limit }
    asking.send(await taker.frame('SubmitAutoExecuteRfq', { ...terms, legs: single }))
    const request = await requestOf(rfqId)
    assert.equal(Number(request.auto_accept_limit ?? request.taker_limit_price), Number(limit))
    quoting.send(await quoteFor(request))
    await statusOf(rfqId, status)
  }
})

test('a request that the only provider declines ends immediately', async () => {
  const rfqId = randomUUID()
  asking.send(await taker.frame('SubmitRfq', { rfq_id: rfqId, legs: spread }))
  await requestOf(rfqId)
  quoting.send(await provider.frame('rfq_response', { rfq_id: rfqId, action: 'decline' }))
  await statusOf(rfqId, 'no_quotes')
})
