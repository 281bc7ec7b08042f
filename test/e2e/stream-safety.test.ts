import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import {
  digestOfBody,
  signAction,
  signCancelOnDisconnect,
  signCancelOrder,
  signPlaceOrder,
  signReplaceOrder,
} from '../../gateway/client/signed-actions.js'
import { StreamClient } from '../../gateway/client/stream-client.js'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import { longTest } from '../support/long-test.js'
import { disconnects } from './support/disconnects.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { rfqFrame } from './support/rfq-body.js'
import { sharedVenue } from './support/shared-venue.js'
import {
  agentBody,
  cancelBody,
  connectBody,
  placeBody,
  replaceBody,
  safetyBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import { assertStreamError, streamPeers } from './support/stream-peer.js'
import { assertError } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place, sendOrder } = orderActions(venue, symbol)
const { bind, statusesOf, eventuallyEnded } = disconnects(venue)
const open = streamPeers(venue)

before(() => listMarket(venue, [symbol]))

test('cancels and replacements over the stream get an OrderResult', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const placed = await place(by, { client_id: 'one' })
  const replacement = await replaceBody(by, {
    ...{ order_id: placed.order_id, symbol, price: '101.0', size: '2.50', client_id: 'two' },
  })
  const replaced = await peer.ask({ type: 'ReplaceOrder', ...replacement }, 'OrderResult')
  const { order_id: orderId, seq, ...rest } = replaced
  assert.ok(orderId > placed.order_id && seq > placed.seq)
  assert.deepEqual(rest, {
    ...{ type: 'OrderResult', status: 'ACKED', symbol, side: 'Buy', price: '101.0', size: '2.50' },
    ...{ nonce: replacement['nonce'], client_id: 'two', filled_size: '0' },
    ...{ reason_code: null, details: null, mmp_triggered: false },
  })
  const body = await cancelBody(by, { order_id: orderId })
  const canceled = await peer.ask({ type: 'CancelOrder', ...body }, 'OrderResult')
  assert.deepEqual(
    { ...canceled, seq: 0 },
    {
      ...{ type: 'OrderResult', order_id: orderId, status: 'CANCELED', symbol, side: 'Buy' },
      ...{ price: '101', size: '2.5', nonce: body['nonce'], client_id: 'two', filled_size: '0' },
      ...{ reason_code: null, details: null, mmp_triggered: false, seq: 0 },
    },
  )
  const rest2 = await venue.send('DELETE', '/order', body)
  assert.equal(rest2.body.seq, canceled.seq, 'the same payload over REST gets the first result')
})

test('the stream cancels by client id, and rejects the cancel of an unknown order', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const placed = await place(by, { client_id: 'mine' })
  const body = await cancelBody(by, { client_id: 'mine' })
  const canceled = await peer.ask({ type: 'CancelOrderByClientId', ...body }, 'OrderResult')
  assert.deepEqual([canceled.order_id, canceled.status], [placed.order_id, 'CANCELED'])
  const again = await cancelBody(by, { client_id: 'mine' })
  const rejected = await peer.ask({ type: 'CancelOrderByClientId', ...again }, 'OrderResult')
  assert.deepEqual(
    { ...rejected, seq: 0, details: null },
    {
      ...{ type: 'OrderResult', order_id: null, status: 'REJECTED', symbol: '', side: 'Buy' },
      ...{ price: '0', size: '0', nonce: again['nonce'], client_id: 'mine', filled_size: '0' },
      reason: 'Order not found for cancellation: mine',
      ...{ reason_code: 'order_not_found', details: null, mmp_triggered: false, seq: 0 },
    },
  )
})

test('errors of frames equal those of their requests, and name frame and nonce', async () => {
  const [by, stranger] = [await fundedWallet(), await fundedWallet()]
  const peer = await open()
  const { order_id } = await place(by)
  const foreign = await cancelBody(by, { order_id }, stranger)
  await assertStreamError(
    peer,
    { type: 'CancelOrder', ...foreign },
    { code: 'unauthorized', request_type: 'CancelOrder', nonce: foreign['nonce'] },
  )
  const body = await cancelBody(by, { order_id })
  const both = { type: 'CancelOrder', ...body, client_id: 'x' }
  await assertStreamError(peer, both, { code: 'invalid_parameter', nonce: body['nonce'] })
  const { wallet: _, ...noWallet } = body
  const named = { code: 'missing_field', message: 'Missing field: wallet' }
  await assertStreamError(peer, { type: 'CancelOrder', ...noWallet }, named)
  const byNobody = { type: 'CancelOrderByClientId', ...body }
  await assertStreamError(peer, byNobody, { code: 'missing_field' })
  const routed = {
    type: 'ReplaceOrder',
    ...(await replaceBody(by, { order_id, symbol })),
    route: 'x',
  }
  await assertStreamError(peer, routed, { code: 'invalid_field', request_type: 'ReplaceOrder' })
  for (const type of ['CancelAll', 'SetDeadMan', 'SetCancelOnDisconnect']) {
    const missing = { type, wallet: by.wallet, nonce: 1, signature: '0x' }
    await assertStreamError(peer, missing, { code: 'missing_field', request_type: type, nonce: 1 })
  }
  const broken = { type: 'CancelOrder', ...body, signature: `0x${'00'.repeat(65)}` }
  await assertStreamError(peer, broken, { code: 'signature_verification_failed' })
  assert.deepEqual(await statusesOf(by), ['open'])
})

