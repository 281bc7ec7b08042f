import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { acceptBody, type Leg, quoteFrame, rfqBody, rfqFrame } from './support/rfq-body.js'
import { agentBody, connectBody, safetyBody, symbolOf, WalletKey } from './support/signed-body.js'
import { type StreamPeer, streamPeers } from './support/stream-peer.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue({ arguments: ['--gateways=2', '--set=rfq.responseDeadlineMillis=20000'] })
const call = symbolOf('BTC', 100_000)
const high = symbolOf('BTC', 110_000)
const open = streamPeers(venue)
const spread: readonly Leg[] = [
  { instrument: call, side: 'Buy', size: '1' },
  { instrument: high, side: 'Sell', size: '1' },
]
const single: readonly Leg[] = [{ instrument: call, side: 'Buy', size: '2' }]

before(async () => {
  await venue.start()
  await listMarket(venue, [call, high])
})
after(() => venue.dispose())

async function funded(amount = '500000'): Promise<WalletKey> {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount })
  return by
}

/** Returns a session of a provider that may go short. */
async function provider(amount?: string): Promise<{ by: WalletKey; peer: StreamPeer }> {
  const by = await funded(amount)
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  await venue.set('/quote-providers', { wallet: by.wallet, status: 'active' })
  const peer = await open('/quotes')
  await peer.ask(await connectBody(by), 'authenticated')
  return { by, peer }
}

/** Closes a provider's session and suspends it, so that no request invites it. */
async function leave({ by, peer }: { by: WalletKey; peer: StreamPeer }): Promise<void> {
  peer.close()
  await venue.set('/quote-providers', { wallet: by.wallet, status: 'suspended' })
}

function requestOf(peer: StreamPeer, rfqId: unknown): Promise<Wire> {
  return peer.next(({ type, rfq_id: id }) => type === 'rfq_request' && id === rfqId)
}

async function subscriber(by: WalletKey): Promise<StreamPeer> {
  const peer = await open(`?wallet=${by.wallet}`)
  await peer.subscribe('rfq')
  await peer.subscribe('fills')
  return peer
}

test('a taker requests, gets quotes for, accepts and sees a combo, over REST', async () => {
  const [taker, quoting] = [await funded(), await provider()]
  const listening = await subscriber(taker)
  const begin = (await listening.subscribe('rfq', { as_of_seq: true })).as_of_seq
  const body = await rfqBody(taker, spread)
  const { status, body: created, text } = await venue.send('POST', '/rfq/request', body)
  assert.equal(status, 200, text)
  assert.equal(created.status, 'sent_to_qps')
  const request = await requestOf(quoting.peer, created.rfq_id)
  assert.deepEqual(
    { ...request, request_timestamp: 0 },
    {
      ...{ type: 'rfq_request', rfq_id: body['rfq_id'], taker_wallet: taker.wallet },
      legs: spread.map((leg) => ({ ...leg, side: leg.side.toLowerCase() })),
      ...{ request_timestamp: 0, response_deadline_ms: 20_000 },
      ...{ auto_execute: false, requires_price_improvement: false },
    },
  )
  quoting.peer.send(await quoteFrame(quoting.by, request, ['7000', '3300'], '-3700'))
  await listening.next((each) => each.type === 'RfqQuotes' && each.quotes.length === 1)
  quoting.peer.send(await quoteFrame(quoting.by, request, ['6900', '3305'], '-3595'))
  const message = await listening.next(
    ({ type, quotes }) => type === 'RfqQuotes' && quotes[0]?.net_premium === '-3595',
  )
  const [{ quote_id: quoteId }] = message.quotes
  assert.deepEqual([message.status, message.quotes.length], ['quotes_received', 1])
  const path = `/rfq/${created.rfq_id}`
  assert.deepEqual(
    (await venue.read(path)).quotes,
    [],
    'before the deadline only the taker sees the quotes',
  )
  const { quotes } = await venue.read(`${path}?wallet=${taker.wallet}`)
  assert.deepEqual(quotes[0].legs[0], { ...spread[0], price: '6900' })
  const accepted = await venue.send(
    'POST',
    '/rfq/accept',
    await acceptBody(taker, created.rfq_id, quoteId, '-3595'),
  )
  assert.equal(accepted.body.status, 'executed', accepted.text)
  const result = await listening.next('RfqAcceptResult')
  assert.deepEqual([result.status, result.fill_id], ['executed', accepted.body.fill_id])
  const fill = await listening.next('Fill')
  const source = { type: 'rfq', rfq_id: created.rfq_id, quote_id: quoteId }
  assert.deepEqual([fill.fill_source, fill.is_taker], [source, true])
  const { data: rows } = await venue.read(`/fills?wallet=${taker.wallet}`)
  assert.deepEqual(
    rows.map((row: Wire) => row.fill_source),
    [source, source],
  )
  const orderIds = rows.map((row: Wire) => row.order_id)
  assert.equal(
    new Set(orderIds).size,
    2,
    "each leg's fill has its own order id, by which public clients match fills",
  )
  assert.ok(orderIds.includes(fill.order_id), 'stream and history have the same order ids')
  const isOrder = await venue.read(`/orders/status?wallet=${taker.wallet}&order_id=${orderIds[0]}`)
  assert.equal(isOrder.data, null)
  const { positions } = (await venue.read(`/portfolio?wallet=${taker.wallet}`)).data
  assert.equal(positions.length, 2)
  const ended = await venue.read(path)
  assert.deepEqual([ended.status, ended.fill_id], ['executed', accepted.body.fill_id])
  const { rfqs } = await venue.read(`/rfq?wallet=${taker.wallet}&status=executed`)
  assert.equal(rfqs.length, 1)
  await leave(quoting)
  await listening.settle()
  // Each of two gateways has its own window, and which one answers is random.
  for (let connections = 0; connections < 4; connections++) await hearAgain(taker, begin, listening)
})

