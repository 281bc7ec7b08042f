import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, assertError, JudgeVenue, type Wire } from './support/judge-venue.js'
import {
  agentBody,
  type Body,
  cancelBody,
  dateText,
  placeBody,
  replaceBody,
  symbolOf,
  Trader,
} from './support/signed-body.js'

const venue = new JudgeVenue()
const symbol = symbolOf('BTC', 110_000)
const otherSymbol = symbolOf('BTC', 120_000)

before(async () => {
  await venue.start()
  await venue.set('/instruments', { symbol })
  await venue.set('/instruments', { symbol: otherSymbol })
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
  await setSurface('BTC', symbol)
})
after(() => venue.dispose())

async function setSurface(underlying: string, ofSymbol: string): Promise<void> {
  const listed = await venue.get(`/instruments?currency=${underlying}`)
  const row = listed.body.result.find((each: Wire) => each.instrument_name === ofSymbol)
  await venue.set('/vol-surfaces', {
    underlying,
    expiry: row.expiration_timestamp / 1000,
    points: [
      { strike: '80000', iv: '0.6' },
      { strike: '120000', iv: '0.55' },
    ],
  })
}

/** A new wallet with cash; `amount` null leaves it unfunded. */
async function trader(amount: string | null = '1000000'): Promise<Trader> {
  const made = new Trader()
  if (amount !== null) await venue.set('/deposits', { wallet: made.wallet, amount })
  return made
}

