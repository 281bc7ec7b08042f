import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { expirySeconds, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const symbol = symbolOf('BTC', 110_000)

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol])
})
after(() => venue.dispose())

async function equityOf(wallet: string): Promise<string> {
  return (await venue.get(`/portfolio?wallet=${wallet}`)).body.data.equity
}

test('every path under /operator requires the token; health and metrics do not', async () => {
  const body = { wallet: new WalletKey().wallet, amount: '1' }
  for (const token of ['', 'wrong', `${venue.token}x`, venue.token.slice(0, -1)]) {
    assertError(await venue.operator('POST', '/deposits', body, token), 401, 'unauthorized')
    assertError(await venue.operator('GET', '/state', undefined, token), 401, 'unauthorized')
  }
  const bare = await fetch(`${venue.operatorUrl}/operator/state`)
  assert.equal(bare.status, 401)
  for (const path of ['/livez', '/readyz', '/metrics']) {
    // A stalled machine may report not alive or not ready for a moment.
    await eventually(path, async () => {
      const { status } = await fetch(venue.operatorUrl + path)
      assert.ok(status === 200 || status === 503, `${path}: ${status}`)
      return status === 200
    })
  }
  assert.match(await venue.metrics(), /^strikebook_\w+/m)
})

test('the operator port tells an identity its name and scopes, and lists quote providers', async () => {
  const { body } = await venue.operator('GET', '/identity')
  assert.deepEqual(body, { ok: true, identity: 'operator', scopes: ['all'] })
  const { wallet } = new WalletKey()
  for (const status of ['suspended', 'active']) {
    await venue.set('/quote-providers', { wallet, status })
    const row = { wallet: wallet.toLowerCase(), status, sessions: 0 }
    await eventually(`${status} is listed`, async () => {
      const { data } = (await venue.operator('GET', '/quote-providers')).body
      return JSON.stringify(data) === JSON.stringify([row])
    })
  }
})

test('the audit log records actions with their sequence, and refusals, across restarts', async () => {
  const { wallet } = new WalletKey()
  const body = { wallet, amount: '3', deposit_id: 'audited' }
  const { seq } = await venue.set('/deposits', body)
  await venue.operator('POST', '/deposits', body, 'wrong')
  await venue.end('SIGKILL')
  await venue.start()
  const { data: providers } = (await venue.operator('GET', '/quote-providers')).body
  assert.deepEqual([providers.length, providers[0].status], [1, 'active'])
  const { body: page } = await venue.operator('GET', '/audit?path=/operator/deposits&limit=2')
  const [refused, done] = page.data
  assert.deepEqual([refused.identity, refused.outcome, refused.body], [null, 'refused', null])
  assert.deepEqual(
    [done.identity, done.outcome, done.body, done.seq],
    ['operator', 'done', body, seq],
  )
  assert.deepEqual((await venue.operator('GET', '/approvals')).body, { ok: true, data: [] })
})

test('the public port serves no operator route', async () => {
  const headers = { Authorization: `Bearer ${venue.token}` }
  assertError(await venue.get('/operator/state', headers), 404, 'not_found')
  const answer = await venue.send('POST', '/operator/deposits', {}, headers)
  assertError(answer, 400, 'unsupported_endpoint')
})

test('a deposit with an id counts once; without an id each one counts', async () => {
  const { wallet } = new WalletKey()
  await venue.set('/deposits', { wallet, amount: '100.5', deposit_id: 'd-1' })
  const repeat = await venue.set('/deposits', { wallet, amount: '100.5', deposit_id: 'd-1' })
  assert.ok(Number.isSafeInteger(repeat.seq))
  assert.equal(await equityOf(wallet), '100.5')
  await venue.set('/deposits', { wallet, amount: '0.000001' })
  await venue.set('/deposits', { wallet, amount: '0.000001' })
  assert.equal(await equityOf(wallet), '100.500002')
})

test('invalid deposits fail and change nothing', async () => {
  const { wallet } = new WalletKey()
  for (const amount of ['0', '-1', '1e3', '', 'x', '0.0000001', '.5', '9007199254.740993']) {
    assertError(await venue.operator('POST', '/deposits', { wallet, amount }), 400, 'invalid_field')
  }
  assertError(
    await venue.operator('POST', '/deposits', { wallet, amount: 5 }),
    400,
    'invalid_parameter',
  )
  assertError(await venue.operator('POST', '/deposits', { wallet }), 400, 'missing_field')
  assertError(await venue.operator('POST', '/deposits', { amount: '1' }), 400, 'missing_field')
  assertError(
    await venue.operator('POST', '/deposits', { wallet: 'x', amount: '1' }),
    400,
    'invalid_wallet',
  )
  assert.equal(await equityOf(wallet), '0')
})

