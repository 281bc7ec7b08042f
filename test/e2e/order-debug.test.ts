import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Hex, hashTypedData, recoverAddress } from 'viem'
import { listMarket } from './support/listed-market.js'
import { perpCancelBody, perpCancelByCloidBody, perpOrderBody } from './support/perp-body.js'
import { sharedVenue } from './support/shared-venue.js'
import {
  agentBody,
  type Body,
  bidBody,
  cancelBody,
  marginModeBody,
  mmpBody,
  payoutsSeenBody,
  placeBody,
  replaceBody,
  selfTradeBody,
  symbolOf,
  tierBody,
  WalletKey,
} from './support/signed-body.js'
import { StreamPeer } from './support/stream-peer.js'
import { assertError, type Wire } from './support/venue.js'

const venue = sharedVenue()
const symbol = symbolOf('BTC', 110_000)
let asset = 0

before(async () => {
  await listMarket(venue, [symbol, 'BTC-PERP'])
  asset = (await venue.read('/exchange-info')).perps[0].asset
})

test('order debug shows what was hashed and who signed it, without placing anything', async () => {
  const by = new WalletKey()
  await venue.set('/deposits', { wallet: by.wallet, amount: '1000' })
  const body = await placeBody(by, { symbol, price: '1.0' })
  const { status, body: answer, text } = await venue.send('POST', '/order/debug', body)
  assert.equal(status, 200, text)
  assert.deepEqual([answer.is_wallet, answer.recovered_address], [true, by.wallet])
  assert.deepEqual(answer.domain, { name: 'Strikebook', version: '1', chain_id: '31337' })
  assert.deepEqual([answer.layout, answer.fields.price], ['PlaceOrder with route', '1.0'])
  const types = 'wallet symbol side size price tif route clientId nonce'.split(' ')
  const typeOf = (name: string) =>
    name === 'wallet' ? 'address' : name === 'nonce' ? 'uint64' : 'string'
  const verifyingContract = '0x0000000000000000000000000000000000000000'
  const digest = hashTypedData({
    domain: { name: 'Strikebook', version: '1', chainId: 31337, verifyingContract },
    types: { PlaceOrder: types.map((name) => ({ name, type: typeOf(name) })) },
    primaryType: 'PlaceOrder',
    message: answer.fields,
  })
  assert.equal(answer.digest, digest)
  assert.deepEqual((await venue.read(`/orders?wallet=${by.wallet}`)).data, [])
})

test('an order with a bad signature gets the same details, including a missing route', async () => {
  const by = new WalletKey()
  const without = async (route: string) => {
    const { route: _, ...rest } = await placeBody(by, { symbol, route })
    return rest
  }
  const unrouted = await without('best_execution')
  const peer = await StreamPeer.open(venue)
  for (const route of ['book_only', 'rfq_only']) {
    const { details } = await refusal(peer, 'POST /order', await without(route))
    assert.equal(details.matches_other_layout, 'PlaceOrder with route', route)
  }
  for (const send of ['POST /order', 'POST /bulk_order', 'STREAM']) {
    const { code, details } = await refusal(peer, send, unrouted)
    assert.equal(code, 'unauthorized', send)
    assert.deepEqual(
      [details.layout, details.is_wallet, details.matches_other_layout],
      ['PlaceOrder without route', false, 'PlaceOrder with route'],
      send,
    )
  }
  peer.close()
  const unsound = await venue.send('POST', '/order', { ...unrouted, signature: '0x12' })
  assertError(unsound, 400, 'signature_verification_failed')
  assert.equal(unsound.body.details.recovered_address, null)
})

test('order debug answers a stranger the same for existing and unknown wallets', async () => {
  const [owner, nobody, stranger] = [new WalletKey(), new WalletKey(), new WalletKey()]
  await venue.set('/deposits', { wallet: owner.wallet, amount: '1000' })
  const read = async (of: WalletKey) => {
    const body = await placeBody(of, { symbol, nonce: 5 }, stranger)
    const { body: answer } = await venue.send('POST', '/order/debug', body)
    return { ...answer, digest: '', fields: { ...answer.fields, wallet: '' } }
  }
  assert.deepEqual(await read(owner), await read(nobody))
})

type Case = readonly [layout: string, send: string, body: Body]
const cloid = `0x${'1'.repeat(32)}`
const mmpTerms = {
  ...{ interval_ms: 1000, frozen_time_ms: 1000 },
  ...{ qty_limit: '1', delta_limit: '1', vega_limit: '1' },
}