test('a replacement that the stream rejects does not affect the old order', async () => {
  const by = await fundedWallet()
  const peer = await open()
  const { order_id } = await place(by)
  const unparseable = await replaceBody(by, { order_id, symbol: 'rubbish' })
  const rejected = await peer.ask({ type: 'ReplaceOrder', ...unparseable }, 'OrderResult')
  assert.equal(rejected.reason_code, 'symbol_unparseable')
  const unknown = await replaceBody(by, { order_id: 999_999_999, symbol })
  const { status } = await peer.ask({ type: 'ReplaceOrder', ...unknown }, 'OrderResult')
  assert.equal(status, 'REJECTED')
  assert.deepEqual(await statusesOf(by), ['open'])
})

test('CancelAll and SetDeadMan get one answer over the stream, the same as over REST', async () => {
  const by = await fundedWallet()
  const peer = await open()
  await place(by)
  await place(by, { price: '90' })
  const body = await safetyBody(by, 'CancelAll', { scope: 'BTC' })
  const ended = await peer.ask({ type: 'CancelAll', ...body }, 'CancelAllResult')
  assert.deepEqual(
    { ...ended, seq: 0 },
    {
      ...{ type: 'CancelAllResult', wallet: by.wallet, scope: 'BTC', canceled: 2 },
      ...{ nonce: body['nonce'], seq: 0 },
    },
  )
  const twin = await venue.send('POST', '/cancel-all', body)
  assert.deepEqual([twin.body.data.canceled, twin.body.as_of_seq], [2, ended.seq])
  const timer = await safetyBody(by, 'SetDeadMan', { timeout_ms: 60_000 })
  const set = await peer.ask({ type: 'SetDeadMan', ...timer }, 'DeadManResult')
  assert.ok(set.fires_at > Date.now())
  assert.deepEqual([set.timeout_ms, set.nonce], [60_000, timer['nonce']])
  const off = await safetyBody(by, 'SetDeadMan', { timeout_ms: 0 })
  assert.equal((await peer.ask({ type: 'SetDeadMan', ...off }, 'DeadManResult')).fires_at, null)
  const unlisted = await safetyBody(by, 'CancelAll', { scope: 'NOPE' })
  await assertStreamError(
    peer,
    { type: 'CancelAll', ...unlisted },
    { code: 'not_found', request_type: 'CancelAll', nonce: unlisted['nonce'] },
  )
})

test('a wallet bound to a connection loses all its orders when it ends, for any reason', async () => {
  for (const end of ['close', 'terminate'] as const) {
    const by = await fundedWallet()
    const listening = await open(`?wallet=${by.wallet}`)
    await listening.subscribe('order_updates')
    const peer = await open()
    const answer = await bind(peer, by)
    assert.deepEqual(
      { ...answer, nonce: 0, seq: 0 },
      {
        ...{ type: 'CancelOnDisconnectResult', wallet: by.wallet, enabled: true, bound: true },
        ...{ nonce: 0, seq: 0 },
      },
    )
    await place(by)
    const body = await placeBody(by, { symbol, price: '99' })
    await peer.ask({ type: 'PlaceOrder', ...body }, 'OrderResult')
    peer.socket[end]()
    for (let count = 0; count < 2; count++) {
      const update = await listening.next(({ status }) => status === 'CANCELED')
      assert.equal(update.reason_code, 'cancel_on_disconnect')
    }
    await eventuallyEnded(by)
  }
})

