import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { sharedVenue } from './support/shared-venue.js'
import {
  type Body,
  cancelBody,
  developmentDomain,
  marginModeBody,
  placeBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { type Answer, assertError, Venue, type Wire } from './support/venue.js'

const strict = sharedVenue()
const lenient = new Venue({
  arguments: [
    '--preset=mainnet-alpha',
    '--set=pricing.indexMaxAgeMillis=0',
    '--set=pricing.surfaceMaxAgeMillis=0',
  ],
  token: 'operator',
})
const symbol = symbolOf('BTC', 110_000)
const lenientDomain = { ...developmentDomain, chainId: 999 }
const reduceOnly = 'Unknown field: reduceOnly (did you mean reduce_only?)'

before(async () => {
  await lenient.start()
  for (const venue of [strict, lenient]) await listMarket(venue, [symbol])
})
after(() => lenient.dispose())

async function fundedOn(venue: Venue): Promise<WalletKey> {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000' })
  return by
}

async function order(by: WalletKey, patch: Body = {}, venue = strict): Promise<Body> {
  const domain = venue === strict ? developmentDomain : lenientDomain
  return placeBody(by, { symbol, price: '1', size: '0.1', ...patch }, by, domain)
}

function assertUnknown(answer: Answer, message: string | RegExp): void {
  assertError(answer, 400, 'invalid_field')
  if (typeof message === 'string') assert.equal(answer.body.message, message)
  else assert.match(answer.body.message, message)
}

async function assertNoOrders(venue: Venue, { wallet }: WalletKey): Promise<void> {
  assert.deepEqual((await venue.read(`/orders?wallet=${wallet}`)).data, [])
}

test('every preset refuses another spelling of a known field, and nothing trades', async () => {
  for (const venue of [strict, lenient]) {
    const by = await fundedOn(venue)
    const body = { ...(await order(by, {}, venue)), reduceOnly: true }
    assertUnknown(await venue.send('POST', '/order', body), reduceOnly)
    const bulk = await venue.send('POST', '/bulk_order', [body])
    assert.equal(bulk.body[0].error, `invalid_field: ${reduceOnly}`)
    const cancel = { ...(await cancelBody(by, { order_id: 5 })), orderID: 5 }
    assertUnknown(
      await venue.send('DELETE', '/order', cancel),
      'Unknown field: orderID (did you mean order_id?)',
    )
    const wallet = (await venue.get(`/orders?wallet=${by.wallet}&Limit=5`)) as Answer
    assertUnknown(wallet, 'Unknown field: Limit (did you mean limit?)')
    await assertNoOrders(venue, by)
  }
})

test('development refuses other unknown fields and mainnet-alpha ignores them', async () => {
  const onStrict = await fundedOn(strict)
  const body = { ...(await order(onStrict)), post_only: true }
  assertUnknown(await strict.send('POST', '/order', body), /^Unknown field: post_only/)
  await assertNoOrders(strict, onStrict)
  const onLenient = await fundedOn(lenient)
  const taken = { ...(await order(onLenient, {}, lenient)), post_only: true }
  const answer = await lenient.send('POST', '/order', taken)
  assert.equal(answer.body.status, 'ACKED', answer.text)
})

test('on mainnet-alpha a signature failure states nothing else', async () => {
  const by = await fundedOn(lenient)
  const stranger = Object.assign(new WalletKey(), { wallet: by.wallet })
  const placed = await order(stranger, {}, lenient)
  const mode = await marginModeBody(stranger, 'standard', stranger, lenientDomain)
  for (const [path, body] of [
    ['/order', placed],
    ['/bulk_order', [placed]],
    ['/margin-mode', mode],
  ] as const) {
    const answer = await lenient.send('POST', path, body)
    assert.match(answer.text, /unauthorized/)
    assert.doesNotMatch(answer.text, /details|digest|recovered/, path)
  }
})

test('a signer, and the wallet of an agent write, are known fields although unneeded', async () => {
  const by = await fundedOn(strict)
  const answer = await strict.send('POST', '/order', { ...(await order(by)), signer: by.wallet })
  assert.equal(answer.body.status, 'ACKED', answer.text)
  const canceled = await cancelBody(by, { order_id: answer.body.order_id })
  const gone = await strict.send('DELETE', '/order', { ...canceled, signer: 'anybody' })
  assert.equal(gone.body.status, 'CANCELED', gone.text)
})

/** Returns a body of each signed write that has all required fields, with any values. */
async function signedWrites(by: WalletKey): Promise<readonly (readonly [string, string, Body])[]> {
  const placed = await order(by)
  const { route, ...replacement }: Body = { ...placed, order_id: 5 }
  const { wallet, nonce, signature } = placed
  const signed = { wallet, nonce, signature }
  const cancel = { ...signed, order_id: 5 }
  const byClientId = { ...signed, client_id: 'c' }
  const bid = {
    ...{ liquidated_wallet: wallet, request_id: 'r', auction_id: 'a', bid_usdc: '1' },
    ...{ portfolio_hash: 'p', auction_terms_hash: 'h', bid_intent_hash: 'i', positions: [] },
    ...{ auction_version: 1, valuation_timestamp_ms: 1 },
  }
  const rfqId = '0b5b5c3e-6d3c-4f0e-9d58-6f6e1f0a7f11'
  const rfq = { rfq_id: rfqId, wallet_address: wallet, nonce, signature }
  const legs = [{ instrument: symbol, side: 'Buy', size: '1' }]
  const perpCancel = { type: 'cancel', cancels: [{ a: 1, o: 2 }] }
  return [
    ['POST', '/order', placed],
    ['POST', '/order/debug', placed],
    ['PUT', '/order', replacement],
    ['DELETE', '/order', cancel],
    ['DELETE', '/order_cloid', byClientId],
    ['POST', '/bulk_order', { orders: [placed] }],
    ['PUT', '/bulk_order', { replacements: [replacement] }],
    ['DELETE', '/bulk_order', { cancels: [cancel] }],
    ['DELETE', '/bulk_order_cloid', { cancels: [byClientId] }],
    ['POST', '/orders', { orders: [placed] }],
    ['POST', '/orders/cancel', { cancels: [cancel] }],
    ['POST', '/perp-order', { ...signed, action: perpCancel }],
    ['POST', '/rfq/request', { ...rfq, legs }],
    ['POST', '/rfq/accept', { ...rfq, quote_id: rfqId }],
    ['POST', '/margin-mode', { ...signed, margin_mode: 'standard' }],
    ['POST', '/self-trade-prevention', { ...signed, mode: 'cancel_both' }],
    ['POST', '/user-tier', { ...signed, tier: 'tier1' }],
    ['POST', '/approve-agent', { ...signed, agent: wallet }],
    ['DELETE', '/revoke-agent', { ...signed, agent: wallet }],
    ['DELETE', '/revoke-all-agents', signed],
    ['POST', '/mmp-config', { ...signed, currency: 'BTC', interval_ms: 1, frozen_time_ms: 1 }],
    ['DELETE', '/mmp-config', { ...signed, currency: 'BTC' }],
    ['POST', '/mmp-config/reset', { ...signed, currency: 'BTC' }],
    ['POST', '/settlement-payouts/seen', { ...signed, ids: [1] }],
    ['POST', '/liquidation/standard-margin', { ...signed, ...bid }],
  ]
}

test('every signed write names its unknown fields and knows its signer', async () => {
  const by = await fundedOn(strict)
  for (const [method, path, body] of await signedWrites(by)) {
    const answer = await strict.send(method, path, { ...body, urgency: 'high' })
    assertUnknown(answer, /^Unknown field: urgency/)
    const named = await strict.send(method, path, { ...body, signer: by.wallet })
    assert.doesNotMatch(named.text, /Unknown field/, `${method} ${path}`)
    // Every preset refuses another spelling.
    if (path === '/order/debug') continue // mainnet-alpha does not serve it
    const near = await lenient.send(method, path, { ...body, Signer: by.wallet })
    assertUnknown(near, 'Unknown field: Signer (did you mean signer?)')
  }
  const bulk = await strict.send('POST', '/bulk_order', { orders: [await order(by)], atomic: true })
  assertUnknown(bulk, 'Unknown field: atomic; known: orders, signer')
  const legs = [{ instrument: symbol, Side: 'Buy', size: '1' }]
  const rfq_id = '0b5b5c3e-6d3c-4f0e-9d58-6f6e1f0a7f11'
  const asked = { rfq_id, legs, wallet_address: by.wallet, nonce: 1, signature: '0x' }
  assertUnknown(
    await lenient.send('POST', '/rfq/request', asked),
    'legs[0]: Unknown field: Side (did you mean side?)',
  )
})

test('paths without parameters name the first one given, where unknown ones are refused', async () => {
  const [onStrict, onLenient] = [await fundedOn(strict), await fundedOn(lenient)]
  const path = '/order?reduce_only=true'
  assertUnknown(
    await strict.send('POST', path, await order(onStrict)),
    'Unknown field: reduce_only',
  )
  await assertNoOrders(strict, onStrict)
  const taken = await lenient.send('POST', path, await order(onLenient, {}, lenient))
  assert.equal(taken.body.status, 'ACKED', taken.text)
  const unsigned = { wallet: onStrict.wallet, orders: [] }
  assertUnknown(await strict.send('POST', '/risk/simulate/orders?x=1', unsigned), /x$/)
  for (const service of ['/health', '/ready', '/version']) {
    assertUnknown((await strict.get(`${service}?verbose=1`)) as Answer, 'Unknown field: verbose')
    assert.equal((await lenient.get(`${service}?verbose=1`)).status, 200)
  }
})

test('every preset refuses a perp action with any unknown field', async () => {
  for (const venue of [strict, lenient]) {
    const action = { type: 'cancel', cancels: [{ a: 1, o: 2, x: 3 }] }
    const body = { wallet: new WalletKey().wallet, action, nonce: 1, signature: '0x' }
    const nested = await venue.send('POST', '/perp-order', body)
    assertUnknown(nested, /^Unknown field: action\.cancels\[0\]\.x/)
    const cancel = { type: 'cancel', cancels: [{ a: 1, o: 2 }] }
    const whole = { ...body, action: cancel, expires_after: 1 }
    assertUnknown(
      await venue.send('POST', '/perp-order', whole),
      'Unknown field: expires_after (did you mean expiresAfter?)',
    )
  }
})

test("the venue also checks the orders within a preview's body", async () => {
  const { wallet } = new WalletKey()
  const terms = { symbol, side: 'Buy', size: '1', price: '1' }
  const body = { wallet, orders: [terms, { ...terms, reduce_only: true }] }
  const answer = await strict.send('POST', '/risk/simulate/orders', body)
  assertUnknown(answer, /^orders\[1\]: Unknown field: reduce_only/)
  const taken = await lenient.send('POST', '/risk/simulate/orders', body)
  assert.equal(taken.status, 200, taken.text)
})

test('unknown parameters of reads fail in development, are ignored on mainnet-alpha, and known aliases work', async () => {
  const { wallet } = new WalletKey()
  const paths = [
    `/portfolio?wallet=${wallet}&verbose=1`,
    `/fills?wallet=${wallet}&verbose=1`,
    '/trades?verbose=1',
    '/trades/1?verbose=1',
    `/orderbook?instrument_id=${symbol}&verbose=1`,
    '/markets?verbose=1',
    '/exchange-info?verbose=1',
  ]
  for (const path of paths) {
    assertUnknown(await strict.get(path), /^Unknown field: verbose/)
    const { status } = await lenient.get(path)
    assert.equal(status, path.startsWith('/trades/') ? 404 : 200, path)
  }
  for (const path of [
    `/instruments?kind=option&wallet=${wallet}&min_seq=1`,
    `/risk/grid?wallet=${wallet}&include_open_orders=true`,
    '/options-summary?expiry=2030-01-01&provider_quotes_limit=3&rfq_provider_quotes=true',
    `/trades?limit=1&offset=0&option_id=${symbol}&underlying=BTC&account=${wallet}`,
    `/liquidations?wallet=${wallet}&state=healthy&margin_mode=standard&liquidation_mode=full`,
  ]) {
    assert.equal((await strict.get(path)).status, 200, path)
  }
})

test("the stream refuses an order like its REST twin, and ignores other messages' unknown fields", async () => {
  for (const venue of [strict, lenient]) {
    const by = await fundedOn(venue)
    const peer = await StreamPeer.open(venue)
    const body = await order(by, {}, venue)
    const frame = { type: 'PlaceOrder', ...body, reduceOnly: true }
    const error: Wire = await peer.ask(frame, 'Error')
    assert.deepEqual([error.code, error.message], ['invalid_field', reduceOnly])
    await peer.subscribe('trades', { depth: 5 })
    const extra = { type: 'PlaceOrder', ...(await order(by, {}, venue)), post_only: true }
    peer.send(extra)
    const answer = await peer.next(({ type }) => type === 'Error' || type === 'OrderResult')
    if (venue === lenient) assert.equal(answer.status, 'ACKED', JSON.stringify(answer))
    else assert.match(answer.message, /^Unknown field: post_only/)
    peer.close()
  }
})
