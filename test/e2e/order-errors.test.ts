import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import {
  type Body,
  cancelBody,
  dateText,
  placeBody,
  replaceBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import { type Answer, assertError } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 120_000)
const { fundedWallet, place, sendOrder, cancelAll } = orderActions(venue, symbol)

before(async () => {
  await listMarket(venue, [symbol, otherSymbol])
})

const zeroAddress = '0x0000000000000000000000000000000000000000'

test('an accepted order is answered with the whole order update', async () => {
  const buyer = await fundedWallet()
  const body = await placeBody(buyer, { symbol, size: '1.50', price: '100.0', client_id: 'first' })
  const answer = await venue.send('POST', '/order', body, { 'X-Request-Id': 'request-7' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-request-id'), 'request-7')
  const { timestamp, order_id, seq, ...rest } = answer.body
  assert.ok(Math.abs(timestamp - Date.now()) < 60_000)
  assert.ok(Number.isSafeInteger(order_id))
  assert.ok(Number.isSafeInteger(seq))
  assert.deepEqual(rest, {
    info: {
      symbol,
      price: '100.0',
      size: '1.50',
      side: 'Buy',
      tif: 'gtc',
      client_id: 'first',
      underlying: 'BTC',
      builder_code_address: null,
      order_id,
      is_perp: false,
      mmp_enabled: false,
      reduce_only: null,
      nonce: body['nonce'],
      signature: body['signature'],
    },
    status: 'ACKED',
    reason: null,
    reason_code: null,
    details: null,
    filled_size: 0,
    wallet_address: buyer.wallet,
    mmp_triggered: false,
    request_id: 'request-7',
  })
})

for (const name of [
  'wallet',
  'symbol',
  'side',
  'size',
  'price',
  'tif',
  'nonce',
  'signature',
] as const) {
  test(`POST /order without ${name}, or with null for it, is missing_field`, async () => {
    const by = await fundedWallet()
    for (const value of [undefined, null]) {
      assertError(await sendOrder(by, {}, { [name]: value }), 400, 'missing_field')
    }
  })
}

test('a field of the wrong JSON type is invalid_parameter', async () => {
  const by = await fundedWallet()
  const wrong: Body[] = [
    { size: 1 },
    { price: 100 },
    { symbol: 5 },
    { side: true },
    { tif: ['gtc'] },
    { route: 1 },
    { client_id: 12 },
    { client_id: {} },
    { signature: 7 },
    { reduce_only: 'true' },
    { mmp_enabled: 'yes' },
    { nonce: 1.5 },
    { nonce: -1 },
    { nonce: '-1' },
    { nonce: '1e3' },
    { nonce: '' },
    { nonce: true },
    { nonce: 2 ** 53 },
    { nonce: '18446744073709551616' },
  ]
  for (const change of wrong) {
    const answer = await sendOrder(by, {}, change)
    assert.equal(
      answer.body?.code,
      'invalid_parameter',
      `${JSON.stringify(change)}: ${answer.text}`,
    )
    assert.equal(answer.status, 400)
  }
})

test('a field of the right type with a bad value is invalid_field', async () => {
  const by = await fundedWallet()
  const wrong: Body[] = [
    ...['buy', 'BUY', 'Long', ''].map((side) => ({ side })),
    ...['GTC', 'day', ''].map((tif) => ({ tif })),
    ...['book', '', 'BOOK_ONLY'].map((route) => ({ route })),
    ...['0', '0.0', '-1', '+1', '1e3', '.5', '5.', ' 1', '1 ', '', 'NaN', '0x10'].map((price) => ({
      price,
    })),
    ...['123456', '1234.56', '0.0000001', '1000000001', '2000000000'].map((price) => ({ price })),
    ...['0', '-1', '1e3', '.5', '5.', '', 'abc', '0.000000001', '100000.00000001', '100001'].map(
      (size) => ({ size }),
    ),
    ...[
      '',
      'BTC',
      'BTC-20300101',
      'BTC-20300101-1-X',
      'BTC-20301301-100-C',
      'BTC-2027-1-C',
      'BTC-PERP',
    ].map((each) => ({ symbol: each })),
    { symbol: `btc-${dateText(30)}-0-C` },
    ...['x'.repeat(65), 'ünï', '日本', '\n', '\u0000', '\ud800', '\u007f'].map((client_id) => ({
      client_id,
    })),
    { builder_code_address: '0x12' },
    { builder_code_address: 'someone' },
  ]
  for (const change of wrong) {
    const answer = await sendOrder(by, {}, change)
    assert.equal(answer.body?.code, 'invalid_field', `${JSON.stringify(change)}: ${answer.text}`)
    assert.equal(answer.status, 400)
  }
})

test('the venue accepts numbers of five significant figures with any number of zeros', async () => {
  const by = await fundedWallet('10000000')
  for (const price of ['100000', '1234.50', '1.00000', '00012.345', '0.000001']) {
    const update = await place(by, { price, size: '0.01' })
    assert.equal(update.status, 'ACKED', JSON.stringify(update))
    assert.equal(update.info.price, price)
  }
  await cancelAll(by)
})

test('a malformed or zero wallet is invalid_wallet', async () => {
  const by = await fundedWallet()
  for (const wallet of ['', '0x', 'abc', `${by.wallet}0`, by.wallet.slice(2), zeroAddress, 'ü']) {
    assertError(await sendOrder(by, {}, { wallet }), 400, 'invalid_wallet')
  }
})

test('the venue reads a wallet in any letter case as the same wallet', async () => {
  const by = await fundedWallet()
  const update = await place(by, { wallet: by.account.address })
  assert.equal(update.status, 'ACKED')
  assert.equal(update.wallet_address, by.wallet)
})

test('an unrecoverable signature is signature_verification_failed', async () => {
  const by = await fundedWallet()
  const { signature } = await placeBody(by, { symbol })
  const good = signature as string
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const hex = (value: bigint) => value.toString(16).padStart(64, '0')
  const r = good.slice(2, 66)
  const s = BigInt(`0x${good.slice(66, 130)}`)
  const v = good.slice(130)
  const bad = [
    '',
    '0x',
    good.slice(0, -2),
    `${good}00`,
    good.slice(2),
    `0x${'zz'.repeat(65)}`,
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(65)}`,
    `0x${r}${hex(curveOrder - s)}${v === '1b' ? '1c' : '1b'}`,
    `0x${r}${hex(0n)}${v}`,
    `0x${hex(curveOrder)}${good.slice(66)}`,
    `${good.slice(0, 130)}1d`,
    `${good.slice(0, 130)}02`,
  ]
  for (const change of bad) {
    const body = { ...(await placeBody(by, { symbol })), signature: change }
    const answer = await venue.send('POST', '/order', body)
    assert.equal(answer.body?.code, 'signature_verification_failed', `${change}: ${answer.text}`)
    assert.equal(answer.status, 400)
  }
})

test('the venue reads recovery byte 0 or 1 as 27 or 28', async () => {
  const by = await fundedWallet()
  const body = await placeBody(by, { symbol })
  const good = body['signature'] as string
  const signature = `${good.slice(0, 130)}${good.endsWith('1b') ? '00' : '01'}`
  const answer = await venue.send('POST', '/order', { ...body, signature })
  assert.equal(answer.body.status, 'ACKED', answer.text)
})

test('a signer that is neither wallet nor agent is unauthorized', async () => {
  const by = await fundedWallet()
  const stranger = new WalletKey()
  assertError(
    await venue.send('POST', '/order', await placeBody(by, { symbol }, stranger)),
    401,
    'unauthorized',
  )
})

test('the signature covers every signed field: one character changed afterwards is unauthorized', async () => {
  const by = await fundedWallet()
  const changes: Body[] = [
    { size: '1.0' },
    { price: '100.0' },
    { side: 'Sell' },
    { tif: 'ioc' },
    { route: 'best_execution' },
    { client_id: 'other' },
    { symbol: otherSymbol },
    { nonce: 77 },
    { route: undefined },
  ]
  for (const change of changes) {
    const answer = await sendOrder(by, {}, change)
    assert.equal(answer.body?.code, 'unauthorized', `${JSON.stringify(change)}: ${answer.text}`)
    assert.equal(answer.status, 401)
  }
})

test('a domain with another chain or name is unauthorized', async () => {
  const by = await fundedWallet()
  for (const domain of [
    { name: 'Strikebook', chainId: 999 },
    { name: 'Strikebook', chainId: 998 },
    { name: 'strikebook', chainId: 31337 },
  ]) {
    const body = await placeBody(by, { symbol }, by, domain)
    assertError(await venue.send('POST', '/order', body), 401, 'unauthorized')
  }
})

test('the venue accepts an omitted route and announces its deprecation; not so for a given route', async () => {
  const by = await fundedWallet()
  const without = await sendOrder(by, { route: undefined })
  assert.equal(without.body.status, 'ACKED', without.text)
  assert.equal(without.headers.get('deprecation'), 'true')
  assert.equal(without.headers.get('sunset'), 'Sat, 04 Jul 2026 00:00:00 GMT')
  assert.equal(without.headers.get('x-deprecation-removal-unix'), '1783123200')
  assert.equal(
    without.headers.get('warning'),
    '299 - "route will become required; send route explicitly"',
  )
  const given = await sendOrder(by, { route: 'best_execution' })
  assert.equal(given.body.status, 'ACKED', given.text)
  for (const header of ['deprecation', 'sunset', 'x-deprecation-removal-unix', 'warning']) {
    assert.equal(given.headers.get(header), null)
  }
})

test('reduce_only without route is missing_field', async () => {
  const by = await fundedWallet()
  const answer = await sendOrder(by, { reduce_only: true, route: undefined })
  assertError(answer, 400, 'missing_field')
})

test('DELETE /order requires exactly one id', async () => {
  const by = await fundedWallet()
  const neither = { ...(await cancelBody(by, { order_id: 1 })), order_id: undefined }
  assertError(await venue.send('DELETE', '/order', neither), 400, 'missing_field')
  const both = { ...(await cancelBody(by, { order_id: 1 })), client_id: 'x' }
  assertError(await venue.send('DELETE', '/order', both), 400, 'invalid_parameter')
  for (const order_id of [1.5, -1, '', 'x', '1e3', true, {}]) {
    const answer = await venue.send('DELETE', '/order', await cancelBody(by, { order_id }))
    assert.equal(answer.status, 400, `${JSON.stringify(order_id)}: ${answer.text}`)
    assert.match(answer.body.code, /^invalid_(parameter|field)$/)
  }
})

test('PUT /order requires every field of the table', async () => {
  const by = await fundedWallet()
  for (const name of ['order_id', 'symbol', 'side', 'size', 'price', 'tif', 'wallet', 'nonce']) {
    const body = { ...(await replaceBody(by, { symbol, order_id: 1 })), [name]: undefined }
    assertError(await venue.send('PUT', '/order', body), 400, 'missing_field')
  }
})

test('the caps on open orders and positions fail with limit_exceeded, 403', async () => {
  const by = await fundedWallet()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier2' })
  const { order_id } = await place(by, { price: '1' })
  assertError(await sendOrder(by, { symbol: otherSymbol, price: '1' }), 403, 'limit_exceeded')
  await place(by, { price: '1' })
  assertError(await sendOrder(by, { price: '1' }), 403, 'limit_exceeded')
  const nonce = by.nextNonce()
  assertError(await sendOrder(by, { price: '1', nonce }), 403, 'limit_exceeded')
  await venue.send('DELETE', '/order', await cancelBody(by, { order_id }))
  assert.equal((await place(by, { price: '1', nonce })).status, 'ACKED')
})

test('a notional outside its bounds is invalid_field', async () => {
  const by = await fundedWallet()
  const answer = await sendOrder(by, { price: '1000000000', size: '100000' })
  assertError(answer, 400, 'invalid_field')
})

test('the default tier allows sixty orders a minute, then answers 429', async () => {
  const by = await fundedWallet('100')
  let limited: Answer | null = null
  let accepted = 0
  // Twice the limit: the minute may change during the loop.
  while (limited === null && accepted <= 120) {
    const answer = await sendOrder(by, { size: '0.01', price: '1' })
    if (answer.status === 429) limited = answer
    else accepted++
  }
  assert.ok(limited !== null && accepted >= 60)
  assertError(limited, 429, 'rate_limit_exceeded')
  assert.equal(limited.body.limit, 60)
  assert.ok(Number(limited.headers.get('retry-after')) <= 60)
  assert.equal(limited.headers.get('x-ratelimit-remaining'), '0')
})
