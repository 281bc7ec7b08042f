import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import { symbolOf, usernameBody, WalletKey } from './support/signed-body.js'
import { assertError, assertKeys, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const other = symbolOf('BTC', 90_000)
const { fundedWallet, place } = orderActions(venue, symbol)

before(async () => {
  await listMarket(venue, [symbol, other])
})

async function ask(by: WalletKey, name: string, signer = by) {
  return venue.send('POST', '/submitUsernameRequest', await usernameBody(by, name, signer))
}

/** Names belong to the whole venue, which files share: each test has its own. */
function nameOf(by: WalletKey, part: string): string {
  return `${part}_${by.wallet.slice(2, 12)}`
}

async function profileOf(by: WalletKey): Promise<Wire> {
  return (await venue.read(`/profile?wallet=${by.wallet}`)).data
}

/** Buys from another wallet and sells back to it at a higher price. */
async function roundTrip(by: WalletKey, of: string, buy: string, sell: string): Promise<void> {
  const maker = await fundedWallet('10000000')
  await place(maker, { symbol: of, side: 'Sell', price: buy, size: '1' })
  await place(by, { symbol: of, side: 'Buy', price: buy, size: '1' })
  await place(maker, { symbol: of, side: 'Buy', price: sell, size: '1' })
  await place(by, { symbol: of, side: 'Sell', price: sell, size: '1' })
}

test('a requested name appears immediately, and no other wallet can get it', async () => {
  const [by, stranger] = [await fundedWallet(), await fundedWallet()]
  assertError(await venue.get(`/username?wallet=${by.wallet}`), 404, 'not_found')
  const derived = `${by.wallet.slice(0, 6)}...${by.wallet.slice(-4)}`
  assert.equal((await profileOf(by)).username, derived)
  const name = nameOf(by, 'Ann')
  const { status, body } = await ask(by, name)
  assert.equal(status, 200)
  const shown = name.toLowerCase()
  const data = { wallet_address: by.wallet, requested_username: shown, status: 'approved' }
  assert.deepEqual([body.success, body.data, body.error], [true, data, null])
  const read = await venue.read(`/username?wallet=${by.wallet}`)
  assert.deepEqual([read.wallet_address, read.username], [by.wallet, shown])
  assert.equal((await profileOf(by)).username, shown)
  assertError(await ask(stranger, name), 409, 'conflict')
  assert.equal((await ask(by, nameOf(by, 'eve'))).status, 200)
  assert.equal((await ask(stranger, name)).status, 200, 'the earlier name is free again')
})

test('if two wallets request a name at the same time, one gets it', async () => {
  const wallets = await Promise.all([fundedWallet(), fundedWallet(), fundedWallet()])
  const name = nameOf(wallets[0]!, 'bob')
  const answers = await Promise.all(wallets.map((by) => ask(by, name)))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, 409, 409])
})

test('the venue refuses a name that is malformed, reserved, without an account, or signed by a stranger', async () => {
  const [by, stranger] = [await fundedWallet(), await fundedWallet()]
  for (const name of ['ab', 'a'.repeat(21), '1abc', '0xabcd', 'a b', ' abc', 'abc ']) {
    assertError(await ask(by, name), 400, 'invalid_field')
  }
  assertError(await ask(by, 'admin'), 409, 'conflict')
  assertError(await ask(by, nameOf(by, 'x'), stranger), 401, 'unauthorized')
  assertError(await ask(new WalletKey(), 'nobody_here'), 403, 'no_account')
  assertError(await venue.get('/username?wallet=0x1'), 400, 'invalid_wallet')
})

test('a verdict without a pending request is not found', async () => {
  const { wallet } = await fundedWallet()
  const body = { wallet, verdict: 'approved' }
  const verdict = await venue.operator('POST', '/usernames', body)
  assertError(verdict, 404, 'not_found')
  assert.equal(verdict.body.message, 'The wallet has no pending username request')
  const wrong = { wallet, verdict: 'maybe' }
  assertError(await venue.operator('POST', '/usernames', wrong), 400, 'invalid_field')
})

