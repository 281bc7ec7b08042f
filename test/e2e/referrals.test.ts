import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { sharedVenue } from './support/shared-venue.js'
import {
  agentBody,
  type Body,
  codeBody,
  referrerBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import { assertError, isoPattern, type Wire } from './support/venue.js'

// Codes are permanent, and test files share the venue: each test uses its own codes.

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place } = orderActions(venue, symbol)
let count = 0
const newCode = () => `TEST-${process.pid}-${++count}`

before(async () => {
  await listMarket(venue, [symbol])
})

const create = (body: Body) => venue.send('POST', '/referrals/code', body)
const refer = (body: Body) => venue.send('POST', '/referrals/set-referrer', body)
const referred = (query: string) => venue.read(`/referrals/referred?${query}`)

async function withCode(): Promise<readonly [WalletKey, string]> {
  const [by, code] = [await fundedWallet(), newCode()]
  const answer = await create(await codeBody(by, code))
  assert.equal(answer.status, 200, answer.text)
  return [by, code]
}

async function broughtBy(referrer: WalletKey, code: string): Promise<WalletKey> {
  const by = await fundedWallet()
  const answer = await refer(await referrerBody(by, code, referrer.wallet))
  assert.equal(answer.status, 200, answer.text)
  return by
}

test("the venue checks a code's signature as sent, stores it in capitals, and reads it in any case", async () => {
  const [by, code] = [await fundedWallet(), newCode()]
  assert.equal((await venue.get(`/referrals/code?wallet=${by.wallet}`)).text, 'null')
  const body = await codeBody(by, ` ${code.toLowerCase()} `)
  const { body: created } = await create(body)
  assert.deepEqual([created.code, created.owner_wallet], [code, by.wallet])
  assert.match(created.created_at, isoPattern)
  const own = await venue.read(
    `/referrals/code?wallet=${by.wallet.toUpperCase().replace('0X', '0x')}`,
  )
  const { as_of_seq: _, ...shown } = created
  for (const read of [own, await venue.read(`/referrals/code/${code.toLowerCase()}`)]) {
    const { as_of_seq: seq, ...fields } = read
    assert.deepEqual(fields, shown)
    assert.ok(seq >= created.as_of_seq)
  }
  assert.equal((await create(body)).text, (await create(body)).text)
  assert.deepEqual((await create(body)).body, created)
})

test('a taken code, a second code and an invalid code each fail with their own error', async () => {
  const [by, code] = await withCode()
  const other = await fundedWallet()
  assertError(await create(await codeBody(other, code.toLowerCase())), 409, 'conflict')
  assertError(await create(await codeBody(by, newCode())), 409, 'conflict')
  for (const wrong of ['ab', 'x'.repeat(21), 'a b', '\u017ftrike', '']) {
    assertError(await create(await codeBody(other, wrong)), 400, 'invalid_field')
  }
  assertError(await create({ ...(await codeBody(other, code)), code: 5 }), 400, 'invalid_parameter')
  assertError(await create({ ...(await codeBody(other, code)), code: null }), 400, 'missing_field')
  for (const path of ['NOBODY-HAS-IT', '%zz', 'a', '%20', 'x/y']) {
    assertError(await venue.get(`/referrals/code/${path}`), 404, 'not_found')
  }
  assertError(await venue.get('/referrals/code'), 400, 'missing_field')
})

test("only a wallet's own signers may create its code, and only with an account", async () => {
  const [by, agent, stranger] = [await fundedWallet(), new WalletKey(), await fundedWallet()]
  const approval = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', approval)).status, 200)
  const code = newCode()
  assertError(await create(await codeBody(by, code, stranger)), 401, 'unauthorized')
  assert.equal((await create(await codeBody(by, code, agent))).status, 200)
  assertError(await create(await codeBody(new WalletKey(), newCode())), 403, 'no_account')
  const unfunded = new WalletKey()
  assertError(await refer(await referrerBody(unfunded, code, by.wallet)), 403, 'no_account')
  assertError(await refer(await referrerBody(stranger, code, by.wallet, by)), 401, 'unauthorized')
  assert.equal((await referred(`wallet=${by.wallet}`)).data.length, 0)
})