/** Asserts that a resumed connection gets the messages of another one. */
async function hearAgain(by: WalletKey, begin: number, { messages }: StreamPeer): Promise<void> {
  const peer = await open(`?wallet=${by.wallet}`)
  for (const channel of ['rfq', 'fills']) {
    await peer.subscribe(channel, { from_seq: begin })
    const resumed = await peer.next(({ type }) => type === 'Resumed' || type === 'Error')
    assert.deepEqual([resumed.type, resumed.channel], ['Resumed', channel], resumed.message)
  }
  const types = ['RfqStatusUpdate', 'RfqQuotes', 'RfqAcceptResult', 'Fill']
  const of = (type: string, all: readonly Wire[]) => all.filter((each) => each.type === type)
  for (const type of types) assert.deepEqual(of(type, peer.messages), of(type, messages), type)
}

test("a taker without a subscription receives its own request's events, and accepts on the stream", async () => {
  const [taker, first, second] = [await funded(), await provider(), await provider()]
  const peer = await open()
  const frame = await rfqFrame(taker, single)
  peer.send(frame)
  await peer.next(({ type, status }) => type === 'RfqStatusUpdate' && status === 'sent_to_qps')
  const request = await requestOf(first.peer, frame['rfq_id'])
  first.peer.send(await quoteFrame(first.by, request, ['7000'], '-14000'))
  const { quotes } = await peer.next('RfqQuotes')
  await requestOf(second.peer, frame['rfq_id'])
  const [{ quote_id: quoteId, net_premium: premium }] = quotes
  const accept = await acceptBody(taker, String(frame['rfq_id']), quoteId, premium)
  const result = await peer.ask({ type: 'AcceptRfqQuote', ...accept }, 'RfqAcceptResult')
  assert.equal(result.status, 'executed')
  const filled = await second.peer.next('rfq_already_filled')
  assert.deepEqual([filled.rfq_id, filled.filled_by_quote_id], [frame['rfq_id'], quoteId])
  await peer.settle()
  assert.equal(peer.ofType('RfqAcceptResult').length, 1)
  assert.equal(first.peer.ofType('rfq_already_filled').length, 0)
  // The same payload again gets the first result.
  const again = await peer.ask({ type: 'AcceptRfqQuote', ...accept }, 'RfqAcceptResult')
  assert.deepEqual([again.status, again.fill_id], ['executed', result.fill_id])
  await leave(first)
  await leave(second)
})

test('the first quote within a limit executes without an acceptance', async () => {
  const [taker, quoting] = [await funded(), await provider()]
  const listening = await subscriber(taker)
  const frame = await rfqFrame(taker, spread, '3600')
  listening.send(frame)
  const request = await requestOf(quoting.peer, frame['rfq_id'])
  assert.deepEqual(
    [request.auto_execute, request.auto_accept_limit, request.taker_limit_price],
    [true, '3600', '3600'],
  )
  quoting.peer.send(await quoteFrame(quoting.by, request, ['6920', '3300'], '-3620'))
  await listening.next((each) => each.type === 'RfqQuotes' && each.quotes.length === 1)
  quoting.peer.send(await quoteFrame(quoting.by, request, ['6900', '3305'], '-3595'))
  assert.equal((await listening.next('RfqAcceptResult')).status, 'executed')
  await listening.next(({ type, status }) => type === 'RfqStatusUpdate' && status === 'executed')
  await leave(quoting)
})