/** Returns every signed write, by method and path, with its layout. `by` may claim a wallet that is not its own. */
async function writesOf(by: WalletKey): Promise<readonly Case[]> {
  const { wallet } = by
  const agent = { agent: new WalletKey().wallet, wallet }
  const place = { symbol, route: 'book_only' }
  return [
    ['PlaceOrder with route', 'STREAM', await placeBody(by, place)],
    ['PlaceOrder with route', 'POST /bulk_order', await placeBody(by, place)],
    ['ReplaceOrder', 'PUT /order', await replaceBody(by, { symbol, order_id: 1 })],
    ['ReplaceOrder', 'PUT /bulk_order', await replaceBody(by, { symbol, order_id: 1 })],
    ['CancelOrder', 'DELETE /order', await cancelBody(by, { order_id: 1 })],
    ['CancelOrder', 'DELETE /bulk_order', await cancelBody(by, { order_id: 1 })],
    ['CancelOrderByClientId', 'DELETE /order', await cancelBody(by, { client_id: 'a' })],
    ['CancelOrderByClientId', 'DELETE /order_cloid', await cancelBody(by, { client_id: 'a' })],
    ['Agent', 'POST /perp-order', await perpOrderBody(by, { a: asset })],
    ['Agent', 'POST /perp-order', await perpCancelBody(by, asset, 1)],
    ['Agent', 'POST /perp-order', await perpCancelByCloidBody(by, asset, cloid)],
    ['ApproveAgent', 'POST /approve-agent', await agentBody(by, 'ApproveAgent', agent)],
    ['RevokeAgent', 'DELETE /revoke-agent', await agentBody(by, 'RevokeAgent', agent)],
    [
      'RevokeAllAgents',
      'DELETE /revoke-all-agents',
      await agentBody(by, 'RevokeAllAgents', { wallet }),
    ],
    ['SetMarginMode', 'POST /margin-mode', await marginModeBody(by, 'standard')],
    [
      'SetSelfTradePrevention',
      'POST /self-trade-prevention',
      await selfTradeBody(by, 'cancel_both'),
    ],
    ['SetMmpConfig', 'POST /mmp-config', await mmpBody(by, 'SetMmpConfig', mmpTerms)],
    ['ResetMmp', 'POST /mmp-config/reset', await mmpBody(by, 'ResetMmp')],
    ['DeleteMmpConfig', 'DELETE /mmp-config', await mmpBody(by, 'DeleteMmpConfig')],
    [
      'SetSettlementPayoutSeen',
      'POST /settlement-payouts/seen',
      await payoutsSeenBody(by, { ids: [1] }),
    ],
    ['SetUserTier', 'POST /user-tier', await tierBody(by, by, 'tier1')],
    [
      'StandardMarginLiquidationOrder',
      'POST /liquidation/standard-margin',
      await bidBody(by, auction),
    ],
  ]
}

const auction = {
  wallet: new WalletKey().wallet,
  full_liquidation: {
    request_id: '00000000-0000-4000-8000-000000000001',
    ...{ auction_id: 'a-1', current_required_bid_usdc: '1', current_auction_version: 1 },
    current_positions: [{ symbol, quantity: '1', entry_price: '1' }],
    current_portfolio_hash: `sha256:${'a'.repeat(64)}`,
    current_auction_terms_hash: `sha256:${'b'.repeat(64)}`,
    current_valuation_timestamp_ms: 1,
  },
}

/** Returns code and details of a write that fails, or of its only item. */
async function refusal(peer: StreamPeer, send: string, body: Body): Promise<Wire> {
  const [method, path] = send.split(' ')
  if (path === undefined) return peer.ask({ type: 'PlaceOrder', ...body }, 'Error')
  const isBulk = path === '/bulk_order'
  const answer = await venue.send(method!, path, isBulk ? [body] : body)
  if (isBulk) return answer.body[0]
  const [status, code] =
    answer.status === 401 ? [401, 'unauthorized'] : [400, 'signature_verification_failed']
  assertError(answer, status as number, code as string)
  return { code, details: answer.body.details }
}

test('every write with a bad signature gets its hash and recovered signer, and nothing about the wallet', async () => {
  const owner = new WalletKey()
  await venue.set('/deposits', { wallet: owner.wallet, amount: '1000' })
  const peer = await StreamPeer.open(venue)
  const answersByWallet: unknown[][] = []
  for (const { wallet } of [owner, new WalletKey()]) {
    const stranger = Object.assign(new WalletKey(), { wallet })
    const signer = stranger.account.address
    const answers: unknown[] = []
    for (const [layout, send, body] of await writesOf(stranger)) {
      const { code, details } = await refusal(peer, send, body)
      assert.equal(code, 'unauthorized', `${send} ${layout}`)
      assert.ok(details, `${send} ${layout} has details`)
      assert.deepEqual([details.layout, details.recovered_address], [layout, signer.toLowerCase()])
      const hash = details.digest as Hex
      assert.equal(
        await recoverAddress({ hash, signature: body['signature'] as Hex }),
        signer,
        send,
      )
      const [name, chain] = layout === 'Agent' ? ['Exchange', '1337'] : ['Strikebook', '31337']
      assert.deepEqual(details.domain, { name, version: '1', chain_id: chain })
      const { wallet: of = wallet, nonce = String(body['nonce']) } = details.fields
      assert.deepEqual([of, nonce], [wallet, String(body['nonce'])], send)
      answers.push([send, Object.keys(details), Object.keys(details.fields)])

      const unsound = await refusal(peer, send, { ...body, signature: '0x12' })
      assert.equal(unsound.code, 'signature_verification_failed', send)
      const { digest, recovered_address: nobody } = unsound.details
      assert.deepEqual([digest, nobody], [hash, null], send)
    }
    answersByWallet.push(answers)
  }
  peer.close()
  assert.deepEqual(answersByWallet[0], answersByWallet[1])
})
