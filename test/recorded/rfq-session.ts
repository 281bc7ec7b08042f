import { acceptBody, type Leg, quoteFrame, rfqBody, rfqFrame } from '../e2e/support/rfq-body.js'
import { type Body, connectBody, placeBody, type WalletKey } from '../e2e/support/signed-body.js'
import type { Wire } from '../e2e/support/venue.js'
import { call, funded, high, put } from './market-session.js'
import type { RecordedConnection, RecordedVenue } from './recorded-venue.js'

const spread: readonly Leg[] = [
  { instrument: call, side: 'Buy', size: '1' },
  { instrument: high, side: 'Sell', size: '1' },
]
const single: readonly Leg[] = [{ instrument: call, side: 'Buy', size: '2' }]

interface Provider {
  readonly by: WalletKey
  readonly peer: RecordedConnection
}

/** Request ids, in session order. */
function idOf(count: number): string {
  return `6f1c3f0e-8f0f-4d57-9b1c-${String(count).padStart(12, '0')}`
}

/** Plays requests for quote, providers and auctions. @returns request ids. */
export async function playRfq(venue: RecordedVenue): Promise<readonly string[]> {
  const taker = await funded(venue, 'asker')
  const own = await venue.connect('asker', `/ws?wallet=${taker.wallet}`)
  await own.subscribe('rfq')
  await own.subscribe('fills')
  await venue.send('POST', '/rfq/request', await rfqBody(taker, spread, null, { rfq_id: idOf(1) }))
  await playHandshakes(venue, taker)
  const first = await provider(venue, 'first', '500000')
  const second = await provider(venue, 'second', '500000')
  await playIndicative(venue, first)
  await playRest(venue, taker, own, first)
  await playStream(venue, taker, own, [first, second])
  await playPoor(venue, taker, first)
  await playAuction(venue, taker, first)
  await venue.pass(11_000)
  return [1, 2, 3, 4, 5].map(idOf)
}

async function provider(venue: RecordedVenue, name: string, amount: string): Promise<Provider> {
  const by = await funded(venue, name, amount)
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  await venue.set('/quote-providers', { wallet: by.wallet, status: 'active' })
  const peer = await venue.connect(`provider ${name}`, '/ws/quotes')
  peer.send(await connectBody(by, { timestamp: String(venue.now()) }))
  await peer.next('authenticated')
  await venue.settle()
  return { by, peer }
}

async function playHandshakes(venue: RecordedVenue, by: WalletKey): Promise<void> {
  const sound = await connectBody(by, { timestamp: String(venue.now()) })
  for (const frame of [
    { type: 'indicative_quote_update', quotes: [] },
    sound,
    { ...sound, signature: '0x12' },
    await connectBody(by, { timestamp: '1' }),
  ]) {
    const peer = await venue.connect('handshake', '/ws/quotes')
    peer.send(frame)
    await peer.next('auth_failed')
    await venue.settle()
  }
}

async function playIndicative(venue: RecordedVenue, { peer }: Provider): Promise<void> {
  const watcher = await venue.connect('indicative')
  await watcher.subscribe('indicative_market_data')
  const row = (instrument: string, bid_price: string, ask_price: string) => ({
    ...{ instrument, bid_price, ask_price, max_bid_size: '5', max_ask_size: '10' },
  })
  const scope = '0123456789abcdef0123456789abcdef'
  for (const frame of [
    { type: 'indicative_quote_update', quotes: [row(call, '6800', '7000')] },
    { type: 'scoped_indicative_quote_update', scope, quotes: [row(put, '0', '2600')] },
    { type: 'scoped_indicative_quote_update', scope, quotes: [row('BTC-1', '1', '2')] },
    { type: 'indicative_quote_update', quotes: [row(call, '6850', '6990')] },
  ]) {
    peer.send(frame)
    await venue.tick()
  }
  // Closed early, because a gateway refreshes its rows by its own clock.
  watcher.close()
  await venue.get('/options-summary?currency=BTC&include_rfq_provider_quotes=true')
}

