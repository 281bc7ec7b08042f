import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import { perpOrderBody } from './support/perp-body.js'
import {
  agentBody,
  type Body,
  cancelBody,
  placeBody,
  selfTradeBody,
  symbolOf,
  WalletKey,
} from './support/signed-body.js'
import { SlowVenue } from './support/slow-venue.js'
import { StreamPeer } from './support/stream-peer.js'
import { type Answer, assertError, type Wire } from './support/venue.js'

/** Small windows in a minute that does not end, so that anything a stranger used up would show. */
const limits = ['ordersPerMinute=9', 'cancelsPerMinute=9', 'apiRequestsPerMinute=3']
const settings = limits.map((limit) => `--set=limits.tier1.${limit}`)
const venue = new SlowVenue(settings)
const symbol = symbolOf('BTC', 110_000)
const { fundedWallet, place } = orderActions(venue, symbol)
let asset = 0

before(async () => {
  await venue.start()
  await listMarket(venue, [symbol, 'BTC-PERP'])
  asset = (await venue.read('/exchange-info')).perps[0].asset
})
after(() => venue.dispose())

const approve = async (by: WalletKey, agent: WalletKey) => {
  const body = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', body)).status, 200)
}
const revokeAll = async (by: WalletKey, patch: Body = {}) =>
  venue.send('DELETE', '/revoke-all-agents', await agentBody(by, 'RevokeAllAgents', patch))
const remaining = ({ headers }: Answer) => headers.get('x-ratelimit-remaining')
const rest = { price: '1', size: '0.1' }

/** Returns the number of commands that the engine has decided. */
async function commandCount(): Promise<number> {
  const [, count] = /^strikebook_commands_total\S* (\d+)$/m.exec(await venue.metrics()) ?? []
  assert.ok(count !== undefined, 'the metrics include strikebook_commands_total')
  return Number(count)
}

test('a stranger with a used nonce learns nothing, over REST, stream and bulk, and uses up nothing', async () => {
  const [by, stranger] = [await fundedWallet(), new WalletKey()]
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  const patch = { symbol, ...rest, nonce: 7 }
  const real = await venue.send('POST', '/order', await placeBody(by, patch))
  assert.equal(real.body.status, 'ACKED', real.text)
  const peer = await StreamPeer.open(venue)
  for (const change of [{}, { price: '2' }]) {
    const forged = await placeBody(by, { ...patch, ...change }, stranger)
    const answer = await venue.send('POST', '/order', forged)
    assertError(answer, 401, 'unauthorized')
    // The details repeat what the stranger sent.
    const { details: _, ...rest } = answer.body
    assert.doesNotMatch(JSON.stringify(rest), /nonce|order_id/i)
    assert.doesNotMatch(answer.text, /order_id/i)
    assert.equal(remaining(answer), null)
    const error = await peer.ask({ type: 'PlaceOrder', ...forged }, 'Error')
    assert.equal(error.code, 'unauthorized')
    const bulk = await venue.send('POST', '/bulk_order', [{ ...forged, route: 'book_only' }])
    assert.equal(bulk.body[0].code, 'unauthorized', bulk.text)
  }
  peer.close()
  const cancel = await cancelBody(by, { order_id: real.body.order_id, nonce: 7 }, stranger)
  assertError(await venue.send('DELETE', '/order', cancel), 401, 'unauthorized')
  const perp = await perpOrderBody(by, { a: asset }, { signer: stranger, nonce: 7 })
  assertError(await venue.send('POST', '/perp-order', perp), 401, 'unauthorized')
  const next = await venue.send('POST', '/order', await placeBody(by, { ...patch, nonce: 8 }))
  assert.equal(remaining(next), '7', 'two of nine orders are used')
})

test('a stranger’s items of a bulk use up nothing, and the wallet’s own items run', async () => {
  const [by, stranger] = [await fundedWallet(), new WalletKey()]
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  const item = async (signer: WalletKey) =>
    placeBody(by, { symbol, ...rest, route: 'book_only' }, signer)
  const forged = await Promise.all(Array.from({ length: 20 }, () => item(stranger)))
  const bulk = await venue.send('POST', '/bulk_order', [await item(by), ...forged])
  assert.equal(bulk.status, 200, bulk.text)
  const codes = new Set(bulk.body.slice(1).map(({ code }: Wire) => code))
  assert.deepEqual([bulk.body[0].data.status, ...codes], ['ACKED', 'unauthorized'])
  assert.equal(remaining(bulk), '8')
})

