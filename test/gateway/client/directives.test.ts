import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyTypedData } from 'viem'
import { signDirective } from '../../../gateway/client/directives.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { directiveOf } from '../../../schemas/signing/directive-actions.js'
import { signingDomains, type TypedField } from '../../../schemas/typed-data.js'
import { signingVectors } from '../../support/signing-vectors.js'

const signer = createSigner(signingVectors.keys['B']!.privateKey)
const domain = { name: 'Strikebook', version: '1', chainId: 31_337 }
const context = { domain, signer, wallet: signer.address }

test('a body is signed in the domain of its key, with large numbers as decimal text', async () => {
  const size = { limitPx: 10n ** 13n, sz: 5_000_000, reduceOnly: false } as const
  const terms = { asset: 7, isBuy: true, ...size, encodedTif: 2 } as const
  const nonce = 2 ** 52 + 1
  const body = signDirective(context, 'hl_limit_order', terms, nonce)
  const { signature, ...rest } = body
  const action = { ...terms, limitPx: '10000000000000' }
  assert.deepEqual(rest, { account: signer.address, nonce, action })
  const { struct } = directiveOf('hl_limit_order')
  const types: Record<string, TypedField[]> = { [struct.primaryType]: [...struct.fields] }
  for (const [name, fields] of Object.entries(struct.nested)) types[name] = [...fields]
  const isSound = await verifyTypedData({
    address: signer.address as `0x${string}`,
    domain: {
      ...signingDomains('Strikebook', 31_337).apiSign,
      verifyingContract: `0x${'0'.repeat(40)}`,
    },
    types,
    primaryType: struct.primaryType,
    message: {
      account: signer.address,
      nonce: BigInt(nonce),
      action: { ...terms, sz: 5_000_000n, cloid: BigInt(nonce) },
    },
    signature: signature as `0x${string}`,
  })
  assert.ok(isSound)
})
