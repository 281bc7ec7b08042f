import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import {
  type DirectiveKey,
  type DirectiveOptions,
  directiveBody,
  nameWord,
} from './support/directive-body.js'
import { listMarket } from './support/listed-market.js'
import { orderActions } from './support/order-actions.js'
import { perpCancelByCloidBody, perpOrderBody } from './support/perp-body.js'
import { agentBody, type Body, placeBody, symbolOf, WalletKey } from './support/signed-body.js'
import { type Answer, assertError, Venue, type Wire } from './support/venue.js'

const venue = new Venue({ arguments: ['--set=limits.default.ordersPerMinute=600'] })
const option = symbolOf('BTC', 110_000)
const { fundedWallet } = orderActions(venue, option)
const zero = '0x0000000000000000000000000000000000000000'
let asset = 0

before(async () => {
  await venue.start()
  await listMarket(venue, [option, 'BTC-PERP', 'ETH-PERP'])
  asset = (await venue.read('/exchange-info')).perps.find(
    (perp: Wire) => perp.underlying === 'BTC',
  ).asset
})
after(() => venue.dispose())

const post = (key: string, body: Body): Promise<Answer> =>
  venue.send('POST', `/v1/actions/${key}`, body)
const direct = async (
  by: WalletKey,
  key: DirectiveKey,
  action: Body,
  options?: DirectiveOptions,
): Promise<Answer> => post(key, await directiveBody(by, key, action, options))

/** Returns an answer after asserting that its directive is already final. */
async function answered(answer: Promise<Answer>): Promise<Wire> {
  const { status, body, text } = await answer
  assert.equal(status, 200, text)
  await assertStatus(body)
  return body
}

/** Returns the terms of a resting order: prices and sizes are in 1e-8. */
const rests = (patch: Body = {}): Body => ({
  asset,
  isBuy: true,
  limitPx: 100e8,
  sz: 1e8,
  reduceOnly: false,
  encodedTif: 2,
  ...patch,
})
const order = (by: WalletKey, patch: Body = {}, options?: DirectiveOptions) =>
  direct(by, 'hl_limit_order', rests(patch), options)
const setKey = (by: WalletKey, name: string, addr: string, options?: DirectiveOptions) =>
  direct(by, 'hc_update_api_wallet', { name: nameWord(name), addr }, options)

const final = { submitted: ['completed', 'finalized'], rejected: ['rejected', 'core_rejected'] }

/** Asserts that a polling client finds the final state immediately. */
async function assertStatus({ stage, directiveId, actionKey }: Wire): Promise<void> {
  const { created_at, as_of_seq, ...rest } = await venue.read(`/v1/directives/${directiveId}`)
  const [domain_status, delivery_status] = final[stage as keyof typeof final]
  assert.deepEqual(rest, {
    directive_id: directiveId,
    action_key: actionKey,
    ...{ domain_status, delivery_status },
    tx_hash: null,
  })
  assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 600_000)
  assert.ok(as_of_seq > 0)
}

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an order by directive is readable like any other and can be cancelled by its id', async () => {
  const by = await fundedWallet()
  const placed = await answered(order(by, {}, { nonce: 77 }))
  const { directiveId, orderId, seq, ...rest } = placed
  assert.match(directiveId, idPattern)
  assert.ok(Number.isSafeInteger(orderId) && Number.isSafeInteger(seq))
  assert.deepEqual(rest, {
    stage: 'submitted',
    actionKey: 'hl_limit_order',
    account: by.wallet,
    nonce: 77,
    recoveredSigner: by.wallet,
    txHash: null,
    rejection: null,
    fills: [],
    orderStatus: 'ACKED',
  })
  const { data } = await venue.read(`/orders/status?wallet=${by.wallet}&order_id=${orderId}`)
  assert.deepEqual(
    [data.symbol, data.side, data.price, data.size, data.tif, data.client_id],
    ['BTC-PERP', 'Buy', '100', '1', 'gtc', `0x${(77).toString(16).padStart(32, '0')}`],
  )
  const canceled = await answered(direct(by, 'hl_cancel_by_oid', { asset, oid: String(orderId) }))
  assert.deepEqual(
    [canceled.stage, canceled.orderId, canceled.orderStatus, canceled.fills],
    ['submitted', orderId, 'CANCELED', null],
  )
})

test("the answer, and a retry's, contain the fills", async () => {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  for (const limitPx of [100_100e8, 100_200e8]) {
    await answered(order(maker, { isBuy: false, limitPx, sz: 5e7, encodedTif: 1 }))
  }
  const terms = rests({ limitPx: '10020000000000', sz: '80000000', encodedTif: 3 })
  const body = await directiveBody(taker, 'hl_limit_order', terms)
  const taken = await answered(post('hl_limit_order', body))
  assert.equal(taken.orderStatus, 'FILLED')
  const [{ time }] = taken.fills
  assert.deepEqual(taken.fills, [
    { coin: 'BTC', side: 'Buy', size: '0.5', price: '100100', time },
    { coin: 'BTC', side: 'Buy', size: '0.3', price: '100200', time },
  ])
  assert.ok(Math.abs(time - Date.now()) < 60_000)
  assert.deepEqual(await answered(post('hl_limit_order', body)), taken)
})

