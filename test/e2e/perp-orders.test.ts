import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { connectStrikebook } from '../../gateway/client/strikebook-client.js'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { assertRejected, orderActions } from './support/order-actions.js'
import {
  type PerpOptions,
  type PerpPatch,
  perpCancelBody,
  perpCancelByCloidBody,
  perpOrderBody,
} from './support/perp-body.js'
import { agentBody, type Body, cancelBody, symbolOf, WalletKey } from './support/signed-body.js'
import { type StreamPeer, streamPeers } from './support/stream-peer.js'
import { assertError, eventually, Venue, type Wire } from './support/venue.js'

const venue = new Venue()
const option = symbolOf('BTC', 110_000)
const symbol = 'BTC-PERP'
const {
  fundedWallet,
  place: placeOption,
  replace,
  cancel: cancelOption,
} = orderActions(venue, option)
const open = streamPeers(venue)
let asset = 0
let cloids = 0

before(async () => {
  await venue.start()
  await listMarket(venue, [option, symbol, 'ETH-PERP', 'SOL-PERP'])
  await venue.set('/index-prices', { prices: [{ underlying: 'ETH', price: '4000' }] })
  // Gateways learn of listings at different times; after a start each knows all of them.
  await venue.end('SIGTERM')
  await venue.start()
  asset = await assetOf('BTC')
})
after(() => venue.dispose())

async function perps(): Promise<Wire[]> {
  return (await venue.read('/exchange-info')).perps
}

async function assetOf(underlying: string): Promise<number> {
  const found = (await perps()).find((perp) => perp.underlying === underlying)
  assert.ok(found !== undefined, `${underlying} is listed`)
  return found.asset
}

function nextCloid(): string {
  return `0x${String(++cloids).padStart(32, '0')}`
}

const post = (body: unknown) => venue.send('POST', '/perp-order', body)