test('a referrer is permanent: it owns the code, and is neither the wallet nor referred by it', async () => {
  const [first, firstCode] = await withCode()
  const [second, secondCode] = await withCode()
  const [third, thirdCode] = await withCode()
  const wrong: readonly (readonly [Promise<Body>, number, string])[] = [
    [referrerBody(first, firstCode, first.wallet), 400, 'invalid_field'],
    [referrerBody(second, firstCode, third.wallet), 400, 'invalid_field'],
    [referrerBody(second, 'UNKNOWN-CODE', first.wallet), 404, 'not_found'],
  ]
  for (const [body, status, code] of wrong) assertError(await refer(await body), status, code)
  const binding = await referrerBody(second, firstCode, first.wallet)
  assertError(await refer({ ...binding, referrer: 'nobody' }), 400, 'invalid_wallet')
  const answer = await refer(binding)
  const { referred_wallet, referrer_wallet } = answer.body
  assert.deepEqual([referred_wallet, referrer_wallet], [second.wallet, first.wallet])
  assert.equal((await refer(binding)).text, answer.text)
  // The code is not signed: another code under the same signature changes nothing.
  assert.equal((await refer({ ...binding, code: thirdCode })).text, answer.text)
  assertError(await refer(await referrerBody(second, thirdCode, third.wallet)), 409, 'conflict')
  assert.equal((await refer(await referrerBody(third, secondCode, second.wallet))).status, 200)
  assertError(await refer(await referrerBody(first, thirdCode, third.wallet)), 409, 'conflict')
  assertError(await refer(await referrerBody(first, secondCode, second.wallet)), 409, 'conflict')
  const bindings = [first, second, third].map(({ wallet }) =>
    venue.read(`/referrals/binding?wallet=${wallet}`),
  )
  const referrers = (await Promise.all(bindings)).map((row: Wire) => row.referrer_wallet)
  assert.deepEqual(referrers, [null, first.wallet, second.wallet])
})

test('volumes include all trades, also before the binding, at the index of each fill', async () => {
  const [referrer, code] = await withCode()
  const seller = await fundedWallet()
  const by = await fundedWallet()
  const trade = async (size: string) => {
    await place(seller, { side: 'Sell', price: '2000', size })
    const { status } = await place(by, { side: 'Buy', price: '2000', size })
    assert.equal(status, 'FILLED')
  }
  await trade('0.5')
  assert.equal((await refer(await referrerBody(by, code, referrer.wallet))).status, 200)
  const volume = async () => {
    const { data, referrer_wallet } = await referred(`wallet=${referrer.wallet}`)
    assert.equal(referrer_wallet, referrer.wallet)
    assert.deepEqual(
      data.map((row: Wire) => row.referred_wallet),
      [by.wallet],
    )
    return data[0].volume_usd
  }
  assert.equal(await volume(), '50000')
  await trade('0.00000001')
  assert.equal(await volume(), '50000.001')
  await venue.end('SIGKILL')
  await venue.start()
  assert.equal(await volume(), '50000.001')
  await trade('0.1')
  assert.equal(await volume(), '60000.001')
})

test('pages return the latest first', async () => {
  const [referrer, code] = await withCode()
  const wallets: string[] = []
  for (let i = 0; i < 3; i++) wallets.unshift((await broughtBy(referrer, code)).wallet)
  const page = async (query: string) => {
    const { data, pagination } = await referred(`wallet=${referrer.wallet}&${query}`)
    assert.deepEqual(
      data.map((row: Wire) => row.volume_usd),
      data.map(() => '0'),
    )
    return [pagination, data.map((row: Wire) => row.referred_wallet)]
  }
  assert.deepEqual(await page('limit=2'), [{ limit: 2, offset: 0, count: 2 }, wallets.slice(0, 2)])
  assert.deepEqual(await page('limit=2&offset=2'), [
    { limit: 2, offset: 2, count: 1 },
    wallets.slice(2),
  ])
  assert.deepEqual(await page('offset=3'), [{ limit: 50, offset: 3, count: 0 }, []])
  for (const query of ['limit=0', 'limit=101', 'offset=-1', 'offset=100001']) {
    const answer = await venue.get(`/referrals/referred?wallet=${referrer.wallet}&${query}`)
    assertError(answer, 400, 'invalid_parameter')
  }
})

test('/fees returns the schedule, and with a wallet also its rates', async () => {
  const schedule = await venue.read('/fees')
  assert.equal(schedule.enabled, false)
  assert.deepEqual(schedule.options, { maker_rate: '0', taker_rate: '0', price_cap: '0.125' })
  assert.deepEqual(schedule.perps, { maker_rate: '0', taker_rate: '0' })
  assert.deepEqual(schedule.settlement, { rate: '0', payoff_cap: '0.125' })
  assert.deepEqual([schedule.liquidation, schedule.builder], [{ rate: '0' }, { share: '0' }])
  const { wallet } = await fundedWallet()
  const { applied, as_of_seq, ...rest } = await venue.read(`/fees?wallet=${wallet}`)
  const { as_of_seq: _, ...all } = schedule
  assert.deepEqual(rest, all)
  assert.deepEqual(
    [applied.wallet, applied.tier, applied.options],
    [wallet, 'default', all.options],
  )
  assert.equal(typeof as_of_seq, 'number')
  assertError(await venue.get('/fees?wallet=0x1'), 400, 'invalid_wallet')
})