test('a cloid is a client id: both kinds of perp orders find it', async () => {
  const by = await fundedWallet()
  const cloid = (2n ** 127n + 5n).toString()
  const text = `0x${BigInt(cloid).toString(16)}`
  await answered(order(by, { cloid }))
  const canceled = await venue.send(
    'POST',
    '/perp-order',
    await perpCancelByCloidBody(by, asset, text),
  )
  assert.equal(canceled.body.status, 'CANCELED', canceled.text)
  const other = `0x${'0'.repeat(30)}2a`
  const placed = await venue.send(
    'POST',
    '/perp-order',
    await perpOrderBody(by, { a: asset, p: '100', c: other }),
  )
  const ended = await answered(direct(by, 'hl_cancel_by_cloid', { asset, cloid: 42 }))
  assert.deepEqual([ended.orderId, ended.orderStatus], [placed.body.order_id, 'CANCELED'])
  const again = await answered(direct(by, 'hl_cancel_by_cloid', { asset, cloid: other }))
  assert.deepEqual(again.rejection, {
    code: 'order_not_found',
    message: `Order not found for cancellation: ${other}`,
  })
})

test('owner, agent and API wallet may trade; an unknown and a removed key may not', async () => {
  const [by, agent, key, stranger] = [
    await fundedWallet(),
    new WalletKey(),
    new WalletKey(),
    new WalletKey(),
  ]
  await venue.send(
    'POST',
    '/approve-agent',
    await agentBody(by, 'ApproveAgent', { agent: agent.wallet }),
  )
  assertError(await order(by, {}, { signer: key }), 401, 'unauthorized')
  const set = await answered(setKey(by, 'desk', key.wallet))
  assert.deepEqual([set.stage, set.recoveredSigner, set.fills], ['submitted', by.wallet, null])
  for (const signer of [by, agent, key]) {
    const placed = await answered(order(by, {}, { signer }))
    assert.deepEqual([placed.stage, placed.recoveredSigner], ['submitted', signer.wallet])
  }
  assertError(await order(by, {}, { signer: stranger }), 401, 'unauthorized')
  const keys = await venue.read(`/authorized-agents?wallet=${by.wallet}`)
  assert.deepEqual(keys.agents, [agent.wallet])
  assert.deepEqual(keys.api_wallets, [{ name: nameWord('desk'), address: key.wallet }])

  // A trading key signs its account's directives, and nothing else.
  const asOption = await placeBody(by, { symbol: option, price: '1' }, key)
  assertError(await venue.send('POST', '/order', asOption), 401, 'unauthorized')
  const asAction = await perpOrderBody(by, { a: asset, p: '100' }, { signer: key })
  assertError(await venue.send('POST', '/perp-order', asAction), 401, 'unauthorized')
  const other = await fundedWallet()
  assertError(await order(other, {}, { signer: key }), 401, 'unauthorized')
  for (const signer of [key, agent, stranger]) {
    assertError(await setKey(by, 'mine', signer.wallet, { signer }), 401, 'unauthorized')
  }

  const resting = await answered(order(by, {}, { signer: key }))
  await answered(setKey(by, 'desk', zero))
  assertError(await order(by, {}, { signer: key }), 401, 'unauthorized')
  const { data } = await venue.read(
    `/orders/status?wallet=${by.wallet}&order_id=${resting.orderId}`,
  )
  assert.equal(data.status, 'open', "the removed key's order stays")
})

test('a revoked key signs nothing more, and revoking all agents revokes all keys', async () => {
  const [by, both, key] = [await fundedWallet(), new WalletKey(), new WalletKey()]
  const agent = both.wallet
  await venue.send('POST', '/approve-agent', await agentBody(by, 'ApproveAgent', { agent }))
  await answered(setKey(by, 'one', both.wallet))
  await answered(setKey(by, 'two', both.wallet))
  await answered(setKey(by, 'three', key.wallet))
  await venue.send('DELETE', '/revoke-agent', await agentBody(by, 'RevokeAgent', { agent }))
  assertError(await order(by, {}, { signer: both }), 401, 'unauthorized')
  assert.equal((await answered(order(by, {}, { signer: key }))).stage, 'submitted')
  await venue.send('DELETE', '/revoke-all-agents', await agentBody(by, 'RevokeAllAgents'))
  assertError(await order(by, {}, { signer: key }), 401, 'unauthorized')
})

