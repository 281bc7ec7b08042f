import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { QuoteProviderClient } from '../../gateway/client/quote-provider-client.js'
import { createSigner } from '../../gateway/client/signer.js'
import { signingDomains } from '../../schemas/typed-data.js'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { agentBody, connectBody, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { type StreamPeer, streamPeers } from './support/stream-peer.js'
import { eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue({ arguments: ['--gateways=2'] })
const call = symbolOf('BTC', 110_000)
const put = symbolOf('BTC', 90_000, 'P')
const open = streamPeers(venue)
const scope = '0123456789abcdef0123456789abcdef'

before(async () => {
  await venue.start()
  await listMarket(venue, [call, put])
})
after(() => venue.dispose())

async function registered(status = 'active'): Promise<WalletKey> {
  const by = new WalletKey()
  await venue.set('/quote-providers', { wallet: by.wallet, status })
  return by
}

/** Returns a session after its handshake. */
async function connected(by: WalletKey): Promise<StreamPeer> {
  const peer = await open('/quotes')
  const answer = await peer.ask(await connectBody(by), 'authenticated')
  assert.deepEqual(answer, {
    type: 'authenticated',
    wallet: by.wallet,
    capabilities: ['scoped_indicative'],
  })
  return peer
}

/** Sends a first frame that must fail, with the reason in the answer and in the close frame. */
async function assertRefused(frame: unknown, reason: string): Promise<void> {
  const peer = await open('/quotes')
  peer.send(frame)
  await peer.until('the close frame', () => peer.closed !== null)
  assert.deepEqual(peer.messages, [{ type: 'auth_failed', reason }])
  assert.deepEqual(peer.closed, { code: 1008, reason })
}

const row = (instrument: string, bid: string, ask: string, size = '5') => ({
  instrument,
  ...{ bid_price: bid, ask_price: ask, max_bid_size: size, max_ask_size: size },
})
const update = (...quotes: unknown[]) => ({ type: 'indicative_quote_update', quotes })
const scoped = (...quotes: unknown[]) => ({
  ...{ type: 'scoped_indicative_quote_update', scope, quotes },
})

/** Returns a subscriber to the quotes of one instrument. */
async function watcher(symbol: string): Promise<StreamPeer> {
  const peer = await open()
  await peer.subscribe('indicative_market_data', { symbols: [symbol] })
  return peer
}

/** Wallets that each subscriber has received. */
const seen = new Map<StreamPeer, Set<string>>()

/** Returns the next message with the wanted quote of a wallet, or the message of its removal if null. */
async function quoted(peer: StreamPeer, by: WalletKey, bid: string | null): Promise<Wire> {
  return peer.next(({ type, rfq_provider_quotes: quotes }) => {
    if (type !== 'IndicativeMarketData') return false
    const own = quotes.find(({ wallet }: Wire) => wallet === by.wallet)
    if (own !== undefined) seen.set(peer, (seen.get(peer) ?? new Set()).add(by.wallet))
    const isGone = own === undefined && seen.get(peer)?.has(by.wallet) === true
    return bid === null ? isGone : own?.bid_price === bid
  })
}

async function summaryOf(symbol: string, query: string): Promise<Wire> {
  const { result } = await venue.read(`/options-summary?currency=BTC&${query}`)
  return result.find(({ instrument_name: name }: Wire) => name === symbol)
}

test('a failed handshake states its reason', async () => {
  const by = await registered()
  const stranger = new WalletKey()
  await assertRefused(
    { type: 'indicative_quote_update', quotes: [] },
    'first message must be connect_quote_provider',
  )
  await assertRefused('nonsense', 'first message must be connect_quote_provider')
  await assertRefused({ type: 'gateway_resume_quote_provider' }, 'gateway resume is not available')
  await assertRefused(await connectBody(by, {}, stranger), 'invalid signature')
  const sound = await connectBody(by)
  await assertRefused(
    { ...sound, timestamp: String(Number(sound['timestamp']) + 1) },
    'invalid signature',
  )
  await assertRefused({ ...sound, signature: '0x12' }, 'invalid signature')
  // Both stay too late and too early for the hours that a machine may stall.
  for (const millis of [-61_000, 3_600_000]) {
    const timestamp = String(Date.now() + millis)
    await assertRefused(await connectBody(by, { timestamp }), 'timestamp out of range')
  }
  await assertRefused(await connectBody(stranger), 'unknown quote provider')
  await assertRefused(await connectBody(await registered('suspended')), 'quote provider suspended')
})

test('a handshake is valid for one session and a replay is refused', async () => {
  const by = await registered()
  const body = await connectBody(by)
  const peer = await open('/quotes')
  await peer.ask(body, 'authenticated')
  await assertRefused(body, 'nonce already used')
  await assertRefused(await connectBody(by, { nonce: body['nonce'] }), 'nonce already used')
  const again = await peer.ask(await connectBody(by), 'error')
  assert.equal(again.code, 'conflict')
  assert.equal(peer.closed, null)
})

test('subscribers get a snapshot, then each quote immediately, and a snapshot without a quote removes it', async () => {
  const by = await registered()
  const peer = await connected(by)
  peer.send(update(row(call, '1000.50', '1010'), row(put, '0', '77', '2.50')))
  const before = await watcher(call)
  const first = await quoted(before, by, '1000.50')
  const {
    rfq_provider_quotes: [quote],
    ...rest
  } = first
  assert.deepEqual(
    { ...rest, bid_iv: 0, ask_iv: 0, snapshot: 0, as_of_seq: 0, published_at: 0, timestamp: 0 },
    {
      type: 'IndicativeMarketData',
      ...{ instrument: call, best_bid: '1000.50', best_ask: '1010', bid_iv: 0, ask_iv: 0 },
      ...{ indicative_bid_size: '5', indicative_ask_size: '5', num_providers: 1 },
      ...{ published_at: 0, timestamp: 0, snapshot: 0, as_of_seq: 0 },
    },
  )
  assert.ok(first.bid_iv > 0 && first.bid_iv < first.ask_iv, JSON.stringify(first))
  assert.ok(first.published_at >= first.timestamp && first.timestamp === quote.updated_at)
  const { updated_at, ...texts } = quote
  assert.deepEqual(texts, {
    wallet: by.wallet,
    ...{ bid_price: '1000.50', ask_price: '1010', max_bid_size: '5', max_ask_size: '5' },
  })
  const puts = await watcher(put)
  const oneSided = await quoted(puts, by, '0')
  assert.equal('best_bid' in oneSided || 'indicative_bid_size' in oneSided, false)
  assert.deepEqual([oneSided.best_ask, oneSided.indicative_ask_size], ['77', '2.50'])
  peer.send(update(row(put, '0', '77', '2.50')))
  const gone = await quoted(before, by, null)
  assert.deepEqual(gone, {
    ...{ type: 'IndicativeMarketData', instrument: call, num_providers: 0 },
    ...{ rfq_provider_quotes: [], published_at: gone.published_at, timestamp: gone.published_at },
  })
  peer.close()
  await quoted(puts, by, null)
})

test('rows of a scope are removed by that scope only', async () => {
  const by = await registered()
  const peer = await connected(by)
  const [calls, puts] = [await watcher(call), await watcher(put)]
  peer.send(update(row(call, '1', '2')))
  peer.send(scoped(row(put, '3', '4')))
  await quoted(calls, by, '1')
  await quoted(puts, by, '3')
  peer.send(update())
  await quoted(calls, by, null)
  peer.send(scoped())
  await quoted(puts, by, null)
  for (const [name, message] of [
    ['ab', 'scope must be 32 lowercase hex chars, got length 2'],
    ['A'.repeat(32), 'scope must be canonical lowercase hex'],
  ]) {
    const error = await peer.ask({ ...scoped(), scope: name }, 'error')
    assert.deepEqual([error.message, error.code], [message, 'invalid_field'])
  }
})

test('the best of several providers is exact to the last digit and may be crossed', async () => {
  const [one, other] = [await registered(), await registered()]
  const [left, right] = [await connected(one), await connected(other)]
  const peer = await watcher(call)
  const long = `500.${'0'.repeat(59)}1`
  left.send(update(row(call, '500', '499.9', '1.5')))
  await quoted(peer, one, '500')
  right.send(update(row(call, long, '499.90', '2')))
  const both = await quoted(peer, other, long)
  assert.equal(both.num_providers, 2)
  assert.deepEqual([both.best_bid, both.indicative_bid_size], [long, '2'])
  assert.equal(both.indicative_ask_size, '3.5')
  assert.ok(['499.9', '499.90'].includes(both.best_ask))
  const summary = await summaryOf(call, 'include_rfq_provider_quotes=true')
  assert.deepEqual([summary.indicative_bid_price, summary.indicative_ask_size], [500, 3.5])
  assert.equal(summary.rfq_provider_quotes[0].bid_price, long)
  assert.equal(summary.rfq_provider_quotes.length, 2)
  for (const name of ['rfq_provider_quotes_limit', 'provider_quotes_limit', 'limit']) {
    const limited = await summaryOf(call, `rfq_provider_quotes=true&${name}=1`)
    assert.deepEqual(
      limited.rfq_provider_quotes.map(({ wallet }: Wire) => wallet),
      [other.wallet],
    )
  }
  assert.equal('rfq_provider_quotes' in (await summaryOf(call, '')), false)
})

test('the venue drops numbers of more than 64 characters, which keeps reads of quotes small', async () => {
  const providers = [await registered(), await registered(), await registered()]
  const peers = await Promise.all(providers.map(connected))
  const watching = await watcher(put)
  const longest = `0.${'9'.repeat(62)}`
  for (const [index, peer] of peers.entries()) {
    peer.send(update({ ...row(put, longest, longest, longest), max_ask_size: longest }))
    await quoted(watching, providers[index]!, longest)
  }
  const summary = await summaryOf(put, 'include_rfq_provider_quotes=true')
  assert.equal(summary.rfq_provider_quotes.length, 3)
  const { length: bytes } = JSON.stringify(summary)
  assert.ok(bytes < 1200 + 3 * 480, `${bytes} bytes of one instrument and three providers`)
  for (const long of [`${longest}9`, '1'.repeat(200_000)]) {
    const error = await peers[0]!.ask(update(row(put, long, '1'), row(call, '1', '2')), 'error')
    assert.match(error.rows[0].reason, /bid_price has \d+ characters; at most 64 are allowed/)
  }
  assert.equal(
    (await summaryOf(put, 'include_rfq_provider_quotes=true')).rfq_provider_quotes.length,
    2,
  )
  for (const peer of peers) peer.close()
})

test('a chain row shows the best of book and quotes, and its source', async () => {
  const [by, trader] = [await registered(), new WalletKey()]
  const peer = await connected(by)
  await venue.set('/deposits', { wallet: trader.wallet, amount: '1000000' })
  const chain = await open()
  await chain.subscribe('options_chain', { symbols: [put] })
  const bidOf = (price: number, size: number, source: 'book' | 'provider') =>
    chain.next(
      ({ type, row: shown }) =>
        type === 'OptionsChainUpdate' &&
        shown?.put?.bid_price_usd === price &&
        shown.put.bid_size_contracts === size &&
        shown.put.bid_source === source,
    )
  const order = await placeBody(trader, { symbol: put, price: '20', size: '3' })
  assert.equal((await venue.send('POST', '/order', order)).body.status, 'ACKED')
  await bidOf(20, 3, 'book')
  peer.send(update(row(put, '20.25', '900', '4')))
  await bidOf(20.25, 4, 'provider')
  peer.send(update(row(put, '20.00', '900', '9')))
  await bidOf(20, 3, 'book')
})

test('a provider’s rows stay until its last session on any gateway ends', async () => {
  const by = await registered()
  const sessions = [await connected(by), await connected(by), await connected(by)]
  const peer = await watcher(call)
  sessions[0]!.send(update(row(call, '7', '8')))
  await quoted(peer, by, '7')
  sessions[0]!.close()
  sessions[1]!.close()
  sessions[2]!.send(scoped(row(put, '1', '2')))
  await quoted(await watcher(put), by, '1')
  await peer.settle()
  assert.equal(peer.ofType('IndicativeMarketData').at(-1)!.num_providers > 0, true)
  sessions[2]!.close()
  await quoted(peer, by, null)
})

test('a connected provider that is suspended gets the reason and a close, and its rows are removed', async () => {
  const by = await registered()
  const sessions = [await connected(by), await connected(by)]
  const peer = await watcher(call)
  sessions[1]!.send(update(row(call, '7', '8')))
  await quoted(peer, by, '7')
  const answer = await venue.set('/quote-providers', { wallet: by.wallet, status: 'suspended' })
  assert.deepEqual([answer.changed, answer.wallet, answer.status], [true, by.wallet, 'suspended'])
  const reason = 'quote provider suspended'
  for (const session of sessions) {
    await session.until('the close frame', () => session.closed !== null)
    assert.deepEqual(session.messages.at(-1), { type: 'auth_failed', reason })
    assert.deepEqual(session.closed, { code: 1008, reason })
  }
  await quoted(peer, by, null)
  const again = await venue.set('/quote-providers', { wallet: by.wallet, status: 'active' })
  assert.equal(again.changed, true)
  await connected(by)
})

test('an agent may sign a handshake until it is revoked', async () => {
  const [by, agent] = [await registered(), new WalletKey()]
  const approve = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', approve)).status, 200)
  const peer = await open('/quotes')
  await peer.ask(await connectBody(by, {}, agent), 'authenticated')
  const revoke = await agentBody(by, 'RevokeAgent', { agent: agent.wallet })
  assert.equal((await venue.send('DELETE', '/revoke-agent', revoke)).status, 200)
  await peer.until('the close frame', () => peer.closed !== null)
  assert.equal(peer.closed?.code, 1008)
  await assertRefused(await connectBody(by, {}, agent), 'invalid signature')
})

test('the venue names invalid rows and uses the others', async () => {
  const by = await registered()
  const peer = await connected(by)
  const calls = await watcher(call)
  const missing = symbolOf('BTC', 1)
  const error = await peer.ask(
    update(
      row(call, '-1', '2'),
      row(missing, '1', '2'),
      row(put, '1', '2'),
      row('BTC-PERP', '1', 'x'),
    ),
    'error',
  )
  assert.deepEqual(error, {
    ...{ type: 'error', code: 'invalid_field', message: '3 of 4 rows are left out' },
    rows: [
      { instrument: call, reason: 'bid_price must not be negative' },
      { instrument: missing, reason: 'instrument is not listed' },
      { instrument: 'BTC-PERP', reason: 'instrument is not listed' },
    ],
  })
  await quoted(await watcher(put), by, '1')
  assert.equal(
    calls.messages.some(({ num_providers: count }) => count > 0),
    false,
  )
  for (const [frame, code] of [
    ['{"type":', 'invalid_json'],
    [{ type: 'indicative_quote_update' }, 'missing_field'],
    [{ type: 'unheard_of' }, 'invalid_request'],
  ] as const) {
    assert.equal((await peer.ask(frame, 'error')).code, code)
  }
  assert.equal(peer.closed, null)
})

longTest(
  'frames of several hundred rows arrive whole, and one above a mebibyte ends the session',
  async () => {
    const by = await registered()
    const symbols = Array.from({ length: 500 }, (_, i) => symbolOf('BTC', 200_000 + 100 * i))
    for (const symbol of symbols) await venue.set('/instruments', { symbol })
    const peer = await connected(by)
    const everybody = await open()
    await everybody.subscribe('indicative_market_data', { symbols })
    peer.send(update(...symbols.map((symbol) => row(symbol, '1', '2'))))
    const rows = () => everybody.ofType('IndicativeMarketData')
    await everybody.until('all rows', () => rows().length >= 500)
    const named = new Set(rows().map(({ instrument }) => instrument))
    assert.equal(named.size, 500)
    peer.send(update({ instrument: symbols[0], bid_price: '1'.repeat(1 << 20), max_bid_size: '1' }))
    await peer.until('the close frame', () => peer.closed !== null)
    assert.equal(peer.closed?.code, 1009)
    await everybody.until(
      'no row',
      () => rows().filter((each) => each.num_providers === 0).length >= 500,
    )
  },
)

test('the venue republishes unchanged rows at most once a second', async () => {
  const by = await registered()
  const peer = await connected(by)
  const watching = await watcher(call)
  const beginMillis = Date.now()
  while (Date.now() - beginMillis < 2600) {
    peer.send(update(row(call, '3', '4')))
    await sleep(100)
  }
  const messages = watching
    .ofType('IndicativeMarketData')
    .filter(({ best_bid: bid }) => bid === '3')
  const seconds = (Date.now() - beginMillis) / 1000
  assert.ok(
    messages.length >= 2 && messages.length <= 1 + seconds,
    `${messages.length} in ${seconds} s`,
  )
  for (let i = 1; i < messages.length; i++) {
    assert.ok(messages[i]!.published_at - messages[i - 1]!.published_at >= 1000)
    assert.ok(messages[i]!.timestamp > messages[i - 1]!.timestamp)
  }
})

test("this repository's client speaks the protocol", async () => {
  const signer = createSigner('5a'.repeat(32))
  const { options: domain } = signingDomains('Strikebook', 31_337)
  await venue.set('/quote-providers', { wallet: signer.address, status: 'active' })
  const errors: unknown[] = []
  const context = { domain, signer, wallet: signer.address }
  const onMessage = (message: unknown) => errors.push(message)
  const client = await QuoteProviderClient.connect({ url: venue.url, context, nonce: 1, onMessage })
  const [calls, puts] = [await watcher(call), await watcher(put)]
  const byBid = (bid: string) => (message: Wire) => message.best_bid === bid
  client.publish([{ instrument: call, bidPrice: '9999.5', maxBidSize: '2' }])
  client.publishScope(scope, [{ instrument: put, bidPrice: '8888.5', maxBidSize: '2' }])
  await calls.next(byBid('9999.5'))
  await puts.next(byBid('8888.5'))
  client.send({ type: 'unheard_of' })
  await eventually('an error', () => errors.length > 0)
  await assert.rejects(
    QuoteProviderClient.connect({ url: venue.url, context, nonce: 1 }),
    /nonce already used/,
  )
  client.close()
})

const brief = new Venue({
  arguments: [
    ...['--gateways=2', '--set=quotes.ttlMillis=400', '--set=quotes.authTimeoutMillis=300'],
    ...['--set=stream.pingMillis=100'],
  ],
})
const openBrief = streamPeers(brief)

test('quotes that are not renewed expire, and a silent provider is closed without an earlier ping', async () => {
  await brief.start()
  after(() => brief.dispose())
  await listMarket(brief, [call])
  const by = new WalletKey()
  await brief.set('/quote-providers', { wallet: by.wallet, status: 'active' })
  const silent = await openBrief('/quotes')
  let pings = 0
  silent.socket.on('ping', () => pings++)
  await silent.until('the close frame', () => silent.closed !== null)
  assert.deepEqual(silent.messages, [{ type: 'auth_failed', reason: 'authentication timeout' }])
  assert.deepEqual([silent.closed?.code, pings], [1008, 0])
  // On a stalled machine the handshake itself may take longer.
  let peer = await openBrief('/quotes')
  for (let tries = 0; tries < 20 && peer.ofType('authenticated').length === 0; tries++) {
    if (tries > 0) peer = await openBrief('/quotes')
    peer.send(await connectBody(by))
    const { length: before } = peer.messages
    await peer.until('an answer', () => peer.messages.length > before)
  }
  assert.equal(peer.messages[0].type, 'authenticated')
  peer.socket.on('ping', () => pings++)
  const watching = await openBrief()
  await watching.subscribe('indicative_market_data')
  peer.send(update(row(call, '3', '4')))
  const set = await watching.next(({ num_providers: count }) => count === 1)
  const gone = await watching.next(({ num_providers: count }) => count === 0)
  assert.ok(gone.published_at - set.timestamp >= 400)
  await eventually('a ping', () => pings > 0)
  assert.equal(peer.closed, null)
})

test('metrics count sessions and rows', async () => {
  const by = await registered()
  const peer = await connected(by)
  peer.send(update(row(call, '1', '2'), row('nothing', '1', '2')))
  await peer.next('error')
  await eventually('the counts', async () => {
    const metrics = await venue.metrics()
    return ['provider_sessions', 'quote_rows', 'quote_rows_refused_total'].every((name) =>
      new RegExp(`^strikebook_${name}\\{.*\\} [1-9]`, 'm').test(metrics),
    )
  })
})