async function playRest(
  venue: RecordedVenue,
  taker: WalletKey,
  own: RecordedConnection,
  { by, peer }: Provider,
): Promise<void> {
  const asked = await rfqBody(taker, spread, null, { rfq_id: idOf(2) })
  const answered = venue.send('POST', '/rfq/request', asked)
  const request = await requestOf(peer, idOf(2))
  await answered
  const good = await quoteFrame(by, request, ['6900', '3305'], '-3595')
  const turned = { ...request, legs: [...request.legs].reverse() }
  for (const frame of [
    { ...good, valid_for_ms: 7 },
    await quoteFrame(by, turned, ['3305', '6900'], '-3595'),
    await quoteFrame(by, request, ['6900', '3305'], '-1'),
    { ...good, rfq_id: idOf(99) },
  ]) {
    peer.send(frame)
    await peer.next('error')
  }
  peer.send(good)
  const quoteId = await quoteOf(own)
  await venue.settle()
  const accept = (patch: Body = {}) => acceptBody(taker, idOf(2), quoteId, '-3595', patch)
  await venue.send('POST', '/rfq/accept', await accept())
  await venue.send('POST', '/rfq/accept', await accept())
  await venue.send('POST', '/rfq/accept', await acceptBody(taker, idOf(98), idOf(97), '1'))
}

async function playStream(
  venue: RecordedVenue,
  taker: WalletKey,
  own: RecordedConnection,
  [first, second]: readonly [Provider, Provider],
): Promise<void> {
  await own.ask(await rfqFrame(taker, single, null, { rfq_id: idOf(3) }), 'RfqStatusUpdate')
  for (const { by, peer } of [first, second]) {
    const request = await requestOf(peer, idOf(3))
    peer.send(await quoteFrame(by, request, ['7000'], '-14000'))
    await venue.settle()
  }
  const quoteId = await quoteOf(own)
  const accept = await acceptBody(taker, idOf(3), quoteId, '-14000')
  await own.ask({ type: 'AcceptRfqQuote', ...accept }, 'RfqAcceptResult')
  await venue.pass()
  const limited = await rfqFrame(taker, spread, '3600', { rfq_id: idOf(4) })
  await own.ask(limited, 'RfqStatusUpdate')
  const request = await requestOf(first.peer, idOf(4))
  first.peer.send(await quoteFrame(first.by, request, ['6900', '3305'], '-3595'))
  await own.next('RfqAcceptResult')
  await venue.pass()
  second.peer.send({ type: 'rfq_response', rfq_id: idOf(4), action: 'decline' })
  await venue.pass()
}

/** Plays a quote that its provider cannot afford, and a request that expires. */
async function playPoor(venue: RecordedVenue, taker: WalletKey, first: Provider): Promise<void> {
  const poor = await provider(venue, 'poor', '1')
  const asked = await rfqBody(taker, single, null, { rfq_id: idOf(5) })
  const answered = venue.send('POST', '/rfq/request', asked)
  const request = await requestOf(poor.peer, idOf(5))
  await answered
  poor.peer.send(await quoteFrame(poor.by, request, ['7000'], '-14000'))
  await poor.peer.next('qp_margin_rejection')
  await venue.settle()
  first.peer.send({ type: 'rfq_response', rfq_id: idOf(5), action: 'decline' })
  await venue.pass(6_000)
  poor.peer.close()
  await venue.set('/quote-providers', { wallet: poor.by.wallet, status: 'suspended' })
}

/** Plays a price-improvement auction. */
async function playAuction(venue: RecordedVenue, taker: WalletKey, first: Provider): Promise<void> {
  const maker = venue.key('maker')
  const asked = { symbol: high, side: 'Sell', size: '3', price: '3400' }
  await venue.send('POST', '/order', await placeBody(maker, asked))
  const row = { instrument: high, bid_price: '0', ask_price: '3390', max_ask_size: '10' }
  first.peer.send({ type: 'indicative_quote_update', quotes: [row] })
  await venue.tick()
  const terms = { symbol: high, size: '2', price: '3410', route: 'best_execution' }
  const answered = venue.call('POST', '/order', { body: await placeBody(taker, terms) })
  const request = await first.peer.next('rfq_request')
  const price = { improved: '3380', premium: '-6760' }
  first.peer.send(await quoteFrame(first.by, request, [price.improved], price.premium))
  // The next advance ends the auction, so the engine must have the quote before.
  await venue.settle()
  await venue.pass()
  await answered
  await venue.settle()
}

async function requestOf(peer: RecordedConnection, rfqId: string): Promise<Wire> {
  for (;;) {
    const request = await peer.next('rfq_request')
    if (request.rfq_id === rfqId) return request
  }
}

async function quoteOf(own: RecordedConnection): Promise<string> {
  for (;;) {
    const { quotes } = await own.next('RfqQuotes')
    if (quotes.length > 0) return quotes[0].quote_id
  }
}