test('without a provider a single leg with a limit becomes an order', async () => {
  const taker = await funded()
  const body = await rfqBody(taker, single, '10000')
  const { body: answer } = await venue.send('POST', '/rfq/request', body)
  assert.equal(answer.status, 'no_quotes')
  const { fallback_order_id: orderId } = await venue.read(`/rfq/${body['rfq_id']}`)
  const { data } = await venue.read(`/orders?wallet=${taker.wallet}`)
  assert.deepEqual(
    [data[0].order_id, data[0].client_id, data[0].price],
    [orderId, body['rfq_id'], '5000'],
  )
})

test('an invalid request is an error; one that a trading rule rejects has status failed', async () => {
  const taker = await funded()
  const send = (body: unknown) => venue.send('POST', '/rfq/request', body)
  const body = await rfqBody(taker, single)
  assert.equal((await send(body)).body.status, 'no_quotes')
  assert.equal((await send(body)).body.status, 'no_quotes', 'a retry gets the first result')
  assertError(
    await send(await rfqBody(taker, spread, null, { rfq_id: body['rfq_id'] })),
    409,
    'conflict',
  )
  assertError(
    await send(await rfqBody(taker, single, null, { nonce: body['nonce'] })),
    409,
    'conflict',
  )
  assertError(
    await send(await rfqBody(taker, single, null, {}, new WalletKey())),
    401,
    'unauthorized',
  )
  assertError(await send(await rfqBody(new WalletKey(), single)), 403, 'no_account')
  assertError(await send({ ...(await rfqBody(taker, spread)), legs: single }), 401, 'unauthorized')
  const unlisted = [{ instrument: symbolOf('BTC', 5), side: 'Buy', size: '1' }]
  const listening = await subscriber(taker)
  const failed = await send(await rfqBody(taker, unlisted))
  const update = await listening.next('RfqStatusUpdate')
  assert.deepEqual([update.status, update.rfq_id], ['failed', failed.body.rfq_id])
  assert.deepEqual([failed.status, failed.body.status], [200, 'failed'])
  assert.equal(failed.body.reason_code, 'invalid_symbol')
  assertError(await venue.get(`/rfq/${new WalletKey().wallet}`), 404, 'not_found')
})

test('an invalid quote is an error, and one without margin is rejected for it', async () => {
  const [taker, quoting, poor] = [await funded(), await provider(), await provider('1')]
  const body = await rfqBody(taker, single)
  await venue.send('POST', '/rfq/request', body)
  const request = await requestOf(quoting.peer, body['rfq_id'])
  const fails = async (frame: unknown, code: string) => {
    const error = await quoting.peer.ask(frame, 'error')
    assert.deepEqual([error.code, error.rfq_id], [code, body['rfq_id']], JSON.stringify(error))
  }
  const quote = (prices: string[], net: string, patch = {}) =>
    quoteFrame(quoting.by, request, prices, net, patch)
  await fails(await quote(['7000'], '-13000'), 'premium_mismatch')
  await fails(await quote(['7000'], '-14000', { valid_for_ms: 0 }), 'invalid_field')
  const turned = { ...request, legs: [{ ...request.legs[0], side: 'sell' }] }
  await fails(await quoteFrame(quoting.by, turned, ['7000'], '14000'), 'legs_mismatch')
  const loud = { ...request, legs: [{ ...request.legs[0], side: 'BUY' }] }
  await fails(await quoteFrame(quoting.by, loud, ['7000'], '-14000'), 'legs_mismatch')
  await fails({ ...(await quote(['7000'], '-14000')), net_premium: '-14000.5' }, 'premium_mismatch')
  await fails({ ...(await quote(['7000'], '-14000')), valid_for_ms: 7 }, 'unauthorized')
  await fails(
    { ...(await quote(['7000'], '-14000')), signature: '0x12' },
    'signature_verification_failed',
  )
  const asked = await requestOf(poor.peer, body['rfq_id'])
  poor.peer.send(await quoteFrame(poor.by, asked, ['7000'], '-14000'))
  const rejected = await poor.peer.next('qp_margin_rejection')
  assert.equal(rejected.rfq_id, body['rfq_id'])
  assert.match(rejected.reason, /^Insufficient/)
  poor.peer.send({ type: 'rfq_response', rfq_id: body['rfq_id'], action: 'decline' })
  quoting.peer.send({ type: 'rfq_response', rfq_id: body['rfq_id'], action: 'decline' })
  await eventually('the end of the unquoted request', async () => {
    return (await venue.read(`/rfq/${body['rfq_id']}`)).status === 'no_quotes'
  })
  await fails(await quote(['7000'], '-14000'), 'rfq_closed')
  assert.equal(poor.peer.ofType('error').length, 0)
  await leave(quoting)
  await leave(poor)
})