async function answered(body: Promise<Body>): Promise<Wire> {
  const answer = await post(await body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const place = (by: WalletKey, patch: Partial<PerpPatch> = {}, options?: PerpOptions) =>
  answered(perpOrderBody(by, { a: asset, ...patch }, options))

test('two wallets trade a perp, and order updates, fills and trades name its symbol', async () => {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  const trades = await open()
  await trades.subscribe('trades')
  const peers = [await open(`?wallet=${maker.wallet}`), await open(`?wallet=${taker.wallet}`)]
  for (const peer of peers) {
    await peer.subscribe('order_updates')
    await peer.subscribe('fills')
  }
  const c = nextCloid()
  const resting = await place(maker, { b: false, p: '100100', s: '0.5', tif: 'Alo', c })
  assert.deepEqual([resting.status, resting.filled_size], ['ACKED', 0])
  const { nonce, signature, ...info } = resting.info
  assert.ok(Number.isSafeInteger(nonce) && /^0x[0-9a-f]{130}$/.test(signature))
  assert.deepEqual(info, {
    symbol,
    price: '100100',
    size: '0.5',
    side: 'Sell',
    add_liquidity_only: true,
    client_id: c,
    underlying: 'BTC',
    builder_code_address: null,
    order_id: resting.order_id,
    is_perp: true,
    mmp_enabled: false,
    reduce_only: false,
  })
  const taken = await place(taker, { p: '100100', s: '0.2', tif: 'Ioc' })
  assert.deepEqual([taken.status, taken.filled_size], ['FILLED', 0.2])
  const trade = await trades.next('Trade')
  assert.deepEqual([trade.symbol, trade.price, trade.size], [symbol, '100100', '0.2'])
  for (const [peer, by] of [
    [peers[0]!, maker],
    [peers[1]!, taker],
  ] as const) {
    const fill = await peer.next('Fill')
    assert.deepEqual([fill.symbol, fill.instrument_type], [symbol, 'perp'])
    assert.deepEqual([fill.wallet_address, fill.price, fill.size], [by.wallet, '100100', '0.2'])
  }
  await peers[0]!.until('three updates', () => updates(peers[0]!).length >= 3)
  const rows = updates(peers[0]!).map((update) => [update.status, update.instrument_type])
  assert.deepEqual(rows, [
    ['ACKED', 'perp'],
    ['OPEN', 'perp'],
    ['PARTIALLY_FILLED', 'perp'],
  ])
  const { request } = updates(peers[0]!).at(-1)
  assert.deepEqual(request, {
    symbol,
    side: 'Sell',
    price: '100100',
    size: '0.5',
    add_liquidity_only: true,
  })
  await answered(perpCancelBody(maker, asset, resting.order_id))
})

function updates(peer: StreamPeer): Wire[] {
  return peer.ofType('OrderUpdate')
}

test('the core rejects an Alo order that would trade, and its nonce stays free', async () => {
  const [maker, taker] = [await fundedWallet(), await fundedWallet()]
  const resting = await place(maker, { b: false, p: '100100' })
  const body = await perpOrderBody(taker, { a: asset, p: '100100', tif: 'Alo' })
  const refused = (await post(body)).body
  assertRejected(refused, 'post_only_would_trade', 'Post-only order would trade')
  assert.deepEqual(
    [refused.info.symbol, refused.info.is_perp, refused.info.add_liquidity_only],
    [symbol, true, true],
  )
  const canceled = await answered(perpCancelBody(maker, asset, resting.order_id))
  assert.equal(canceled.filled_size, 0)
  const again = (await post(body)).body
  assert.equal(again.status, 'ACKED', 'the same body rests once the ask is gone')
  await answered(perpCancelBody(taker, asset, again.order_id))
})

test('a perp order can be cancelled by id, by cloid, and like any other order', async () => {
  const by = await fundedWallet()
  const ways: ((orderId: number, c: string) => Promise<Wire>)[] = [
    (orderId) => answered(perpCancelBody(by, asset, orderId)),
    (_, c) => answered(perpCancelByCloidBody(by, asset, c)),
    (order_id) => cancelOption(by, { order_id }),
    async (_, client_id) => {
      const body = await cancelBody(by, { client_id })
      return (await venue.send('DELETE', '/order_cloid', body)).body.data
    },
  ]
  for (const way of ways) {
    const c = nextCloid()
    const { order_id: orderId } = await place(by, { p: '90000', tif: 'Alo', c })
    const canceled = await way(orderId, c)
    assert.deepEqual(
      [canceled.status, canceled.order_id, canceled.reason],
      ['CANCELED', orderId, null],
    )
    const { symbol: shown, is_perp, underlying, client_id, tif, nonce } = canceled.info
    assert.deepEqual([shown, is_perp, underlying, client_id], [symbol, true, 'BTC', c])
    assert.deepEqual([tif, nonce], [undefined, null])
  }
  const never = await answered(perpCancelByCloidBody(by, asset, nextCloid()))
  assertRejected(never, 'order_not_found', /^Order not found for cancellation: 0x0/)
  assert.deepEqual([never.info.symbol, never.info.is_perp], [symbol, true])
})

test('a perp cancel does not affect an order of another market', async () => {
  const by = await fundedWallet()
  const c = nextCloid()
  const { order_id: orderId } = await placeOption(by, { client_id: c })
  const byId = await answered(perpCancelBody(by, asset, orderId))
  assertRejected(byId, 'order_not_found', `Order ${orderId} not found in orderbook ${symbol}`)
  const byCloid = await answered(perpCancelByCloidBody(by, asset, c))
  assertRejected(byCloid, 'order_not_found', `Order not found for cancellation: ${c}`)
  const canceled = await cancelOption(by, { order_id: orderId })
  assert.deepEqual([canceled.status, canceled.info.is_perp], ['CANCELED', false])
})

test('a retry gets the first answer; another payload with the same nonce does not', async () => {
  const by = await fundedWallet()
  const body = await perpOrderBody(by, { a: asset, p: '90000' })
  const first = await post(body)
  assert.equal((await post(body)).text, first.text)
  const nonce = body['nonce'] as number
  const refused = await place(by, { p: '90001' }, { nonce })
  assertRejected(refused, 'nonce_used', `Nonce ${nonce} already used`)
})

test('only the owner and its agents can sign, for this environment and exactly these fields', async () => {
  const [by, agent] = [await fundedWallet(), new WalletKey()]
  const byAgent = () => perpOrderBody(by, { a: asset, p: '90000' }, { signer: agent })
  assertError(await post(await byAgent()), 401, 'unauthorized')
  const approval = await agentBody(by, 'ApproveAgent', { agent: agent.wallet })
  assert.equal((await venue.send('POST', '/approve-agent', approval)).status, 200)
  assert.equal((await answered(byAgent())).status, 'ACKED')
  const abroad = await perpOrderBody(by, { a: asset, p: '90000' }, { source: 'a' })
  assertError(await post(abroad), 401, 'unauthorized')
  const sound = await perpOrderBody(by, { a: asset, p: '90000' })
  assertError(await post({ ...sound, nonce: 999_999 }), 401, 'unauthorized')
  assertError(await post({ ...sound, signature: '0x12' }), 400, 'signature_verification_failed')
})

/** Places an order shortly before its expiry; on a stalled machine one may arrive too late and is repeated. */
async function acceptedSoon(by: WalletKey) {
  for (;;) {
    const soonMillis = Date.now() + 1500
    const short = await perpOrderBody(by, { a: asset, p: '90000' }, { expiresAfter: soonMillis })
    const answer = await post(short)
    if (answer.status === 200) return { short, soonMillis, first: answer.body }
    assertError(answer, 400, 'invalid_field')
  }
}

test('the venue rejects an order after its expiry, and the signature covers the expiry', async () => {
  const by = await fundedWallet()
  const expired = await perpOrderBody(by, { a: asset }, { expiresAfter: Date.now() - 1 })
  assertError(await post(expired), 400, 'invalid_field')
  const inTime = { expiresAfter: Date.now() + 3_600_000 }
  assert.equal((await place(by, { p: '90000' }, inTime)).status, 'ACKED')
  const { short, soonMillis, first } = await acceptedSoon(by)
  while (Date.now() <= soonMillis) await sleep(100)
  const again = await post(short)
  assert.deepEqual([again.status, again.body.order_id], [200, first.order_id], 'a repeat')
  const changed = await perpOrderBody(by, { a: asset, p: '90000' }, inTime)
  delete changed['expiresAfter']
  assertError(await post(changed), 401, 'unauthorized')
})

test('the core rejects an unknown asset; unserved actions and unknown fields are errors', async () => {
  const by = await fundedWallet()
  const unknown = await place(by, { a: asset + 1_000_000 })
  assertRejected(unknown, 'perp_missing_underlying', 'Perp order missing underlying symbol')
  const ofOption = await place(by, { a: asset === 1 ? 2 : 1 })
  assertRejected(ofOption, 'perp_missing_underlying', 'Perp order missing underlying symbol')
  const sound = await perpOrderBody(by, { a: asset })
  for (const bad of [{ vaultAddress: new WalletKey().wallet }, { subaccount: by.wallet }]) {
    assertError(await post({ ...sound, ...bad }), 400, 'invalid_field')
  }
  assertError(await post({ ...sound, action: undefined }), 400, 'missing_field')
})

test('no other write accepts a perp: options stay options', async () => {
  const by = await fundedWallet()
  const { order_id } = await place(by, { p: '90000' })
  const bodies = orderActions(venue, symbol)
  assertError(await bodies.sendOrder(by, {}), 400, 'invalid_field')
  assertError(await bodies.sendOrder(by, { symbol: option, tif: 'alo' }), 400, 'invalid_field')
  const moved = await replace(by, { order_id, symbol: option, price: '90' })
  assertRejected(moved, 'order_not_found', `Order ${order_id} not found in orderbook ${option}`)
})

longTest(
  'a restart keeps orders, results and asset numbers; a delisted perp has none',
  async () => {
    const [eth, sol] = [await assetOf('ETH'), await assetOf('SOL')]
    const [maker, taker] = [await fundedWallet(), await fundedWallet()]
    const quote = { a: eth, b: false, p: '4001', s: '3', tif: 'Alo' } as const
    const body = await perpOrderBody(maker, quote)
    const resting = await post(body)
    assert.equal(resting.body.status, 'ACKED')
    const listed = await perps()
    await venue.end('SIGKILL')
    await venue.start()
    assert.deepEqual(await perps(), listed)
    assert.equal((await post(body)).text, resting.text, 'a retry gets the first result')
    const crossing = { a: eth, p: '4001', s: '1' }
    const refused = await place(taker, { ...crossing, tif: 'Alo' })
    assertRejected(refused, 'post_only_would_trade', 'Post-only order would trade')
    const taken = await place(taker, crossing)
    assert.deepEqual([taken.status, taken.filled_size], ['FILLED', 1])

    const delisted = await venue.operator('DELETE', '/instruments', { symbol: 'SOL-PERP' })
    assert.equal(delisted.status, 200, delisted.text)
    const left = listed.filter((perp) => perp.asset !== sol)
    await eventually('a list without the perp', async () => isDeepStrictEqual(await perps(), left))
    await eventually('an asset number without a perp', async () => {
      const { status, reason_code } = await place(maker, { a: sol, p: '100' })
      assert.equal(status, 'REJECTED')
      return reason_code === 'perp_missing_underlying'
    })
  },
)

test("the project's client places and cancels perp orders that outside clients see", async () => {
  const privateKey = `0x${'5b'.repeat(32)}`
  const client = await connectStrikebook({ url: venue.url, privateKey })
  await venue.set('/deposits', { wallet: client.wallet, amount: '1000000' })
  const btc = (await client.perps()).find(({ underlying }) => underlying === 'BTC')!.asset
  const clientId = nextCloid()
  const quote = { asset: btc, side: 'Buy', size: '0.25', price: '90000', tif: 'alo' } as const
  const placed = await client.placePerpOrder({ ...quote, clientId })
  assert.deepEqual(
    [placed.status, placed.info.is_perp, placed.info.add_liquidity_only],
    ['ACKED', true, true],
  )
  const canceled = await client.cancelPerpByClientId(btc, clientId)
  assert.deepEqual([canceled.status, canceled.order_id], ['CANCELED', placed.order_id])
  const second = await client.placePerpOrder(quote)
  assert.equal((await client.cancelPerpOrder(btc, second.order_id!)).status, 'CANCELED')
})
