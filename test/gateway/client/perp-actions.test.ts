import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '@msgpack/msgpack'
import { concatHex, keccak256, numberToHex, recoverTypedDataAddress, toHex } from 'viem'
import {
  type PerpSigningContext,
  signPerpCancel,
  signPerpCancelByClientId,
  signPerpOrder,
} from '../../../gateway/client/perp-actions.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { signingVectors } from '../../support/signing-vectors.js'

const signer = createSigner(signingVectors.keys['A']!.privateKey)
const context: PerpSigningContext = { source: 'd', signer, wallet: signer.address }
const cloid = `0x${'0a'.repeat(16)}`

/** Returns the signer of a body over this action, by a second implementation of standard and hash. */
async function signerOf(body: Readonly<Record<string, unknown>>, action: object) {
  const { nonce, expiresAfter, signature } = body as { [name: string]: number }
  const expiry = expiresAfter === undefined ? '0x' : toHex(BigInt(expiresAfter), { size: 8 })
  const connectionId = keccak256(
    concatHex([
      toHex(encode(action)),
      numberToHex(nonce!, { size: 8 }),
      '0x00',
      ...(expiresAfter === undefined ? [] : (['0x00', expiry] as const)),
    ]),
  )
  const recovered = await recoverTypedDataAddress({
    domain: {
      name: 'Exchange',
      version: '1',
      chainId: 1337,
      verifyingContract: '0x0000000000000000000000000000000000000000',
    },
    types: {
      Agent: [
        { name: 'source', type: 'string' },
        { name: 'connectionId', type: 'bytes32' },
      ],
    },
    primaryType: 'Agent',
    message: { source: 'd', connectionId },
    signature: signature as unknown as `0x${string}`,
  })
  return recovered.toLowerCase()
}

test('an order is signed over its action, with only the given terms', async () => {
  const terms = { asset: 7, side: 'Buy', size: '0.5', price: '100000' } as const
  const limit = (tif: string) => ({ limit: { tif } })
  const plain = { a: 7, b: true, p: '100000', s: '0.5', r: false, t: limit('Gtc') }
  const nonce = 2 ** 52 + 3
  const body = signPerpOrder(context, terms, nonce)
  const action = { type: 'order', orders: [plain], grouping: 'na' }
  assert.deepEqual(body, { wallet: signer.address, action, nonce, signature: body['signature'] })
  assert.equal(await signerOf(body, action), signer.address)
  const more = { side: 'Sell', tif: 'alo', clientId: cloid, reduceOnly: true } as const
  const expiring = signPerpOrder(context, { ...terms, ...more, expiresAfterMillis: 2 ** 41 }, 5)
  const order = { ...plain, b: false, r: true, t: limit('Alo'), c: cloid }
  assert.equal(expiring['expiresAfter'], 2 ** 41)
  const signed = { type: 'order', orders: [order], grouping: 'na' }
  assert.deepEqual(expiring['action'], signed)
  assert.equal(await signerOf(expiring, signed), signer.address)
})

test('cancels are signed by order id and by client id', async () => {
  const byId = signPerpCancel(context, 7, 5_000_000_000, 1)
  const cancel = { type: 'cancel', cancels: [{ a: 7, o: 5_000_000_000 }] }
  assert.deepEqual(byId['action'], cancel)
  assert.equal(await signerOf(byId, cancel), signer.address)
  const byClientId = signPerpCancelByClientId(context, 7, cloid, 2)
  const named = { type: 'cancelByCloid', cancels: [{ asset: 7, cloid }] }
  assert.deepEqual(byClientId['action'], named)
  assert.equal(await signerOf(byClientId, named), signer.address)
})

test('signatures equal the vectors', () => {
  const contextOf = (source: string) => {
    const key = createSigner(signingVectors.keys['H']!.privateKey)
    return { source, signer: key, wallet: key.address }
  }
  const signatureOf = (name: string) =>
    signingVectors.vectors.find((vector) => vector.name === name)!.signature
  const order = { asset: 1, side: 'Buy', size: '100', price: '100' } as const
  const clientId = '0x00000000000000000000000000000001'
  const immediate = { asset: 4, side: 'Buy', size: '0.0147', price: '1670.1', tif: 'ioc' } as const
  for (const [name, body] of [
    ['perp_order_gtc_mainnet', signPerpOrder(contextOf('a'), order, 0)],
    ['perp_order_gtc_testnet', signPerpOrder(contextOf('b'), order, 0)],
    ['perp_order_cloid_mainnet', signPerpOrder(contextOf('a'), { ...order, clientId }, 0)],
    ['perp_order_ioc_mainnet', signPerpOrder(contextOf('a'), immediate, 1_677_777_606_040)],
    [
      'perp_cancel_by_cloid',
      signPerpCancelByClientId(contextOf('a'), 1, clientId, 1_790_400_000_000),
    ],
  ] as const) {
    assert.equal(body['signature'], signatureOf(name), name)
  }
})