test('a binding that was in progress when its connection ended still takes effect', async () => {
  for (let round = 0; round < 8; round++) {
    const by = await fundedWallet()
    const peer = await open()
    const binding = await safetyBody(by, 'SetCancelOnDisconnect', { enabled: true })
    const order = await placeBody(by, { symbol })
    peer.send({ type: 'SetCancelOnDisconnect', ...binding })
    peer.send({ type: 'PlaceOrder', ...order })
    if (round % 2 === 0) await new Promise((sent) => peer.socket.send('{}', sent))
    peer.close()
    await peer.until('gone', () => peer.closed !== null)
    // A later action of the wallet comes after both, so their effects are visible by then.
    await eventuallyEnded(by)
  }
})

test('a retry does not bind another connection, and the first binding stays', async () => {
  const by = await fundedWallet()
  const [first, second] = [await open(), await open()]
  const body = await safetyBody(by, 'SetCancelOnDisconnect', { enabled: true })
  const frame = { type: 'SetCancelOnDisconnect', ...body }
  assert.equal((await first.ask(frame, 'CancelOnDisconnectResult')).bound, true)
  const { bound, enabled } = await second.ask(frame, 'CancelOnDisconnectResult')
  assert.deepEqual([enabled, bound], [true, false])
  assert.equal((await first.ask(frame, 'CancelOnDisconnectResult')).bound, true)
  await place(by)
  second.close()
  await first.settle()
  assert.deepEqual(await statusesOf(by), ['open'])
  first.close()
  await eventuallyEnded(by)
})

test('each of two bound connections ends everything, and an agent may bind', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  await venue.send(
    'POST',
    '/approve-agent',
    await agentBody(by, 'ApproveAgent', { agent: agent.wallet }),
  )
  const [first, second] = [await open(), await open()]
  await bind(first, by)
  const body = await safetyBody(by, 'SetCancelOnDisconnect', { enabled: true }, agent)
  await second.ask({ type: 'SetCancelOnDisconnect', ...body }, 'CancelOnDisconnectResult')
  for (const peer of [first, second]) {
    await place(by)
    peer.close()
    await eventuallyEnded(by)
  }
})

test('a wallet that removes its binding keeps its orders, and a stranger cannot bind it', async () => {
  const [by, stranger] = [await fundedWallet(), await fundedWallet()]
  const [peer, foreign] = [await open(), await open()]
  await bind(peer, by)
  assert.equal((await bind(peer, by, { enabled: false })).bound, false)
  const body = await safetyBody(by, 'SetCancelOnDisconnect', { enabled: true }, stranger)
  await assertStreamError(
    foreign,
    { type: 'SetCancelOnDisconnect', ...body },
    { code: 'unauthorized' },
  )
  await place(by)
  for (const each of [peer, foreign]) each.close()
  await (await open()).settle(200)
  assert.deepEqual(await statusesOf(by), ['open'])
})

test('requests for quote end with the connection too', async () => {
  const [by, provider] = [await fundedWallet(), await fundedWallet()]
  await venue.set('/quote-providers', { wallet: provider.wallet, status: 'active' })
  const session = await open('/quotes')
  await session.ask(await connectBody(provider), 'authenticated')
  const listening = await open(`?wallet=${by.wallet}`)
  await listening.subscribe('rfq')
  const peer = await open()
  await bind(peer, by)
  peer.send(await rfqFrame(by, [{ instrument: symbol, side: 'Buy', size: '1' }]))
  await session.next('rfq_request')
  peer.close()
  const ended = await listening.next(({ status }) => status === 'failed')
  assert.equal(ended.reason_code, 'cancel_on_disconnect')
  await venue.set('/quote-providers', { wallet: provider.wallet, status: 'suspended' })
})

test('over REST there is no connection to bind', async () => {
  const by = await fundedWallet()
  const body = await safetyBody(by, 'SetCancelOnDisconnect', { enabled: true })
  const answer = await venue.send('POST', '/cancel-on-disconnect', body)
  assert.deepEqual([answer.status, answer.body.code], [400, 'unsupported_endpoint'])
})