test('a profile agrees with the portfolio, and shows deposits and realized PnL right after the trade', async () => {
  const by = await fundedWallet('50000')
  await roundTrip(by, symbol, '3000', '3100')
  await venue.set('/deposits', { wallet: by.wallet, amount: '1.5' })
  const profile = await profileOf(by)
  const portfolio = (await venue.read(`/portfolio?wallet=${by.wallet}`)).data
  assertKeys(profile, 'wallet account_wallet username account_first_seen_ts_ms account_age_days')
  assert.deepEqual(profile.margin, {
    in_use: portfolio.total_margin_used,
    available: portfolio.withdrawable_usdc,
    total: portfolio.equity,
    deposits: '50001.5',
    withdraws: '0',
  })
  assert.deepEqual(profile.pnl, { unrealized: '0', pnl_24h: '100', lifetime_realized: '100' })
  assert.equal(portfolio.equity, '50101.5')
  assert.equal(profile.account_age_days, 0)
  assert.ok(Math.abs(profile.account_first_seen_ts_ms - Date.now()) < 60_000)
})

test('a wallet never seen has a profile of zeros', async () => {
  const by = new WalletKey()
  const profile = await profileOf(by)
  assert.deepEqual([profile.account_first_seen_ts_ms, profile.account_age_days], [null, null])
  const zeros = { in_use: '0', available: '0', total: '0', deposits: '0', withdraws: '0' }
  assert.deepEqual(profile.margin, zeros)
  assert.deepEqual(profile.pnl, { unrealized: '0', pnl_24h: '0', lifetime_realized: '0' })
  const empty = await venue.read(`/profile/historical-pnl?wallet=${by.wallet}`)
  assert.deepEqual(empty.data, { wallet_address: by.wallet, interval: '1h', points: [] })
  assert.deepEqual((await venue.read(`/profile/realized-pnl?wallet=${by.wallet}`)).data, [])
})

test('the profile reports realized PnL by symbol and span, and fills by symbol and time', async () => {
  const by = await fundedWallet('100000')
  await roundTrip(by, symbol, '3000', '2950')
  await roundTrip(by, other, '12000', '12010')
  const read = async (query = '') =>
    (await venue.read(`/profile/realized-pnl?wallet=${by.wallet}${query}`)).data
  const both = [
    { symbol, realized_pnl: '-50', event_count: 1 },
    { symbol: other, realized_pnl: '10', event_count: 1 },
  ].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
  assert.deepEqual(await read(), both)
  const fills = (await venue.read(`/profile/trades?wallet=${by.wallet}&limit=10`)).data
  assert.equal(fills.length, 4)
  const latest = fills[0].timestamp
  assert.deepEqual(await read(`&from_ts_ms=${latest + 1}`), [])
  assert.deepEqual(await read(`&to_ts_ms=${latest + 1}`), both)
  const ofSymbol = await venue.read(`/profile/trades?wallet=${by.wallet}&symbol=${symbol}`)
  assert.deepEqual(
    ofSymbol.data.map(({ side, realized_pnl }: Wire) => [side, realized_pnl]),
    [
      ['Sell', '-50'],
      ['Buy', '0'],
    ],
  )
  assert.deepEqual(ofSymbol.pagination, { limit: 50, offset: 0, count: 2 })
  const page = await venue.read(
    `/profile/trades?wallet=${by.wallet}&symbol=${symbol}&limit=1&offset=1`,
  )
  assert.deepEqual(page.data, [ofSymbol.data[1]])
})

test('wrong parameters fail, and both paths of the points answer', async () => {
  const { wallet } = await fundedWallet()
  const refused = async (path: string, status: number, code: string) =>
    assertError(await venue.get(path), status, code)
  await refused('/profile', 400, 'missing_field')
  await refused(`/profile/trades?wallet=${wallet}&symbol=nothing`, 400, 'invalid_parameter')
  await refused(`/profile/trades?wallet=${wallet}&limit=101`, 400, 'invalid_parameter')
  const realized = `/profile/realized-pnl?wallet=${wallet}`
  await refused(`${realized}&competition_id=1&to_ts_ms=5`, 400, 'invalid_parameter')
  await refused(`${realized}&competition_id=987654`, 404, 'not_found')
  await refused(`${realized}&from_ts_ms=x`, 400, 'invalid_parameter')
  await refused(`/historical-pnl?wallet=${wallet}&interval=1m`, 400, 'invalid_parameter')
  const query = `wallet=${wallet}&interval=1d&limit=3&include_attribution=true`
  const [one, alias] = [
    await venue.read(`/profile/historical-pnl?${query}`),
    await venue.read(`/historical-pnl?${query}`),
  ]
  assert.deepEqual(one.data, alias.data)
  assert.deepEqual(one.data, { wallet_address: wallet, interval: '1d', points: [] })
})