test('the venue refuses a deposit that would take cash to 2^53 micros', async () => {
  const { wallet } = new WalletKey()
  await venue.set('/deposits', { wallet, amount: '9007199254.740991' })
  const answer = await venue.operator('POST', '/deposits', { wallet, amount: '0.000001' })
  assertError(answer, 400, 'invalid_field')
  assert.equal(await equityOf(wallet), '9007199254.740991')
})

test("listing is idempotent and keeps the instrument's id", async () => {
  const listed = symbolOf('BTC', '95000.5', 'P')
  await venue.set('/instruments', { symbol: listed })
  const rows = async () =>
    (await venue.get('/instruments')).body.result.filter(
      (row: Wire) => row.instrument_name === listed,
    )
  const [first] = await rows()
  await venue.set('/instruments', { symbol: listed })
  await venue.set('/instruments', { symbol: listed.replace('95000.5', '95000.50') })
  assert.deepEqual(await rows(), [first])
})

test('a listing accepts every trading mode', async () => {
  const modes: [string, boolean, boolean][] = [
    ['orderbook_only', true, false],
    ['rfq_only', false, true],
    ['both', true, true],
    ['orderbook', true, false],
    ['orderbook|rfq', true, true],
  ]
  for (const [index, [trading_mode, book, rfq]] of modes.entries()) {
    const name = symbolOf('BTC', 200_000 + index)
    await venue.set('/instruments', { symbol: name, trading_mode })
    const row = (await venue.get('/instruments')).body.result.find(
      (each: Wire) => each.instrument_name === name,
    )
    assert.deepEqual([row.orderbook, row.rfq], [book, rfq], trading_mode)
  }
  const answer = await venue.operator('POST', '/instruments', { symbol, trading_mode: 'dark' })
  assertError(answer, 400, 'invalid_field')
})

test('the venue refuses to list invalid symbols', async () => {
  for (const bad of ['', 'BTC', 'BTC-20301301-1-C', 'BTC-20300101-0-C', 'btc$-20300101-1-C']) {
    assertError(await venue.operator('POST', '/instruments', { symbol: bad }), 400, 'invalid_field')
  }
  assertError(await venue.operator('POST', '/instruments', {}), 400, 'missing_field')
})

test('the venue refuses to delist an instrument with open positions', async () => {
  const [maker, taker] = [new WalletKey(), new WalletKey()]
  const held = symbolOf('BTC', 105_000)
  await venue.set('/instruments', { symbol: held })
  await venue.set('/vol-surfaces', {
    underlying: 'BTC',
    expiry: expirySeconds(),
    svi: { a: 0.02, b: 0.05, rho: -0.2, m: 0, s: 0.2 },
  })
  for (const { wallet } of [maker, taker]) {
    await venue.set('/deposits', { wallet, amount: '100000' })
  }
  const sell = await placeBody(maker, { symbol: held, side: 'Sell', price: '3000' })
  assert.equal((await venue.send('POST', '/order', sell)).body.status, 'ACKED')
  const buy = await placeBody(taker, { symbol: held, price: '3000' })
  assert.equal((await venue.send('POST', '/order', buy)).body.status, 'FILLED')
  const answer = await venue.operator('DELETE', '/instruments', { symbol: held })
  assertError(answer, 409, 'conflict')
  const unknown = await venue.operator('DELETE', '/instruments', { symbol: symbolOf('BTC', 3) })
  assertError(unknown, 404, 'not_found')
})