test('a revoked agent gets no answer to its own earlier actions', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  await approve(by, agent)
  const body = await placeBody(by, { symbol, ...rest }, agent)
  const first = await venue.send('POST', '/order', body)
  assert.equal((await venue.send('POST', '/order', body)).text, first.text)
  assert.equal((await revokeAll(by)).status, 200)
  assertError(await venue.send('POST', '/order', body), 401, 'unauthorized')
})

test('an agent that uses up the highest nonces and the whole window never locks out its owner', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  await approve(by, agent)
  const highest = 2n ** 64n - 1n
  const spend = async (nonce: bigint) =>
    venue.send(
      'POST',
      '/self-trade-prevention',
      await selfTradeBody(by, 'cancel_both', { nonce: nonce.toString() }, agent),
    )
  for (let i = 0n; i < 5n; i++) assert.equal((await spend(highest - i)).status, 200)
  const own = { symbol, ...rest }
  assert.equal((await place(by, { ...own, nonce: 12 })).status, 'ACKED')
  assertRejected(
    await place(by, { ...own, nonce: highest.toString() }),
    'nonce_used',
    `Nonce ${highest} already used`,
  )
  await venue.set('/tiers', { wallet: by.wallet, tier: 'tier1' })
  for (let i = 0; i < 3; i++) await spend(highest)
  const modes = await selfTradeBody(by, 'cancel_maker', { nonce: 13 })
  const changed = await venue.send('POST', '/self-trade-prevention', modes)
  assert.deepEqual([changed.status, remaining(changed)], [200, '0'], changed.text)
  const revoked = await revokeAll(by, { nonce: 14 })
  assert.equal(revoked.status, 200, revoked.text)
  assertError(await spend(highest - 99n), 401, 'unauthorized')
  await venue.end('SIGKILL')
  await venue.start()
  assertRejected(
    await place(by, { ...own, nonce: (highest - 1n).toString() }),
    'nonce_used',
    `Nonce ${highest - 1n} already used`,
  )
  assert.equal((await place(by, { ...own, nonce: 15 })).status, 'ACKED')
})

test('signed actions of wallets without an account leave no state', async () => {
  const before = await commandCount()
  const patch = { symbol, ...rest }
  const strangers = Array.from({ length: 15 }, () => new WalletKey())
  for (const by of strangers) {
    const order = await placeBody(by, patch)
    const refused = await venue.send('POST', '/order', order)
    const text = /^Account has no funds\. Please deposit before trading\./
    assertRejected(refused.body, 'no_funds', text)
    assert.equal(remaining(refused), null)
    const agent = { agent: new WalletKey().wallet }
    const approval = await agentBody(by, 'ApproveAgent', agent)
    assertError(await venue.send('POST', '/approve-agent', approval), 403, 'no_account')
    assertError(await revokeAll(by), 403, 'no_account')
    const mode = await selfTradeBody(by, 'cancel_both')
    assertError(await venue.send('POST', '/self-trade-prevention', mode), 403, 'no_account')
    const cancel = await cancelBody(by, { order_id: 1024 })
    assertError(await venue.send('DELETE', '/order', cancel), 403, 'no_account')
    const bulk = await venue.send('POST', '/bulk_order', [{ ...order, route: undefined }])
    assert.equal(bulk.status, 200)
  }
  const random = `0x${'5a'.repeat(64)}1b`
  for (let nonce = 0; nonce < 100; nonce++) {
    const body = { agent: strangers[0]!.wallet, nonce, signature: random }
    const answer = await venue.send('POST', '/approve-agent', body)
    assert.ok(['no_account', 'signature_verification_failed'].includes(answer.body.code))
  }
  // A gateway that has not read the latest event leaves the decision to the engine, which rejects the same way.
  const came = (await commandCount()) - before
  assert.ok(came < 20, `${came} of 205 commands reached the engine`)
  const [first] = strangers
  await venue.set('/deposits', { wallet: first!.wallet, amount: '1000' })
  assert.equal((await place(first!, { ...patch, nonce: 1 })).status, 'ACKED')
})

test('the core reports a halt before an unlisted strike', async () => {
  const by = await fundedWallet()
  const unlisted = { symbol: symbolOf('BTC', 123_456), ...rest }
  assertRejected(await place(by, unlisted), 'invalid_symbol', /Invalid symbol/)
  await venue.set('/halts', { underlying: 'BTC', mode: 'halted' })
  assertRejected(await place(by, unlisted), 'trading_halted', 'Trading is halted for BTC')
  await venue.set('/halts', { underlying: 'BTC', mode: 'open' })
})