test('GET /actions/outcome finds a signed action by its digest, also after a restart', async () => {
  const client = await connectStrikebook({ url: venue.url, privateKey: `0x${'5a'.repeat(32)}` })
  await venue.set('/deposits', { wallet: client.wallet, amount: '1000000' })
  const body = signPlaceOrder(
    client.context,
    { symbol, side: 'Buy', size: '2', price: '80', clientId: 'lost' },
    client.nextNonce(),
  )
  const digest = digestOfBody(body)!
  const before = await client.safety.actionOutcome(digest)
  assert.deepEqual(before, {
    ...{ wallet: client.wallet, digest, status: 'unknown', action: null, nonce: null },
    ...{ timestamp: null, seq: null, outcome: null },
    kept: { count: 0, max: 1000, oldest_ms: null, is_complete: true },
  })
  const placed = await venue.send('POST', '/order', body)
  const after = await client.safety.actionOutcome(digest)
  const { kept, ...outcome } = after
  assert.deepEqual(outcome, {
    ...{ wallet: client.wallet, digest, status: 'accepted', action: 'PlaceOrder' },
    ...{ nonce: body['nonce'], timestamp: placed.body.timestamp, seq: placed.body.seq },
    outcome: {
      ...{ status: 'ACKED', order_id: placed.body.order_id, symbol, side: 'Buy', price: '80' },
      ...{ size: '2', filled_size: '0', client_id: 'lost', reason: null, reason_code: null },
      mmp_triggered: false,
    },
  })
  assert.deepEqual([kept.count, kept.is_complete], [1, true])
  const ended = signAction(client.context, 'CancelAll', { scope: 'all' }, client.nextNonce())
  await venue.send('POST', '/cancel-all', ended)
  const canceled = await client.safety.actionOutcome(digestOfBody(ended)!)
  assert.deepEqual([canceled.action, canceled.outcome], ['CancelAll', { canceled: 1 }])
  const repeat = await venue.send('POST', '/order', body)
  assert.equal(repeat.body.seq, after.seq, 'the retry gets the same answer')
  await venue.end('SIGKILL')
  await venue.start()
  const again = await connectStrikebook({ url: venue.url, privateKey: `0x${'5a'.repeat(32)}` })
  const { kept: _, ...restarted } = await again.safety.actionOutcome(digest)
  assert.deepEqual(restarted, outcome)
})

test('the lookup reveals nothing about another wallet, and refuses an invalid digest', async () => {
  const [by, other] = [await fundedWallet(), await fundedWallet()]
  await place(by)
  const path = `/actions/outcome?wallet=${other.wallet}`
  const digest = `0x${'ab'.repeat(32)}`
  const { status } = (await venue.read(`${path}&digest=${digest}`)).data
  assert.equal(status, 'unknown')
  for (const [query, code] of [
    ['', 'missing_field'],
    ['&digest=0x12', 'invalid_parameter'],
    [`&digest=${digest}&digest=${digest}`, 'invalid_parameter'],
    [`&digest=${digest}&nonce=1`, 'invalid_field'],
  ] as const) {
    const answer = await venue.get(path + query)
    assertError(answer, 400, code)
    assert.deepEqual([answer.body.success, answer.body.data], [false, null])
  }
  const late = await venue.get(`${path}&digest=${digest}&min_seq=999999999999`)
  assertError(late, 503, 'not_ready')
})

test('REST and stream show rate windows, and reading them uses up no signed write', async () => {
  const peer = await open()
  const look = async () => {
    const by = await fundedWallet()
    const { headers } = await sendOrder(by, {})
    await venue.send('DELETE', '/order', await cancelBody(by, { order_id: 1 }))
    const answer = await venue.get(`/rate-limits?wallet=${by.wallet}`)
    const { limits } = (await venue.read(`/user-tier?wallet=${by.wallet}`)).data
    const streamLimits = await peer.ask({ type: 'GetRateLimits', wallet: by.wallet }, 'RateLimits')
    const isOfOneMinute = `${streamLimits.windows[0].reset}` === headers.get('x-ratelimit-reset')
    return { by, answer, limits, streamLimits, isOfOneMinute }
  }
  let looked = await look()
  // The minute may change between the reads.
  while (!looked.isOfOneMinute) looked = await look()
  const { by, answer, limits, streamLimits } = looked
  const { wallet, tier, windows, reads } = answer.body.data
  const reset = windows[0].reset
  assert.ok(reset % 60 === 0 && reset * 1000 > Date.now() - 1000)
  assert.deepEqual([wallet, tier], [by.wallet, 'default'])
  const shown = (category: string, limit: number, taken: number) => {
    return { category, limit, remaining: limit < 0 ? -1 : limit - taken, reset }
  }
  assert.deepEqual(windows, [
    shown('OrderPlacement', limits.orders_per_minute, 1),
    shown('OrderCancellation', limits.cancels_per_minute, 1),
    shown('ApiRequest', limits.api_requests_per_minute, 0),
  ])
  assert.equal(String(reads.remaining), answer.headers.get('x-ratelimit-remaining'))
  assert.deepEqual(streamLimits.windows, windows)
  assert.equal(
    streamLimits.reads.remaining,
    reads.remaining - 2,
    'one read of the tier, and one of the limits',
  )
  await assertStreamError(peer, { type: 'GetRateLimits' }, { code: 'missing_field' })
  await assertStreamError(
    peer,
    { type: 'GetRateLimits', wallet: 'x' },
    { code: 'invalid_wallet', request_type: 'GetRateLimits' },
  )
})