test('an account has at most eight key names; a new key under a name replaces the old one', async () => {
  const by = await fundedWallet()
  const keys = Array.from({ length: 9 }, () => new WalletKey())
  for (const [i, { wallet }] of keys.slice(0, 8).entries()) {
    assert.equal((await answered(setKey(by, `key ${i}`, wallet))).stage, 'submitted')
  }
  const nonce = by.nextNonce()
  const beyond = await setKey(by, 'key 8', keys[8]!.wallet, { nonce })
  assertError(beyond, 403, 'limit_exceeded')
  assert.match(beyond.body.message, /at most 8 API wallets/)
  await answered(setKey(by, 'key 0', keys[8]!.wallet, { nonce }))
  assertError(await order(by, {}, { signer: keys[0]! }), 401, 'unauthorized')
  assert.equal((await answered(order(by, {}, { signer: keys[8]! }))).stage, 'submitted')
})

test('the signature covers the domain', async () => {
  const by = await fundedWallet()
  for (const domain of ['', 'ManagerSign']) {
    assertError(await order(by, {}, { domain }), 401, 'unauthorized')
  }
  for (const domain of ['', 'ApiSign']) {
    assertError(await setKey(by, 'x', new WalletKey().wallet, { domain }), 401, 'unauthorized')
  }
})

test('a rejected order burns no nonce; an accepted one does', async () => {
  const by = await fundedWallet('1000')
  const nonce = by.nextNonce()
  const body = await directiveBody(by, 'hl_limit_order', rests({ limitPx: 99_000e8 }), { nonce })
  const refused = await answered(post('hl_limit_order', body))
  assert.deepEqual([refused.stage, refused.fills], ['rejected', null])
  assert.equal(refused.rejection.code, 'risk_rejected')
  assert.match(refused.rejection.message, /^Insufficient margin/)
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000000' })
  const accepted = await answered(post('hl_limit_order', body))
  assert.deepEqual([accepted.stage, accepted.directiveId], ['submitted', refused.directiveId])
  assert.deepEqual(
    await answered(post('hl_limit_order', body)),
    accepted,
    'a retry gets the first result',
  )
  const other = await answered(order(by, {}, { nonce }))
  assert.deepEqual(other.rejection, {
    code: 'nonce_used',
    message: `Nonce ${nonce} already used`,
  })
})

test('a wallet without an account has no funds and cannot set anything', async () => {
  const by = new WalletKey()
  const { status, body: refused } = await order(by)
  assert.equal(status, 200)
  assert.deepEqual([refused.stage, refused.rejection.code], ['rejected', 'risk_rejected'])
  assertError(await venue.get(`/v1/directives/${refused.directiveId}`), 404, 'not_found')
  assertError(await setKey(by, 'x', new WalletKey().wallet), 403, 'no_account')
  assertError(await direct(by, 'hl_cancel_by_oid', { asset, oid: 1 }), 403, 'no_account')
})

test("the venue records an abstraction and rejects an unknown one or another wallet's", async () => {
  const by = await fundedWallet()
  const set = await answered(direct(by, 'hl_set_abstraction', { user: by.wallet, abstraction: 2 }))
  assert.equal(set.stage, 'submitted')
  const one = await direct(by, 'hl_set_abstraction', { user: by.wallet, abstraction: 1 })
  assertError(one, 400, 'invalid_field')
  const other = { user: new WalletKey().wallet, abstraction: 2 }
  assertError(await direct(by, 'hl_set_abstraction', other), 400, 'invalid_field')
})

test('an unknown key is no endpoint, and other methods fail', async () => {
  const by = await fundedWallet()
  const body = await directiveBody(by, 'hl_limit_order', rests())
  for (const key of ['hl_send_asset', 'hc_perp_order_batch', '', 'hl_limit_order/1']) {
    assertError(await post(key, body), 400, 'unsupported_endpoint')
  }
  const read = await venue.get('/v1/actions/hl_limit_order')
  assertError(read, 405, 'method_not_allowed')
  assert.equal(read.headers.get('allow'), 'POST, OPTIONS')
})

longTest('directives, keys and nonces survive a restart', async () => {
  const [by, key] = [await fundedWallet(), new WalletKey()]
  const set = await answered(setKey(by, 'desk', key.wallet))
  const body = await directiveBody(by, 'hl_limit_order', rests(), { signer: key })
  const placed = await answered(post('hl_limit_order', body))
  const nonce = by.nextNonce()
  const refused = await answered(order(by, { limitPx: 99_000e8, sz: 1000e8 }, { nonce }))
  assert.equal(refused.stage, 'rejected')
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await venue.end(signal)
    await venue.start()
    for (const answer of [set, placed, refused]) await assertStatus(answer)
    assert.deepEqual(await answered(post('hl_limit_order', body)), placed)
    assert.equal((await answered(order(by, {}, { signer: key }))).stage, 'submitted')
  }
  assert.equal((await answered(order(by, {}, { nonce }))).stage, 'submitted')
})
