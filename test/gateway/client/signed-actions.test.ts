import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashTypedData, recoverTypedDataAddress } from 'viem'
import { typedStructs } from '../../../gateway/actions/typed-structs.js'
import {
  type SigningContext,
  signAction,
  signCancelByClientId,
  signCancelOrder,
  signPlaceOrder,
  signReplaceOrder,
} from '../../../gateway/client/signed-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'
import type { StructType } from '../../../schemas/typed-data.js'
import { signingVectors } from '../../support/signing-vectors.js'

const [key] = Object.values(signingVectors.keys)
const signer = createSigner(key!.privateKey)
const domain = { name: 'Strikebook', version: '1', chainId: 31_337 }
const context: SigningContext = { domain, signer, wallet: signer.address }
const terms = {
  symbol: 'BTC-20270326-100000-C',
  side: 'Buy',
  size: '1.50',
  price: '250.0',
} as const

/** Returns the signer, by a second implementation of the standard. */
function recover(struct: StructType, message: Record<string, unknown>, signature: unknown) {
  return recoverTypedDataAddress({
    domain: { ...domain, verifyingContract: '0x0000000000000000000000000000000000000000' },
    types: { [struct.primaryType]: struct.fields },
    primaryType: struct.primaryType,
    message,
    signature: signature as `0x${string}`,
  })
}

async function assertSigned(
  struct: StructType,
  message: Record<string, unknown>,
  body: Readonly<Record<string, unknown>>,
) {
  const recovered = await recover(struct, message, body['signature'])
  assert.equal(recovered.toLowerCase(), signer.address)
}

test('the vectors of the signer use the test keys', () => {
  assert.equal(signer.address, key!.address.toLowerCase())
  const vector = signingVectors.vectors.find((candidate) => candidate.primaryType === 'PlaceOrder')!
  const vectorKey = signingVectors.keys[vector.privateKeyName]!
  const digest = hashTypedData({
    domain: {
      ...vector.domain,
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: { PlaceOrder: vector.types },
    primaryType: 'PlaceOrder',
    message: vector.message,
  })
  assert.equal(digest, vector.digest)
  const signature = createSigner(vectorKey.privateKey).sign(Buffer.from(digest.slice(2), 'hex'))
  assert.equal(signature, vector.signature)
})

test('an order goes to the book by default, and signs its texts unchanged', async () => {
  const body = signPlaceOrder(context, terms, 7)
  const message = { ...terms, wallet: signer.address, tif: 'gtc', clientId: '', nonce: 7n }
  assert.equal(body['route'], 'book_only')
  assert.equal(body['size'], '1.50')
  await assertSigned(typedStructs.PlaceOrder, { ...message, route: 'book_only' }, body)
})

test('an undefined term counts as absent', () => {
  const unsaid = { tif: undefined, clientId: undefined, reduceOnly: undefined }
  const body = signPlaceOrder(context, { ...terms, ...unsaid } as unknown as typeof terms, 7)
  assert.deepEqual(body, signPlaceOrder(context, terms, 7))
})

test('an order without a route omits it from body and signature', async () => {
  const body = signPlaceOrder(context, { ...terms, route: null, clientId: 'a b' }, 8)
  const message = { ...terms, wallet: signer.address, tif: 'gtc', clientId: 'a b', nonce: 8n }
  assert.ok(!('route' in body))
  assert.equal(body['client_id'], 'a b')
  await assertSigned(typedStructs.PlaceOrderWithoutRoute, message, body)
})

test('a reduce-only order signs its own struct', async () => {
  const body = signPlaceOrder(context, { ...terms, reduceOnly: true, tif: 'ioc' }, 9)
  const message = {
    ...terms,
    wallet: signer.address,
    tif: 'ioc',
    route: 'book_only',
    clientId: '',
    reduceOnly: true,
    nonce: 9n,
  }
  assert.equal(body['reduce_only'], true)
  await assertSigned(typedStructs.PlaceOrderReduceOnly, message, body)
})

test('a replacement signs the order id as text and sends it as a number', async () => {
  const body = signReplaceOrder(context, { ...terms, orderId: 1024 }, 10)
  const message = { ...terms, wallet: signer.address, tif: 'gtc', clientId: '', nonce: 10n }
  assert.equal(body['order_id'], 1024)
  await assertSigned(typedStructs.ReplaceOrder, { ...message, orderId: '1024' }, body)
})

test('cancels and agent actions verify', async () => {
  const wallet = signer.address
  const agent = '0x00000000000000000000000000000000000000aa'
  await assertSigned(
    typedStructs.CancelOrder,
    { wallet, orderId: '5', nonce: 1n },
    signCancelOrder(context, 5, 1),
  )
  await assertSigned(
    typedStructs.CancelOrderByClientId,
    { wallet, clientId: 'x', nonce: 2n },
    signCancelByClientId(context, 'x', 2),
  )
  const approval = signAction(context, 'ApproveAgent', { agent }, 3)
  await assertSigned(typedStructs.ApproveAgent, { agent, nonce: 3n }, approval)
  await assertSigned(
    typedStructs.RevokeAgent,
    { agent, nonce: 4n },
    signAction(context, 'RevokeAgent', { agent }, 4),
  )
  await assertSigned(
    typedStructs.RevokeAllAgents,
    { nonce: 5n },
    signAction(context, 'RevokeAllAgents', {}, 5),
  )
  await assertSigned(
    typedStructs.SetSettlementPayoutSeen,
    { wallet, payoutIds: '3,1,3', seen: false, nonce: 6n },
    signAction(context, 'SetSettlementPayoutSeen', { ids: [3, 1, 3], seen: false }, 6),
  )
})

test('a margin mode is signed by its name and sent as the body names it', async () => {
  const body = signAction(context, 'SetMarginMode', { marginMode: 'portfolio' }, 11)
  assert.equal(body['margin_mode'], 'portfolio')
  const message = { wallet: signer.address, marginMode: 'portfolio', nonce: 11n }
  await assertSigned(typedStructs.SetMarginMode, message, body)
})

test('protection: an absent limit is signed as the empty text, and is not in the body', async () => {
  const currency = { currency: 'BTC' }
  const periods = { intervalMs: 5000, frozenTimeMs: 0 }
  const body = signAction(
    context,
    'SetMmpConfig',
    { ...currency, ...periods, deltaLimit: '4.0' },
    12,
  )
  const { signature: _, ...sent } = body
  assert.deepEqual(sent, {
    wallet: signer.address,
    currency: 'BTC',
    interval_ms: 5000,
    frozen_time_ms: 0,
    delta_limit: '4.0',
    nonce: 12,
  })
  const message = { wallet: signer.address, currency: 'BTC', nonce: 12n }
  const limits = { qtyLimit: '', deltaLimit: '4.0', vegaLimit: '' }
  const signed = { ...message, intervalMs: 5000n, frozenTimeMs: 0n, ...limits }
  await assertSigned(typedStructs.SetMmpConfig, signed, body)
  const deletion = signAction(context, 'DeleteMmpConfig', currency, 12)
  await assertSigned(typedStructs.DeleteMmpConfig, message, deletion)
  await assertSigned(typedStructs.ResetMmp, message, signAction(context, 'ResetMmp', currency, 12))
})
