import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  type PerpSigningContext,
  signPerpCancel,
  signPerpCancelByClientId,
  signPerpOrder,
} from '../../../gateway/client/perp-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'
import {
  InstrumentState,
  neverMillis,
  OrderFlag,
  OrderStatus,
  Route,
  Tif,
} from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { AgentChange, InstrumentChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { agent, type GatewayRig, nextNonce, owner, startRig } from '../../support/gateway-rig.js'
import { signingVectors } from '../../support/signing-vectors.js'

const source = 'Strikebook/31337'
const context: PerpSigningContext = { source, signer: owner, wallet: owner.address }
const cloid = `0x${'0a'.repeat(16)}`
const terms = { asset: 7, side: 'Buy', size: '0.5', price: '100000', clientId: cloid } as const
const perpRow = { asset: 7, underlying: 'BTC', symbol: 'BTC-PERP' }

let rig: GatewayRig
const nowMillis = Date.now()

before(async () => {
  rig = await startRig({}, { nowMillis: () => nowMillis })
  await listPerp(rig, 7)
})
beforeEach(() => {
  rig.core.decide = () => ({ instrument: 7 })
  rig.core.seen.length = 0
})
after(() => rig.stop())

async function post(body: object, to = rig) {
  const response = await to.request('POST', '/perp-order', body, { 'X-Request-Id': 'r-1' })
  const { status, headers } = response
  return { status, headers, value: JSON.parse(await response.text()) }
}

async function infoOf(of: Pick<GatewayRig, 'request'>) {
  return JSON.parse(await (await of.request('GET', '/exchange-info')).text())
}

/**
 * Lists a perp in the core first, so a gateway that answers the next request knows it.
 * @param asset its number on the wire, one above the engine's.
 */
async function listPerp({ core, ...venue }: GatewayRig, asset: number, isListed = true) {
  const { Created, Deleted } = InstrumentChange
  const change = isListed ? Created : Deleted
  const state = isListed ? InstrumentState.Active : InstrumentState.Deleted
  core.script.instrument(asset - 1, 'BTC-PERP', 0, neverMillis, change, state)
  core.tell()
  for (;;) {
    const info = await infoOf(venue)
    const isKnown = info.perps.some((row: { asset: number }) => row.asset === asset)
    if (isKnown === isListed) return
  }
}

test('an order reaches the core as an order of the perp, and is answered as one', async () => {
  const body = signPerpOrder(context, { ...terms, tif: 'alo', reduceOnly: true }, nextNonce())
  const { status, headers, value } = await post(body)
  assert.equal(status, 200)
  assert.ok(headers.get('x-ratelimit-limit'))
  const [command] = rig.core.seen
  assert.deepEqual([command!.type, command!.wallet], [CommandType.PlaceOrder, owner.address])
  assert.deepEqual([command!.signer, command!.nonce], [owner.address, String(body['nonce'])])
  assert.deepEqual(command!.perp, [6, 0])
  assert.deepEqual([command!.expiryDate, command!.strikeMicros], [0, 0])
  assert.deepEqual([command!.priceMicros, command!.sizeLots], [100_000_000_000, 50_000_000])
  assert.deepEqual([command!.tif, command!.route], [Tif.Alo, Route.BookOnly])
  assert.deepEqual([command!.flags, command!.clientId], [OrderFlag.ReduceOnly, cloid])
  assert.deepEqual([value.status, value.filled_size, value.request_id], ['ACKED', 0, 'r-1'])
  assert.deepEqual(value.info, {
    symbol: 'BTC-PERP',
    price: '100000',
    size: '0.5',
    side: 'Buy',
    add_liquidity_only: true,
    client_id: cloid,
    underlying: 'BTC',
    builder_code_address: null,
    order_id: value.order_id,
    is_perp: true,
    mmp_enabled: false,
    reduce_only: true,
    nonce: body['nonce'],
    signature: body['signature'],
  })
})

test('a signature in parts equals one in one piece', async () => {
  const body = signPerpOrder(context, terms, nextNonce())
  const text = body['signature'] as string
  const words = [text.slice(2, 66), text.slice(66, 130)]
  const [r, s] = words.map((word) => `0x${word.replace(/^0+/, '')}`)
  const { value } = await post({ ...body, signature: { r, s, v: Number(`0x${text.slice(130)}`) } })
  assert.deepEqual([value.status, value.info.signature], ['ACKED', text])
  assert.equal(rig.core.seen[0]!.signer, owner.address)
})

test('an action signed by an agent names the wallet; without it, or for another one, it is unauthorized', async () => {
  rig.core.script.agent(AgentChange.Approved, 0, owner.address, agent.address)
  rig.core.tell()
  const body = signPerpOrder({ ...context, signer: agent }, terms, nextNonce())
  assert.equal(body['vaultAddress'], owner.address)
  const { vaultAddress: _, ...unnamed } = body
  assert.equal((await post(unnamed)).status, 401)
  const ofItself = signPerpOrder({ ...context, signer: agent, wallet: agent.address }, terms, 1)
  assert.equal((await post({ ...ofItself, wallet: owner.address })).status, 401)
  const other = await post({ ...body, vaultAddress: agent.address })
  assert.deepEqual([other.status, other.value.code], [400, 'invalid_field'])
  assert.equal(rig.core.seen.length, 0)
  assert.equal((await post(body)).status, 200)
  const named = { ...signPerpOrder(context, terms, nextNonce()), vaultAddress: owner.address }
  await post(named)
  assert.notEqual(rig.core.seen.at(-1)!.signer, owner.address, 'it is part of what is signed')
})

test('an agent signs for the wallet, and the core decides about other signers', async () => {
  await post(signPerpOrder({ ...context, signer: agent }, terms, nextNonce()))
  assert.deepEqual(
    [rig.core.seen[0]!.wallet, rig.core.seen[0]!.signer],
    [owner.address, agent.address],
  )
  rig.core.decide = () => ({ result: Result.Unauthorized })
  const stranger = createSigner('33'.repeat(32))
  const refused = await post(signPerpOrder({ ...context, signer: stranger }, terms, nextNonce()))
  assert.deepEqual([refused.status, refused.value.code], [401, 'unauthorized'])
})

test('every field is signed: another price, nonce, expiry or environment has another signer', async () => {
  const expiresAfterMillis = nowMillis + 60_000
  const body = signPerpOrder(context, { ...terms, expiresAfterMillis }, nextNonce())
  const [order] = (body['action'] as { orders: object[] }).orders
  const priced = { ...(body['action'] as object), orders: [{ ...order, p: '99999' }] }
  for (const changed of [
    { ...body, action: priced },
    { ...body, nonce: nextNonce() },
    { ...body, expiresAfter: expiresAfterMillis + 1 },
    signPerpOrder({ ...context, source: 'a' }, terms, nextNonce()),
  ]) {
    assert.equal((await post(changed)).status, 401)
  }
  assert.equal(rig.core.seen.length, 0, 'without the wallet named in it, no other signer may')
  await post(body)
  assert.equal(rig.core.seen.at(-1)!.signer, owner.address)
})

test('cancels carry the number of the perp, and are answered with the order concerned', async () => {
  rig.core.decide = () => ({
    instrument: 6,
    orderId: 4242,
    status: OrderStatus.Canceled,
    result: Result.CanceledOnRequest,
    clientId: cloid,
  })
  const byId = await post(signPerpCancel(context, 7, 4242, nextNonce()))
  const byClientId = await post(signPerpCancelByClientId(context, 7, cloid, nextNonce()))
  const [first, second] = rig.core.seen
  assert.deepEqual([first!.type, first!.cancelOrderId], [CommandType.CancelOrder, 4242])
  assert.deepEqual([second!.type, second!.cancelClientId], [CommandType.CancelByClientId, cloid])
  assert.deepEqual(
    [first!.perp, second!.perp],
    [
      [6, 0],
      [6, 0],
    ],
  )
  for (const { status, value } of [byId, byClientId]) {
    assert.deepEqual([status, value.status, value.order_id], [200, 'CANCELED', 4242])
    const { symbol, underlying, is_perp, client_id, nonce } = value.info
    assert.deepEqual(
      [symbol, underlying, is_perp, client_id, nonce],
      ['BTC-PERP', 'BTC', true, cloid, null],
    )
  }
})

test("a cancel of an unknown order, or of another market's order, names the perp", async () => {
  rig.core.decide = () => ({ result: Result.OrderNotInBook, instrument: -1, clientId: '' })
  const elsewhere = await post(signPerpCancel(context, 7, 4242, nextNonce()))
  assert.equal(elsewhere.value.reason, 'Order 4242 not found in orderbook BTC-PERP')
  rig.core.decide = () => ({ result: Result.ClientIdNotFound, instrument: -1, clientId: '' })
  const unknown = await post(signPerpCancelByClientId(context, 7, cloid, nextNonce()))
  assert.equal(unknown.value.reason, `Order not found for cancellation: ${cloid}`)
  assert.deepEqual(unknown.value.info, {
    symbol: 'BTC-PERP',
    price: '0',
    size: '0',
    side: 'Buy',
    tif: 'gtc',
    client_id: cloid,
    underlying: 'BTC',
    builder_code_address: null,
    order_id: null,
    is_perp: true,
    mmp_enabled: false,
    reduce_only: null,
    nonce: null,
    signature: null,
  })
})

test('a rejection by the engine is an answer, and an error is one', async () => {
  rig.core.decide = () => ({ result: Result.PostOnlyWouldTrade })
  const { status, value } = await post(signPerpOrder(context, terms, nextNonce()))
  assert.deepEqual([status, value.status, value.order_id], [200, 'REJECTED', null])
  const rejection = [value.reason_code, value.reason, value.info.order_id]
  assert.deepEqual(rejection, ['post_only_would_trade', 'Post-only order would trade', null])
  rig.core.decide = () => ({ result: Result.LimitExceeded })
  const capped = await post(signPerpOrder(context, terms, nextNonce()))
  assert.deepEqual([capped.status, capped.value.code], [403, 'limit_exceeded'])
})

test('the engine rejects an unknown asset, in an order and in a cancel', async () => {
  rig.core.decide = () => ({ result: Result.PerpMissingUnderlying, instrument: -1, clientId: '' })
  const order = await post(signPerpOrder(context, { ...terms, asset: 0 }, nextNonce()))
  const byId = await post(signPerpCancel(context, 8, 1, nextNonce()))
  const byClientId = await post(signPerpCancelByClientId(context, 8, cloid, nextNonce()))
  for (const { status, value } of [order, byId, byClientId]) {
    assert.deepEqual([status, value.status, value.order_id], [200, 'REJECTED', null])
    assert.equal(value.reason, 'Perp order missing underlying symbol')
    assert.equal(value.reason_code, 'perp_missing_underlying')
    const { symbol, underlying, is_perp } = value.info
    assert.deepEqual([symbol, underlying, is_perp], ['', null, true])
  }
  assert.deepEqual(
    rig.core.seen.map(({ perp }) => perp),
    [
      [-1, 0],
      [7, 0],
      [7, 0],
    ],
  )
})

test('an impossible number is no asset, and an expiry of 0 has always passed', async () => {
  await post(
    signPerpOrder(context, { ...terms, asset: 2 ** 31, expiresAfterMillis: 0 }, nextNonce()),
  )
  assert.deepEqual(rig.core.seen.at(-1)!.perp, [-1, 1])
})

test('an action that is too late is an HTTP error by the engine’s time', async () => {
  rig.core.decide = () => ({ result: Result.ActionExpired })
  const order = { ...terms, expiresAfterMillis: 1_700_000_000_000 }
  const { status, value } = await post(signPerpOrder(context, order, nextNonce()))
  assert.deepEqual(rig.core.seen.at(-1)!.perp, [6, 1_700_000_000_000])
  assert.deepEqual([status, value.code], [400, 'invalid_field'])
  assert.equal(value.message, 'Invalid expiresAfter: must be in the future')
})

test('errors are HTTP errors, and reach no core', async () => {
  const body = signPerpOrder(context, terms, nextNonce())
  for (const [bad, code] of [
    [{ ...body, expiresAfter: null, more: 1 }, 'invalid_field'],
    [{ ...body, expiresAfter: null, signature: '0x12' }, 'signature_verification_failed'],
    [{ ...body, action: null }, 'missing_field'],
    [[], 'invalid_request'],
  ] as const) {
    const { status, value } = await post(bad)
    assert.deepEqual([status, value.code, value.error], [400, code, code])
  }
  assert.equal(rig.core.seen.length, 0)
})

test('orders count as placements, and cancels as cancellations', async () => {
  const limits = { 'limits.default.ordersPerMinute': '1', 'limits.default.cancelsPerMinute': '1' }
  const limited = await startRig(limits, { nowMillis: () => nowMillis })
  try {
    await listPerp(limited, 7)
    const place = () => post(signPerpOrder(context, terms, nextNonce()), limited)
    const cancel = () => post(signPerpCancel(context, 7, 1, nextNonce()), limited)
    const codes = []
    for (const send of [place, place, cancel, cancel]) codes.push((await send()).status)
    assert.deepEqual(codes, [200, 429, 200, 429])
    assert.match((await place()).value.message, /OrderPlacement/)
    assert.match((await cancel()).value.message, /OrderCancellation/)
  } finally {
    await limited.stop()
  }
})

test('GET /exchange-info lists perps until they are delisted, and a new listing has a new number', async () => {
  const listed = await startRig()
  try {
    const perps = async () => {
      const info = await infoOf(listed)
      return [info.perp_source, info.perps]
    }
    assert.deepEqual(await perps(), [source, []])
    await listPerp(listed, 7)
    assert.deepEqual(await perps(), [source, [perpRow]])
    await listPerp(listed, 7, false)
    assert.deepEqual(await perps(), [source, []])
    await listPerp(listed, 9)
    assert.deepEqual(await perps(), [source, [{ ...perpRow, asset: 9 }]])
  } finally {
    await listed.stop()
  }
})

test('the mainnet signatures of the vectors verify only there', async () => {
  const foreign = { 'perp.source': 'a', 'perp.foreignSource': 'true' }
  const mainnet = await startRig({ preset: 'mainnet-alpha', ...foreign })
  try {
    await listPerp(mainnet, 1)
    for (const name of ['perp_order_gtc_mainnet', 'perp_order_cloid_mainnet']) {
      const vector = signingVectors.vectors.find((candidate) => candidate.name === name)!
      const { address } = signingVectors.keys[vector.privateKeyName]!
      const { action, nonce, signature } = vector
      const body = { wallet: address, action, nonce: Number(nonce), signature }
      await post(body, mainnet)
      const { signer, digest } = mainnet.core.seen.at(-1)!
      assert.deepEqual([signer, `0x${digest}`], [address.toLowerCase(), vector.digest], name)
      assert.equal((await post(body)).status, 401, 'in another environment')
    }
  } finally {
    await mainnet.stop()
  }
})

test('if signing is disabled, perp actions are, too', async () => {
  const testnet = await startRig({ preset: 'testnet' })
  try {
    const { status, value } = await post(signPerpOrder(context, terms, nextNonce()), testnet)
    assert.deepEqual([status, value.code], [503, 'signing_disabled'])
  } finally {
    await testnet.stop()
  }
})