async function place(by: Trader, patch: Body = {}): Promise<Wire> {
  const answer = await venue.send('POST', '/order', await placeBody(by, { symbol, ...patch }))
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function cancel(by: Trader, patch: Body): Promise<Wire> {
  const answer = await venue.send('DELETE', '/order', await cancelBody(by, patch))
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function replace(by: Trader, patch: Body): Promise<Wire> {
  const answer = await venue.send('PUT', '/order', await replaceBody(by, { symbol, ...patch }))
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

function assertRejected(update: Wire, reasonCode: string, reason: string | RegExp): void {
  const shown = JSON.stringify(update)
  assert.equal(update.status, 'REJECTED', shown)
  assert.equal(update.reason_code, reasonCode, shown)
  if (typeof reason === 'string') assert.equal(update.reason, reason)
  else assert.match(update.reason, reason)
  assert.equal(update.order_id, null)
  assert.equal(update.filled_size, 0)
}

async function sendOrder(by: Trader, patch: Body, change: Body = {}): Promise<Answer> {
  const body = { ...(await placeBody(by, { symbol, ...patch })), ...change }
  return venue.send('POST', '/order', body)
}

const zeroAddress = '0x0000000000000000000000000000000000000000'

test('an accepted order answers the whole order update', async () => {
  const buyer = await trader()
  const body = await placeBody(buyer, { symbol, size: '1.50', price: '100.0', client_id: 'first' })
  const answer = await venue.send('POST', '/order', body, { 'X-Request-Id': 'request-7' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('x-request-id'), 'request-7')
  const { timestamp, order_id, seq, ...rest } = answer.body
  assert.ok(Math.abs(timestamp - Date.now()) < 10_000)
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
  test(`POST /order without ${name}, or with null there, is missing_field`, async () => {
    const by = await trader()
    for (const value of [undefined, null]) {
      assertError(await sendOrder(by, {}, { [name]: value }), 400, 'missing_field')
    }
  })
}

test('a field of the wrong JSON type is invalid_parameter', async () => {
  const by = await trader()
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
    assert.equal(answer.body?.code, 'invalid_parameter', `${JSON.stringify(change)}: ${answer.text}`)
    assert.equal(answer.status, 400)
  }
})

test('a right type with a bad value is invalid_field', async () => {
  const by = await trader()
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
    ...['', 'BTC', 'BTC-20300101', 'BTC-20300101-1-X', 'BTC-20301301-100-C', 'BTC-PERP'].map(
      (each) => ({ symbol: each }),
    ),
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

test('numbers of five significant figures pass whatever their zeros', async () => {
  const by = await trader('10000000')
  for (const price of ['100000', '1234.50', '1.00000', '00012.345', '0.000001']) {
    const update = await place(by, { price, size: '0.01' })
    assert.equal(update.status, 'ACKED', JSON.stringify(update))
    assert.equal(update.info.price, price)
  }
  await cancelAll(by)
})

test('a wallet that is no address, or zero, is invalid_wallet', async () => {
  const by = await trader()
  for (const wallet of ['', '0x', 'abc', `${by.wallet}0`, by.wallet.slice(2), zeroAddress, 'ü']) {
    assertError(await sendOrder(by, {}, { wallet }), 400, 'invalid_wallet')
  }
})

test('a wallet in any letter case is the same wallet', async () => {
  const by = await trader()
  const update = await place(by, { wallet: by.account.address })
  assert.equal(update.status, 'ACKED')
  assert.equal(update.wallet_address, by.wallet)
})

test('a signature that cannot be recovered is signature_verification_failed', async () => {
  const by = await trader()
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

test('recovery byte 0 or 1 is taken for 27 or 28', async () => {
  const by = await trader()
  const body = await placeBody(by, { symbol })
  const good = body['signature'] as string
  const signature = `${good.slice(0, 130)}${good.endsWith('1b') ? '00' : '01'}`
  const answer = await venue.send('POST', '/order', { ...body, signature })
  assert.equal(answer.body.status, 'ACKED', answer.text)
})

test('a signer that is neither wallet nor agent is unauthorized', async () => {
  const by = await trader()
  const stranger = new Trader()
  assertError(
    await venue.send('POST', '/order', await placeBody(by, { symbol }, stranger)),
    401,
    'unauthorized',
  )
})

test('every signed field counts: one character changed after signing is unauthorized', async () => {
  const by = await trader()
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

test('another chain or another name in the domain is unauthorized', async () => {
  const by = await trader()
  for (const domain of [
    { name: 'Strikebook', chainId: 999 },
    { name: 'Strikebook', chainId: 998 },
    { name: 'strikebook', chainId: 31337 },
  ]) {
    const body = await placeBody(by, { symbol }, by, domain)
    assertError(await venue.send('POST', '/order', body), 401, 'unauthorized')
  }
})

test('an omitted route is accepted, and announced as deprecated; a given one is not', async () => {
  const by = await trader()
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

test('rfq_only is rejected here', async () => {
  const by = await trader()
  assertRejected(
    await place(by, { route: 'rfq_only' }),
    'route_not_supported',
    'Route rfq_only is not supported here',
  )
})

test('reduce_only without route is missing_field', async () => {
  const by = await trader()
  const answer = await sendOrder(by, { reduce_only: true, route: undefined })
  assertError(answer, 400, 'missing_field')
})

test('no cash at all', async () => {
  const by = await trader(null)
  assertRejected(
    await place(by),
    'no_funds',
    'Account has no funds. Please deposit before trading.',
  )
})

test('a buy beyond the cash', async () => {
  const by = await trader('50')
  assertRejected(await place(by), 'insufficient_cash', 'Insufficient cash (Standard)')
})

test('a naked short beyond the equity names every figure', async () => {
  const by = await trader('10')
  const update = await place(by, { side: 'Sell', price: '5000' })
  const number = '-?\\d+(\\.\\d+)?'
  assertRejected(
    update,
    'insufficient_margin',
    new RegExp(
      `^Insufficient margin: required=${number}, equity=10, shortfall=${number}, consumed_im=0, ` +
        `incremental_im=${number}, consumed_mm=0, incremental_mm=${number}$`,
    ),
  )
  const { required, equity, shortfall, consumed_im, incremental_im } = update.details
  assert.equal(equity, '10')
  assert.equal(Number(required) - 10, Number(shortfall))
  assert.equal(Number(required) - Number(consumed_im), Number(incremental_im))
  assert.match(
    update.details.scenario.kind,
    /^(SpotChange|VolChange|SkewChange|KurtosisChange)$/,
  )
  assert.equal(typeof update.details.scenario.id, 'string')
  assert.equal(typeof update.details.consumed_mm, 'string')
  assert.equal(typeof update.details.incremental_mm, 'string')
})

test('an underlying without an index price', async () => {
  const by = await trader()
  const eth = symbolOf('ETH', 3000)
  await venue.set('/instruments', { symbol: eth })
  assertRejected(
    await place(by, { symbol: eth }),
    'no_spot_price',
    'Failed to get portfolio: No spot price available for underlying: ETH',
  )
})

test('a tier1 wallet cannot go short, and working sells count', async () => {
  const [by, other] = [await trader(), await trader()]
  await place(other, { side: 'Sell', size: '2', price: '7000' })
  assert.equal((await place(by, { size: '2', price: '7000', tif: 'ioc' })).status, 'FILLED')
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  assert.equal((await place(by, { side: 'Sell', size: '1.5', price: '8000' })).status, 'ACKED')
  assertRejected(
    await place(by, { side: 'Sell', size: '1', price: '8000' }),
    'tier_long_only',
    'Tier1 users cannot go short. Long position 2, working sells 1.5, order size 1',
  )
})

test('a symbol in good form that nobody listed', async () => {
  const by = await trader()
  const unlisted = symbolOf('BTC', '99999.5', 'P')
  assertRejected(
    await place(by, { symbol: unlisted }),
    'invalid_symbol',
    `Invalid symbol: ${unlisted}`,
  )
  const unknown = symbolOf('NOPE', 5)
  assertRejected(await place(by, { symbol: unknown }), 'invalid_symbol', `Invalid symbol: ${unknown}`)
})

test('an instrument that is not traded on the book', async () => {
  const by = await trader()
  const rfqOnly = symbolOf('BTC', 130_000)
  await venue.set('/instruments', { symbol: rfqOnly, trading_mode: 'rfq_only' })
  assertRejected(
    await place(by, { symbol: rfqOnly }),
    'orderbook_not_found',
    `Orderbook not found for symbol: ${rfqOnly}`,
  )
})

test('the other forms of a symbol are the same book, answered in the canonical one', async () => {
  const by = await trader()
  const date = new Date(Date.now() + 30 * 86_400_000)
  const month = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
  const day = String(date.getUTCDate()).padStart(2, '0')
  const short = `${day}${month[date.getUTCMonth()]}${String(date.getUTCFullYear()).slice(2)}`
  for (const text of [`BTC-${short}-110000-C`, `${symbol.slice(0, -2)}.0-C`]) {
    const update = await place(by, { symbol: text })
    assert.equal(update.status, 'ACKED', JSON.stringify(update))
    assert.equal(update.info.symbol, symbol)
  }
})

test('cancels of what is unknown, filled, cancelled, or of somebody else', async () => {
  const [by, other] = [await trader(), await trader()]
  assertRejected(
    await cancel(by, { client_id: 'nobody' }),
    'order_not_found',
    'Order not found for cancellation: nobody',
  )
  const unknown = await cancel(by, { order_id: 987654321 })
  assertRejected(unknown, 'order_not_found', 'Order 987654321 not found')
  assert.deepEqual(unknown.info, {
    symbol: '',
    price: '0',
    size: '0',
    side: 'Buy',
    tif: 'gtc',
    client_id: null,
    underlying: null,
    builder_code_address: null,
    order_id: unknown.info.order_id,
    is_perp: false,
    mmp_enabled: false,
    reduce_only: null,
    nonce: null,
    signature: null,
  })

  const resting = await place(by, { client_id: 'mine', price: '10' })
  assertRejected(
    await cancel(other, { order_id: resting.order_id }),
    'order_not_found',
    `Order ${resting.order_id} not found`,
  )
  const canceled = await cancel(by, { order_id: resting.order_id })
  assert.equal(canceled.status, 'CANCELED')
  assert.equal(canceled.reason, null)
  assert.equal(canceled.reason_code, null)
  assert.equal(canceled.order_id, resting.order_id)
  assert.equal(canceled.info.symbol, symbol)
  assert.equal(canceled.info.client_id, 'mine')
  assertRejected(
    await cancel(by, { order_id: resting.order_id }),
    'order_already_canceled',
    `Order ${resting.order_id} was already cancelled`,
  )
  assertRejected(
    await cancel(by, { client_id: 'mine' }),
    'order_not_found',
    'Order not found for cancellation: mine',
  )

  const maker = await place(by, { side: 'Sell', price: '6500' })
  const taken = await place(other, { price: '6500', tif: 'ioc' })
  assert.equal(taken.status, 'FILLED', JSON.stringify(taken))
  assertRejected(
    await cancel(by, { order_id: maker.order_id }),
    'order_already_filled',
    `Order ${maker.order_id} is already filled and cannot be cancelled`,
  )
})

test('order_id as a decimal string, and a cancel by client id', async () => {
  const by = await trader()
  const first = await place(by, { client_id: 'a b~' })
  const byText = await cancel(by, { order_id: String(first.order_id) })
  assert.equal(byText.status, 'CANCELED', JSON.stringify(byText))
  const second = await place(by, { client_id: 'a b~' })
  const byClientId = await cancel(by, { client_id: 'a b~' })
  assert.equal(byClientId.status, 'CANCELED')
  assert.equal(byClientId.order_id, second.order_id)
})

test('DELETE /order wants exactly one id', async () => {
  const by = await trader()
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

test('DELETE /order_cloid answers the envelope of the public client', async () => {
  const by = await trader()
  const resting = await place(by, { client_id: 'alias' })
  const done = await venue.send(
    'DELETE',
    '/order_cloid',
    await cancelBody(by, { client_id: 'alias' }),
  )
  assert.equal(done.status, 200, done.text)
  assert.equal(done.body.success, true)
  assert.equal(done.body.error, null)
  assert.equal(done.body.data.status, 'CANCELED')
  assert.equal(done.body.data.order_id, resting.order_id)
  const again = await venue.send(
    'DELETE',
    '/order_cloid',
    await cancelBody(by, { client_id: 'alias' }),
  )
  assert.equal(again.status, 200)
  assert.equal(again.body.success, false)
  assert.equal(again.body.error, 'Order not found for cancellation: alias')
  assertRejected(again.body.data, 'order_not_found', 'Order not found for cancellation: alias')
  const empty = await venue.send('DELETE', '/order_cloid', await cancelBody(by, { client_id: '' }))
  assert.equal(empty.status, 400, empty.text)
})

test('PUT /order replaces in one step, and leaves the old order when it cannot', async () => {
  const [by, other] = [await trader(), await trader()]
  const old = await place(by, { client_id: 'keep', price: '20' })
  const update = await replace(by, {
    order_id: old.order_id,
    client_id: 'keep',
    price: '21',
    size: '2',
  })
  assert.equal(update.status, 'ACKED', JSON.stringify(update))
  assert.ok(update.order_id > old.order_id)
  assert.equal(update.info.order_id, old.order_id)
  assert.equal(update.info.size, '2')
  const oldRow = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${old.order_id}`)
  assert.equal(oldRow.body.data.status, 'CANCELED')
  assert.equal(oldRow.body.data.reason, 'Order replaced')

  assertRejected(
    await replace(by, { order_id: old.order_id }),
    'order_already_canceled',
    `Order ${old.order_id} was already cancelled`,
  )
  assertRejected(
    await replace(by, { order_id: 55_555_555 }),
    'order_not_found',
    'Order 55555555 not found',
  )
  assertRejected(
    await replace(other, { order_id: update.order_id }),
    'order_not_found',
    `Order ${update.order_id} not found`,
  )
  assertRejected(
    await replace(by, { order_id: update.order_id, symbol: otherSymbol }),
    'order_not_found',
    `Order ${update.order_id} not found in orderbook ${otherSymbol}`,
  )
  assertRejected(
    await replace(by, { order_id: update.order_id, price: '90000', size: '1000' }),
    'insufficient_cash',
    'Insufficient cash (Standard)',
  )
  const row = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${update.order_id}`)
  assert.equal(row.body.data.status, 'OPEN')

  const maker = await place(by, { side: 'Sell', price: '6400' })
  assert.equal((await place(other, { price: '6400', tif: 'fok' })).status, 'FILLED')
  assertRejected(
    await replace(by, { order_id: maker.order_id, side: 'Sell' }),
    'order_already_filled',
    `Order ${maker.order_id} is already filled and cannot be cancelled`,
  )
})

test('PUT /order: every field of the table is required', async () => {
  const by = await trader()
  for (const name of ['order_id', 'symbol', 'side', 'size', 'price', 'tif', 'wallet', 'nonce']) {
    const body = { ...(await replaceBody(by, { symbol, order_id: 1 })), [name]: undefined }
    assertError(await venue.send('PUT', '/order', body), 400, 'missing_field')
  }
})

test('a burned nonce: the same payload has its first outcome, another one is refused', async () => {
  const by = await trader()
  const body = await placeBody(by, { symbol, client_id: 'once' })
  const first = await venue.send('POST', '/order', body)
  assert.equal(first.body.status, 'ACKED')
  const repeat = await venue.send('POST', '/order', body)
  assert.deepEqual(repeat.body, first.body)
  const nonce = body['nonce']
  assertRejected(await place(by, { nonce }), 'nonce_used', `Nonce ${nonce} already used`)
  assertRejected(
    await cancel(by, { order_id: first.body.order_id, nonce }),
    'nonce_used',
    `Nonce ${nonce} already used`,
  )
  const listed = await venue.get(`/orders?wallet=${by.wallet}`)
  assert.equal(listed.body.data.length, 1)
})

test('a rejected order burns no nonce', async () => {
  const by = await trader('50')
  const nonce = by.nextNonce()
  assert.equal((await place(by, { nonce })).status, 'REJECTED')
  await venue.set('/deposits', { wallet: by.wallet, amount: '100' })
  assert.equal((await place(by, { nonce })).status, 'ACKED')
})

test('nonces from zero to 2^64-1, in any order; a string is the same number', async () => {
  const by = await trader()
  for (const nonce of ['18446744073709551615', 0, 9007199254740991, '9007199254740993', '5']) {
    const update = await place(by, { nonce })
    assert.equal(update.status, 'ACKED', `${nonce}: ${JSON.stringify(update)}`)
    assert.equal(update.info.nonce, nonce)
  }
  assertRejected(await place(by, { nonce: 5, size: '2' }), 'nonce_used', 'Nonce 5 already used')
  assertRejected(
    await place(by, { nonce: '18446744073709551615', size: '2' }),
    'nonce_used',
    'Nonce 18446744073709551615 already used',
  )
})

test('a client id twice among the working orders', async () => {
  const by = await trader()
  await place(by, { client_id: 'twice' })
  assertRejected(
    await place(by, { client_id: 'twice' }),
    'duplicate_client_id',
    'Duplicate client id: twice',
  )
  await cancel(by, { client_id: 'twice' })
  assert.equal((await place(by, { client_id: 'twice' })).status, 'ACKED')
})

test('an order that meets its own wallet: the incoming remainder is cancelled', async () => {
  const by = await trader('10000000')
  await place(by, { side: 'Sell', price: '5900', size: '1' })
  const update = await place(by, { price: '5900', size: '2' })
  assert.equal(update.status, 'CANCELED', JSON.stringify(update))
  assert.equal(update.reason, 'Self-trade prevention')
  assert.equal(update.reason_code, 'self_trade_prevention')
  assert.ok(Number.isSafeInteger(update.order_id))
  await cancelAll(by)
})

test('ioc and fok remainders are cancelled, never rejected', async () => {
  const [by, other] = [await trader(), await trader()]
  const ioc = await place(by, { tif: 'ioc', price: '1' })
  assert.equal(ioc.status, 'CANCELED')
  assert.equal(ioc.filled_size, 0)
  assert.equal(ioc.reason_code, 'ioc_remainder')
  assert.equal(ioc.reason, 'Immediate-or-cancel remainder cancelled')
  await place(other, { side: 'Sell', price: '5800', size: '0.4' })
  const fok = await place(by, { tif: 'fok', price: '5800' })
  assert.equal(fok.status, 'CANCELED', JSON.stringify(fok))
  assert.equal(fok.filled_size, 0)
  assert.equal(fok.reason_code, 'fok_not_filled')
  assert.equal(fok.reason, 'Fill-or-kill order could not be filled')
  const part = await place(by, { tif: 'ioc', price: '5800' })
  assert.equal(part.status, 'CANCELED')
  assert.equal(part.filled_size, 0.4)
  assert.equal(part.reason_code, 'ioc_remainder')
  await place(other, { side: 'Sell', price: '5800', size: '0.4' })
  const resting = await place(by, { price: '5800' })
  assert.equal(resting.status, 'PARTIALLY_FILLED')
  assert.equal(resting.filled_size, 0.4)
  assert.equal(resting.reason, null)
  await cancelAll(by)
})

test('a reduce-only order that would increase the position', async () => {
  const [by, other] = [await trader(), await trader()]
  assertRejected(
    await place(by, { reduce_only: true }),
    'reduce_only',
    'Reduce-only order would increase the position',
  )
  await place(other, { side: 'Sell', price: '5700', size: '2' })
  await place(by, { price: '5700', size: '2', tif: 'ioc' })
  const first = await place(by, { side: 'Sell', price: '9000', size: '1.5', reduce_only: true })
  assert.equal(first.status, 'ACKED', JSON.stringify(first))
  assert.equal(first.info.reduce_only, true)
  assertRejected(
    await place(by, { side: 'Sell', price: '9000', size: '1', reduce_only: true }),
    'reduce_only',
    'Reduce-only order would increase the position',
  )
  await cancelAll(by)
})

test('halts: nothing, or only cancels, is accepted', async () => {
  const by = await trader()
  const resting = await place(by)
  await venue.set('/halts', { underlying: 'BTC', mode: 'cancel_only' })
  assertRejected(
    await place(by),
    'trading_halted',
    'Only cancels are accepted for BTC',
  )
  assert.equal((await cancel(by, { order_id: resting.order_id })).status, 'CANCELED')
  await venue.set('/halts', { underlying: 'BTC', mode: 'halted' })
  assertRejected(await place(by), 'trading_halted', 'Trading is halted for BTC')
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  assert.equal((await place(by)).status, 'ACKED')
})

test('delisting cancels the working orders', async () => {
  const by = await trader()
  const gone = symbolOf('BTC', 140_000)
  await venue.set('/instruments', { symbol: gone })
  const resting = await place(by, { symbol: gone })
  assert.equal((await venue.operator('DELETE', '/instruments', { symbol: gone })).status, 200)
  const row = await venue.get(`/orders/status?wallet=${by.wallet}&order_id=${resting.order_id}`)
  assert.equal(row.body.data.status, 'CANCELED')
  assert.equal(row.body.data.reason, 'Instrument was delisted')
  assertRejected(await place(by, { symbol: gone }), 'invalid_symbol', `Invalid symbol: ${gone}`)
})

test('the cap of open orders is limit_exceeded, 403', async () => {
  const by = await trader()
  await venue.set('/tiers', { wallet: by.wallet, tier: 'market_maker' })
  for (let count = 0; count < 51; count++) await place(by, { price: '1', size: '0.01' })
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  const answer = await sendOrder(by, { price: '1', size: '0.01' })
  assertError(answer, 403, 'limit_exceeded')
})

test('bounds on notional are invalid_field', async () => {
  const by = await trader()
  const answer = await sendOrder(by, { price: '1000000000', size: '100000' })
  assertError(answer, 400, 'invalid_field')
})

test('an agent trades for its owner; the order is the wallet’s', async () => {
  const [by, agent] = [await trader(), new Trader()]
  const approve = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', approve)).status, 200)
  const answer = await venue.send('POST', '/order', await placeBody(by, { symbol }, agent))
  assert.equal(answer.body.status, 'ACKED', answer.text)
  assert.equal(answer.body.wallet_address, by.wallet)
})

test('a read right after an acknowledged write contains it, many at once', async () => {
  const wallets = await Promise.all(Array.from({ length: 20 }, () => trader()))
  await Promise.all(
    wallets.map(async (by) => {
      for (let round = 0; round < 10; round++) {
        const update = await place(by, { price: '2', size: '0.01' })
        const listed = await venue.get(`/orders?wallet=${by.wallet}`)
        const row = listed.body.data.find((each: Wire) => each.order_id === update.order_id)
        assert.equal(row?.status, 'OPEN', `round ${round}: ${listed.text}`)
        assert.ok(listed.body.as_of_seq >= update.seq)
        const done = await cancel(by, { order_id: update.order_id })
        const status = await venue.get(
          `/orders/status?wallet=${by.wallet}&order_id=${update.order_id}`,
        )
        assert.equal(status.body.data.status, 'CANCELED', status.text)
        assert.ok(status.body.as_of_seq >= done.seq)
      }
    }),
  )
})

async function cancelAll(by: Trader): Promise<void> {
  const listed = await venue.get(`/orders?wallet=${by.wallet}`)
  for (const row of listed.body.data) {
    if (['OPEN', 'ACKED', 'PARTIALLY_FILLED'].includes(row.status)) {
      await cancel(by, { order_id: row.order_id })
    }
  }
}
