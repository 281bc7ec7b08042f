import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signDirective } from '../../../gateway/client/directives.js'
import { signPerpOrder } from '../../../gateway/client/perp-actions.js'
import {
  signAction,
  signCancelByClientId,
  signPlaceOrder,
  signReplaceOrder,
  signRfq,
} from '../../../gateway/client/signed-actions.js'
import { signedRequest } from '../../../gateway/client/signed-request.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { exampleBody } from '../../../gateway/documents/openapi.js'
import { signedWrites } from '../../../schemas/interface/writes.js'
import { signingDomains } from '../../../schemas/typed-data.js'

const signer = createSigner(`0x${'5'.repeat(64)}`)
const domain = signingDomains('Strikebook', 31_337).options
const context = { domain, signer, wallet: signer.address }
const signing = { context, perpSource: 'Strikebook/31337', nextNonce: () => 7 }
const order = { symbol: 'BTC-20991231-110000-C', side: 'Buy', size: '0.5', price: '1250' } as const

/** Input of the form: fields of the body, with an invalid signature. */
function signed(key: string, body: object) {
  const wallet = `0x${'0'.repeat(39)}1`
  const placeholders = { wallet, nonce: 1, signature: `0x${'1b'.repeat(65)}` }
  return signedRequest(key, { ...placeholders, ...body }, signing)
}

test('an order, a replacement and a cancel are signed as the client signs them', () => {
  const routed = { ...order, tif: 'ioc', route: 'best_execution' } as const
  assert.deepEqual(signed('POST /order', routed), signPlaceOrder(context, routed, 7))
  const reducing = { ...routed, reduceOnly: true }
  const { reduceOnly: reduce_only, ...rest } = reducing
  assert.deepEqual(
    signed('POST /order', { ...rest, reduce_only }),
    signPlaceOrder(context, reducing, 7),
  )
  const replaced = { ...order, tif: 'gtc' } as const
  assert.deepEqual(
    signed('PUT /order', { ...replaced, order_id: 4096 }),
    signReplaceOrder(context, { ...replaced, orderId: 4096 }, 7),
  )
  const byClientId = signCancelByClientId(context, 'first-1', 7)
  assert.deepEqual(signed('DELETE /order', { client_id: 'first-1' }), byClientId)
})

test('each item of a bulk has its own signature and nonce', () => {
  let nonce = 10
  const each = { ...signing, nextNonce: () => nonce++ }
  const orders = [
    { ...order, tif: 'gtc' },
    { ...order, tif: 'gtc' },
  ]
  const body = signedRequest('POST /bulk_order', { orders }, each) as {
    orders: { nonce: number }[]
  }
  assert.deepEqual(
    body.orders.map((item) => item.nonce),
    [10, 11],
  )
})

test('actions of the account, requests for quote and orders of perps are signed, too', () => {
  const mode = { margin_mode: 'portfolio' }
  assert.deepEqual(
    signed('POST /margin-mode', mode)?.['signature'],
    signAction(context, 'SetMarginMode', { marginMode: 'portfolio' }, 7)['signature'],
  )
  const rfqId = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
  const legs = [{ instrument: order.symbol, side: 'Buy', size: '1' }] as const
  assert.equal(
    signed('POST /rfq/request', { rfq_id: rfqId, legs })?.['signature'],
    signRfq(context, { rfqId, legs }, 7)['signature'],
  )
  const terms = { asset: 0, side: 'Buy', size: '0.5', price: '1250' } as const
  const perp = signPerpOrder({ ...context, source: signing.perpSource }, terms, 7)
  assert.equal(signed('POST /perp-order', perp)?.['signature'], perp['signature'])
  const cancel = { asset: 0, oid: 12 }
  assert.equal(
    signed('POST /v1/actions/hl_cancel_by_oid', { action: cancel })?.['signature'],
    signDirective(context, 'hl_cancel_by_oid', cancel, 7)['signature'],
  )
})

test('the example of every signed operation can be signed; an acceptance needs its premium', () => {
  for (const [key, { list }] of Object.entries(signedWrites)) {
    const example = exampleBody(key, list, true) as Record<string, unknown>
    const more = key === 'POST /rfq/accept' ? { net_premium: '-12.5' } : {}
    const body = signedRequest(key, { ...example, ...more }, signing)
    const [item] = list === null ? [body] : (body![list] as Record<string, unknown>[])
    assert.match(String(item?.['signature']), /^0x[0-9a-f]{130}$/, key)
    assert.equal(item?.['nonce'], 7, key)
    assert.equal('net_premium' in item!, false, key)
  }
  assert.equal(signedRequest('POST /faucet', {}, signing), null)
})