test('an acknowledgement names unlisted symbols, whose messages come once they are listed', async () => {
  const peer = await open()
  const later = symbolOf('BTC', 123_000)
  const asked = { symbols: [symbol, later, 'BTC', 'rubbish', 'rubbish'] }
  assert.deepEqual(await peer.subscribe('market_updates', asked), {
    ...{ type: 'Subscribed', channel: 'market_updates' },
    ...{ unknown_symbols: [later, 'BTC', 'rubbish'], unknown_symbol_count: 3 },
  })
  await venue.set('/instruments', { symbol: later })
  assert.equal((await peer.next('MarketUpdate')).symbol, later)
  const known = { type: 'Subscribed', channel: 'trades' }
  assert.deepEqual(await peer.subscribe('trades', { symbols: [later] }), known)
  const chain = { symbols: ['BTC', later, 'ETH7'] }
  assert.deepEqual((await peer.subscribe('options_chain', chain)).unknown_symbols, ['ETH7'])
  const many = { symbols: Array.from({ length: 300 }, (_, index) => `X${index}`) }
  const cut = await peer.subscribe('orderbook', many)
  assert.deepEqual([cut.unknown_symbols.length, cut.unknown_symbol_count], [100, 300])
  assert.deepEqual((await peer.subscribe('index_prices', { symbols: [symbol] })).unknown_symbols, [
    symbol,
  ])
  await peer.ask({ type: 'Authenticate', wallet: (await fundedWallet()).wallet }, 'Authenticated')
  assert.deepEqual(await peer.subscribe('rfq', { symbols: ['x'] }), {
    ...{ type: 'Subscribed', channel: 'rfq' },
  })
  await venue.operator('DELETE', '/instruments', { symbol: later })
  await peer.settle()
  assert.deepEqual((await peer.subscribe('fills', { symbols: [later] })).unknown_symbols, [later])
})

test('our own client cancels, ends and binds over the stream', async () => {
  const client = await connectStrikebook({ url: venue.url, privateKey: `0x${'5b'.repeat(32)}` })
  await venue.set('/deposits', { wallet: client.wallet, amount: '1000000' })
  const { context, nextNonce } = client
  const stream = await new Promise<StreamClient>((resolve) => {
    const opened: StreamClient = new StreamClient({
      url: venue.url,
      onMessage: () => {},
      onConnected: () => resolve(opened),
    })
  })
  const bound = await stream.setCancelOnDisconnect(
    signCancelOnDisconnect(context, true, nextNonce()),
  )
  assert.equal(bound.bound, true)
  const terms = { symbol, side: 'Buy', size: '1', price: '70' } as const
  const placed = await stream.placeOrder(signPlaceOrder(context, terms, nextNonce()))
  const orderId = placed.order_id!
  const replacement = { ...terms, orderId, price: '71' }
  const replaced = await stream.replaceOrder(signReplaceOrder(context, replacement, nextNonce()))
  assert.equal(replaced.status, 'ACKED')
  const cancel = signCancelOrder(context, replaced.order_id!, nextNonce())
  assert.equal((await stream.cancelOrder(cancel)).status, 'CANCELED')
  await stream.placeOrder(signPlaceOrder(context, terms, nextNonce()))
  const timer = signAction(context, 'SetDeadMan', { timeoutMs: 60_000 }, nextNonce())
  assert.ok((await stream.setDeadMan(timer)).fires_at! > 0)
  const all = signAction(context, 'CancelAll', { scope: 'all' }, nextNonce())
  assert.equal((await stream.cancelAll(all)).canceled, 1)
  const refused = signAction(context, 'CancelAll', { scope: '?' }, nextNonce())
  await assert.rejects(stream.cancelAll(refused), { code: 'invalid_field' })
  const { windows } = await client.safety.rateLimits()
  assert.equal(windows.length, 3)
  stream.close()
})

longTest("the venue's end closes its connections and so cancels their bound orders", async () => {
  const wallets = [await fundedWallet(), await fundedWallet()]
  for (const [index, signal] of (['SIGTERM', 'SIGKILL'] as const).entries()) {
    const by = wallets[index]!
    await bind(await open(), by)
    await place(by)
    await venue.end(signal)
    await venue.start()
    assert.deepEqual(await statusesOf(by), ['canceled: Cancelled on disconnect'], signal)
  }
})