test('the venue checks index prices and volatility inputs', async () => {
  const badPrices = [
    {},
    { prices: {} },
    { prices: [{ underlying: 'BTC' }] },
    { prices: [{ underlying: 'BTC', price: true }] },
    { prices: [{ underlying: 'BTC', price: '1e5' }] },
    { prices: [{ underlying: 'BTC', price: '0' }] },
    { prices: [{ underlying: 'BTC', price: '-1' }] },
    { prices: [{ underlying: '', price: '1' }] },
    { prices: [7] },
  ]
  for (const body of badPrices) {
    const answer = await venue.operator('POST', '/index-prices', body)
    assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`)
    assert.match(answer.body.code, /^(missing_field|invalid_parameter|invalid_field)$/)
  }
  const timestamp = Date.now() + 600_000
  const ahead = { prices: [{ underlying: 'BTC', price: '1', timestamp }] }
  const refused = await venue.operator('POST', '/index-prices', ahead)
  assertError(refused, 400, 'invalid_field')
  assert.match(refused.body.message, /^Invalid timestamp: /)
  const expiry = expirySeconds()
  const badSurfaces = [
    { underlying: 'BTC', expiry },
    { underlying: 'BTC', expiry, points: [] },
    { underlying: 'BTC', expiry, points: [{ strike: '1', iv: '0' }] },
    { underlying: 'BTC', expiry, points: [{ strike: '0', iv: '0.5' }] },
    { underlying: 'BTC', expiry, svi: { a: 1 } },
    { underlying: 'BTC', points: [{ strike: '1', iv: '0.5' }] },
  ]
  for (const body of badSurfaces) {
    const answer = await venue.operator('POST', '/vol-surfaces', body)
    assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`)
  }
  assert.equal((await venue.get('/markets')).body.data[0].index_price, '100000')
})

test('unknown tiers and halt modes are invalid_field; mm means market_maker', async () => {
  const { wallet } = new WalletKey()
  assertError(await venue.operator('POST', '/tiers', { wallet, tier: 'vip' }), 400, 'invalid_field')
  await venue.set('/tiers', { wallet, tier: 'mm' })
  const tier = await venue.get(`/user-tier?wallet=${wallet}`)
  assert.equal(tier.body.data.tier, 'market_maker')
  const closed = { scope: 'all', mode: 'closed' }
  assertError(await venue.operator('POST', '/halts', closed), 400, 'invalid_field')
  assertError(await venue.operator('POST', '/halts', {}), 400, 'missing_field')
})

async function assertUnknown(path: string, body: object, message: string): Promise<void> {
  const answer = await venue.operator('POST', path, body)
  assertError(answer, 400, 'invalid_field')
  assert.equal(answer.body.message, message)
}

test('a halt with an unknown field halts nothing: only the scope field halts the whole venue', async () => {
  const known = '; known: underlying, scope, mode'
  await assertUnknown('/halts', { symbol, mode: 'halted' }, `Unknown field: symbol${known}`)
  const bare = await venue.operator('POST', '/halts', { mode: 'halted' })
  assertError(bare, 400, 'missing_field')
  const both = { underlying: 'BTC', scope: 'all', mode: 'halted' }
  assertError(await venue.operator('POST', '/halts', both), 400, 'invalid_parameter')
  const other = { scope: 'BTC', mode: 'halted' }
  assertError(await venue.operator('POST', '/halts', other), 400, 'invalid_field')
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000' })
  const answer = await venue.send('POST', '/order', await placeBody(by, { symbol }))
  assert.equal(answer.body.status, 'ACKED', answer.text)
})

test("an operator request with an unknown field fails by the field's name and credits nothing", async () => {
  const { wallet } = new WalletKey()
  const deposit = { wallet, amount: '7' }
  const meant = (name: string, near: string) => `Unknown field: ${name} (did you mean ${near}?)`
  await assertUnknown('/deposits', { ...deposit, id: 'd' }, meant('id', 'deposit_id'))
  await assertUnknown('/deposits', { ...deposit, depositId: 'd' }, meant('depositId', 'deposit_id'))
  await assertUnknown('/deposits', { Wallet: wallet, amount: '7' }, meant('Wallet', 'wallet'))
  assert.equal(await equityOf(wallet), '0')
  const price = { underlying: 'BTC', price: '100000', timestmap: 1 }
  await assertUnknown('/index-prices', { prices: [price] }, meant('timestmap', 'timestamp'))
  const surface = { underlying: 'BTC', expiry: expirySeconds() }
  const svi = { a: 0.04, b: 0.1, rho: 0, m: 0, s: 0.2, sigma: 0.2 }
  const known = 'a, b, rho, m, s'
  await assertUnknown('/vol-surfaces', { ...surface, svi }, `Unknown field: sigma; known: ${known}`)
  const listing = { symbol, tradingmode: 'rfq' }
  await assertUnknown('/instruments', listing, meant('tradingmode', 'trading_mode'))
})

