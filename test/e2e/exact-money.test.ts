import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { orderActions } from './support/order-actions.js'
import { type Body, expirySeconds, symbolOf, WalletKey } from './support/signed-body.js'
import { Venue, type Wire } from './support/venue.js'

// Amounts at the limit of exact doubles, from outside clients: the venue rejects orders, prices and deposits beyond it,
// and every error states its limit.

const folder = mkdtempSync(join(tmpdir(), 'exact-money-'))
const configFile = join(folder, 'venue.toml')
writeFileSync(configFile, '[underlyings.ETH]\nmaxIndex = 7000\n')
const venue = new Venue({ arguments: [`--config=${configFile}`] })
const bitcoin = symbolOf('BTC', 110_000)
const dust = symbolOf('DUST', 0.01)
const { fundedWallet, place } = orderActions(venue, bitcoin)
const boundText = '4503599627.370496'

before(async () => {
  await venue.start()
  const prices = [
    { underlying: 'BTC', price: '100000' },
    { underlying: 'DUST', price: '0.01' },
    { underlying: 'ETH', price: '3500' },
  ]
  await venue.set('/index-prices', { prices })
  const points = [{ strike: '1', iv: '0.6' }]
  for (const symbol of [bitcoin, dust, symbolOf('ETH', 3500)]) {
    await venue.set('/instruments', { symbol })
  }
  for (const { underlying } of prices) {
    await venue.set('/vol-surfaces', { underlying, expiry: expirySeconds(), points })
  }
})
after(async () => {
  await venue.dispose()
  rmSync(folder, { recursive: true })
})

/** Returns the preview of an order that is not placed. */
async function preview({ wallet }: WalletKey, order: Body): Promise<Wire> {
  const body = { wallet, orders: [{ symbol: bitcoin, ...order }] }
  const { status, body: answer, text } = await venue.send('POST', '/risk/simulate/orders', body)
  assert.equal(status, 200, text)
  return answer.data
}

test('two wallets with nine billion each cannot trade amounts beyond the exact range', async () => {
  const one = { price: '100', size: '0.00000001' }
  for (const side of ['Buy', 'Sell']) {
    const rich = await fundedWallet('9000000000')
    const foretold = await preview(rich, { ...one, side })
    const refused = await place(rich, { ...one, side })
    assert.equal(foretold.admissible, false)
    assert.equal(foretold.rejection_reason, refused.reason)
    assert.equal(refused.status, 'REJECTED')
    assert.equal(refused.reason_code, 'limit_exceeded')
    const own = { cost: '0.000001', cash: '9000000000' }
    assert.deepEqual(refused.details, { used: '9000000000', bound: boundText, ...own })
    const first =
      /^Limit exceeded: the order costs 0\.000001 .*, and the wallet has 9000000000 in cash\. /
    assert.match(refused.reason, first)
    assert.match(refused.reason, / 9000000000 now and must stay below 4503599627\.370496$/)
  }
})

test('a wallet can hold as much as is exact at the maximum index, and no lot more', async () => {
  const maker = await fundedWallet('3599627.370495')
  const most = { side: 'Buy', price: '1', size: '4500' }
  assert.equal(
    (await place(maker, { ...most, size: '4500.00000001' })).reason_code,
    'limit_exceeded',
  )
  assert.equal((await place(maker, most)).status, 'ACKED')
  assert.equal((await place(maker, { ...most, size: '0.00000001' })).reason_code, 'limit_exceeded')
})

test("the core rejects a bid above the instrument's maximum value", async () => {
  const bidder = await fundedWallet('5000000')
  const bid = { side: 'Buy', price: '1000100', size: '1' }
  const foretold = await preview(bidder, bid)
  const refused = await place(bidder, bid)
  assert.equal(foretold.rejection_reason, refused.reason)
  assert.equal(refused.reason_code, 'limit_exceeded')
  assert.deepEqual(refused.details, { bound: '1000000' })
})

test("the venue refuses and counts an index or settlement price above the underlying's maximum", async () => {
  const expiry = expirySeconds()
  for (const [path, body] of [
    ['/index-prices', { prices: [{ underlying: 'DUST', price: '1001' }] }],
    ['/settlement-prices', { underlying: 'DUST', expiry, price: '1001' }],
  ] as const) {
    const { status, body: answer } = await venue.operator('POST', path, body)
    assert.equal(status, 403, path)
    assert.equal(answer.code, 'limit_exceeded')
    assert.match(answer.message, /DUST .* 0\.1$/)
  }
  const metrics = await venue.metrics()
  assert.match(metrics, /^strikebook_index_refused_total\{cause="above_max"\} 2$/m)
})

test('one index price above its maximum rejects its whole list and is named', async () => {
  const prices = [
    { underlying: 'BTC', price: '100500' },
    { underlying: 'ETH', price: '7001' },
  ]
  const { body } = await venue.operator('POST', '/index-prices', { prices })
  assert.match(
    body.message,
    /the index price of ETH .* 7000$/,
    'the message states the configured maximum',
  )
  const raised = { underlying: 'ETH', max_index: '7001' }
  assert.equal((await venue.operator('POST', '/max-index', raised)).status, 200)
  assert.equal((await venue.operator('POST', '/index-prices', { prices })).status, 200)
  const bidder = await fundedWallet('5000000')
  const bid = { symbol: symbolOf('ETH', 3500), side: 'Buy', size: '1' }
  const [highest, above] = [
    await preview(bidder, { ...bid, price: '7001' }),
    await preview(bidder, { ...bid, price: '7001.1' }),
  ]
  assert.equal(highest.rejection_reason, null, 'the preview uses the maximum that the operator set')
  assert.match(above.rejection_reason, /^Limit exceeded: .* above 7001, /)
  const lower = { underlying: 'ETH', max_index: '7000' }
  assert.equal((await venue.operator('POST', '/max-index', lower)).status, 409)
})

test('the venue refuses a deposit beyond the exact range with a clear message', async () => {
  const { wallet } = await fundedWallet('9000000000')
  const more = await venue.operator('POST', '/deposits', { wallet, amount: '8000000' })
  assert.equal(more.status, 400)
  assert.equal(more.body.code, 'invalid_field')
  assert.match(more.body.message, /at most 9007199254\.740991 is allowed .* has 9000000000 now$/)
  const fund = await venue.operator('POST', '/insurance-fund', { amount: '9007199254.740991' })
  assert.equal(fund.status, 200)
  const beyond = await venue.operator('POST', '/insurance-fund', { amount: '0.000001' })
  assert.equal(beyond.status, 400)
  assert.match(beyond.body.message, /^Invalid amount: .* the insurance fund/)
})

test('a deposit_id reused with another wallet or amount is a conflict that states the first deposit', async () => {
  const [one, other] = [new WalletKey().wallet, new WalletKey().wallet]
  const first = { wallet: one, amount: '12.5', deposit_id: 'known' }
  assert.equal((await venue.operator('POST', '/deposits', first)).body.changed, true)
  assert.equal((await venue.operator('POST', '/deposits', first)).body.changed, false)
  for (const body of [
    { ...first, wallet: other },
    { ...first, amount: '12.500001' },
  ]) {
    const { status, body: answer } = await venue.operator('POST', '/deposits', body)
    assert.equal(status, 409)
    assert.equal(answer.code, 'conflict')
    assert.equal(answer.message, `Conflict: deposit_id belongs to a deposit of 12.5 to ${one}`)
  }
  const fund = await venue.operator('POST', '/insurance-fund', { amount: '1', deposit_id: 'known' })
  assert.equal(fund.status, 400, 'the fund is at its limit, and the id belongs to another kind')
})