test('an acceptance of a final request states its end, over REST and over the stream', async () => {
  const [taker, quoting] = [await funded(), await provider()]
  const peer = await open()
  const quoted = async () => {
    const frame = await rfqFrame(taker, single)
    peer.send(frame)
    const request = await requestOf(quoting.peer, frame['rfq_id'])
    quoting.peer.send(await quoteFrame(quoting.by, request, ['7000'], '-14000'))
    const { quotes } = await peer.next('RfqQuotes')
    return () => acceptBody(taker, String(frame['rfq_id']), quotes[0].quote_id, '-14000')
  }
  const filled = await quoted()
  assert.equal((await venue.send('POST', '/rfq/accept', await filled())).body.status, 'executed')
  const ended = await quoted()
  const cancel = await safetyBody(taker, 'CancelAll', { scope: 'all' })
  assert.equal((await venue.send('POST', '/cancel-all', cancel)).status, 200)
  for (const [accept, code] of [
    [filled, 'rfq_already_filled'],
    [ended, 'rfq_closed'],
  ] as const) {
    assertError(await venue.send('POST', '/rfq/accept', await accept()), 409, code)
    const error = await peer.ask({ type: 'AcceptRfqQuote', ...(await accept()) }, 'Error')
    assert.equal(error.code, code)
  }
  await leave(quoting)
})

test('an acceptance of an unknown quote is 404, of an ended one a conflict', async () => {
  const [taker, quoting] = [await funded(), await provider()]
  const accept = async (rfqId: string, quoteId: string, premium: string, signer = taker) =>
    venue.send('POST', '/rfq/accept', await acceptBody(taker, rfqId, quoteId, premium, {}, signer))
  const frame = await rfqBody(taker, single)
  const rfqId = String(frame['rfq_id'])
  assertError(await accept(rfqId, rfqId, '1'), 404, 'not_found')
  await venue.send('POST', '/rfq/request', frame)
  const request = await requestOf(quoting.peer, rfqId)
  const listening = await subscriber(taker)
  quoting.peer.send(
    await quoteFrame(quoting.by, request, ['7000'], '-14000', { valid_for_ms: 500 }),
  )
  const { quotes } = await listening.next('RfqQuotes')
  const [{ quote_id: quoteId }] = quotes
  assertError(await accept(rfqId, rfqId, '-14000'), 404, 'not_found')
  assertError(await accept(rfqId, quoteId, '-13999'), 401, 'unauthorized')
  await listening.next((each) => each.type === 'RfqQuotes' && each.quotes.length === 0)
  assertError(await accept(rfqId, quoteId, '-14000'), 409, 'conflict')
  await leave(quoting)
})

test('an agent requests and accepts for its wallet', async () => {
  const [taker, agent, quoting] = [await funded(), new WalletKey(), await provider()]
  await venue.send(
    'POST',
    '/approve-agent',
    await agentBody(taker, 'ApproveAgent', { agent: agent.wallet }),
  )
  const body = await rfqBody(taker, single, null, {}, agent)
  assert.equal((await venue.send('POST', '/rfq/request', body)).body.status, 'sent_to_qps')
  const request = await requestOf(quoting.peer, body['rfq_id'])
  quoting.peer.send(await quoteFrame(quoting.by, request, ['7000'], '-14000'))
  const path = `/rfq/${body['rfq_id']}?wallet=${taker.wallet}`
  await eventually('the quote', async () => (await venue.read(path)).quotes.length === 1)
  const [{ quote_id: quoteId }] = (await venue.read(path)).quotes
  const rfqId = String(body['rfq_id'])
  const { body: accepted } = await venue.send(
    'POST',
    '/rfq/accept',
    await acceptBody(taker, rfqId, quoteId, '-14000', {}, agent),
  )
  assert.equal(accepted.status, 'executed')
  await leave(quoting)
})

longTest('an acceptance from before a restart keeps its first result', async () => {
  const [taker, quoting] = [await funded(), await provider()]
  const body = await rfqBody(taker, single)
  const rfqId = String(body['rfq_id'])
  await venue.send('POST', '/rfq/request', body)
  const request = await requestOf(quoting.peer, rfqId)
  quoting.peer.send(await quoteFrame(quoting.by, request, ['7000'], '-14000'))
  const path = `/rfq/${rfqId}?wallet=${taker.wallet}`
  await eventually('the quote', async () => (await venue.read(path)).quotes.length === 1)
  const [{ quote_id: quoteId }] = (await venue.read(path)).quotes
  const accept = await acceptBody(taker, rfqId, quoteId, '-14000')
  const first = await venue.send('POST', '/rfq/accept', accept)
  assert.equal(first.body.status, 'executed', first.text)
  await venue.end('SIGTERM')
  await venue.start()
  const again = await venue.send('POST', '/rfq/accept', accept)
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal((await venue.read(path)).status, 'executed')
  assertError(
    await venue.send('POST', '/rfq/accept', await acceptBody(taker, rfqId, quoteId, '-14000')),
    409,
    'rfq_already_filled',
  )
})