test('an operator request accepts no query parameters', async () => {
  const { wallet } = new WalletKey()
  for (const path of ['/deposits?dry_run=true', '/deposits?wallet=x']) {
    const answer = await venue.operator('POST', path, { wallet, amount: '7' })
    assertError(answer, 400, 'invalid_field')
    assert.match(answer.body.message, /^Unknown field: (dry_run|wallet)$/)
  }
  assertError(await venue.operator('GET', '/state?verbose=1'), 400, 'invalid_field')
  assert.equal(await equityOf(wallet), '0')
})

test('a halt of the venue applies to every underlying', async () => {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000' })
  await venue.set('/halts', { scope: 'all', mode: 'halted' })
  const answer = await venue.send('POST', '/order', await placeBody(by, { symbol }))
  assert.equal(answer.body.reason_code, 'trading_halted', answer.text)
  assert.equal(answer.body.reason, 'Trading is halted for BTC')
  await venue.set('/halts', { scope: 'all', mode: 'open' })
  const open = await venue.send('POST', '/order', await placeBody(by, { symbol }))
  assert.equal(open.body.status, 'ACKED', open.text)
})

test('invalid JSON, unknown routes and wrong methods fail', async () => {
  assertError(await venue.operator('POST', '/deposits', '{'), 400, 'invalid_json')
  assertError(await venue.operator('POST', '/deposits', '[]'), 400, 'invalid_request')
  assertError(await venue.operator('POST', '/deposits', 'null'), 400, 'invalid_request')
  assertError(await venue.operator('GET', '/nothing'), 404, 'not_found')
  assertError(await venue.operator('POST', '/nothing', {}), 400, 'unsupported_endpoint')
  assertError(await venue.operator('GET', '/deposits'), 405, 'method_not_allowed')
  const large = `{"wallet":"${'x'.repeat(300_000)}"}`
  assertError(await venue.operator('POST', '/deposits', large), 413, 'payload_too_large')
})

test('the state shows threads, sequences, rings, journal and hash', async () => {
  const state = () => venue.operatorState()
  const before = await state()
  assert.equal(before.ok, true)
  assert.ok(before.threads.length >= 3)
  assert.match(before.state_hash, /^[0-9a-f]{16,}$/)
  await venue.set('/deposits', { wallet: new WalletKey().wallet, amount: '1' })
  // The core's and the journal's threads store their counters after each batch.
  await eventually('a later sequence', async () => (await state()).seq > before.seq)
  await eventually('more bytes', async () => (await state()).journal.bytes > before.journal.bytes)
})

longTest("the operator's settings survive a hard stop", async () => {
  const { wallet } = new WalletKey()
  await venue.set('/deposits', { wallet, amount: '77', deposit_id: 'kept' })
  await venue.set('/tiers', { wallet, tier: 'tier2' })
  await venue.set('/halts', { underlying: 'BTC', mode: 'cancel_only' })
  await venue.end('SIGKILL')
  await venue.start()
  assert.equal(await equityOf(wallet), '77')
  await venue.set('/deposits', { wallet, amount: '77', deposit_id: 'kept' })
  assert.equal(await equityOf(wallet), '77')
  assert.equal((await venue.get(`/user-tier?wallet=${wallet}`)).body.data.tier, 'tier2')
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000' })
  const answer = await venue.send('POST', '/order', await placeBody(by, { symbol }))
  assert.equal(answer.body.reason, 'Only cancels are accepted for BTC')
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  assert.equal((await venue.get('/markets')).body.data[0].index_price, '100000')
})

test('metrics show the halt of an underlying that had a price before any listing', async () => {
  await venue.set('/index-prices', { prices: [{ underlying: 'NEW', price: '100' }] })
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
  await venue.set('/instruments', { symbol: symbolOf('NEW', 100) })
  await venue.set('/halts', { underlying: 'NEW', mode: 'halted' })
  const lines = async () => (await venue.metrics()).split('\n')
  await eventually('the halt', async () =>
    (await lines()).includes('strikebook_halt{underlying="NEW",kind="halted"} 1'),
  )
  assert.ok((await lines()).includes('strikebook_halt{underlying="BTC",kind="open"} 1'))
})
