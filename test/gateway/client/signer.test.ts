import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Wallet } from 'ethers'
import { privateKeyToAccount } from 'viem/accounts'
import { typedStructs } from '../../../gateway/actions/typed-structs.js'
import { createSigner } from '../../../gateway/client/signer.js'
import { parseHex } from '../../../schemas/hex.js'
import { typedDataDigest } from '../../../schemas/signing/typed-data-digest.js'
import { signingVectors } from '../../support/signing-vectors.js'

test('addresses and signatures equal all 54 vectors', () => {
  for (const { name, privateKeyName, digest, signature } of signingVectors.vectors) {
    const key = signingVectors.keys[privateKeyName]!
    const signer = createSigner(key.privateKey)
    assert.equal(signer.address, key.address)
    assert.equal(signer.sign(parseHex(digest)!), signature, name)
  }
})

test('it signs typed data like viem and ethers', async () => {
  const { privateKey } = signingVectors.keys['T']!
  const domain = { name: 'Strikebook', version: '1', chainId: 31337 }
  const struct = typedStructs.SetMmpConfig
  const message = {
    wallet: createSigner(privateKey).address as `0x${string}`,
    currency: 'BTC',
    intervalMs: 1_000n,
    frozenTimeMs: 0n,
    qtyLimit: '10.5',
    deltaLimit: '',
    vegaLimit: '',
    nonce: 18_446_744_073_709_551_615n,
  }
  const verifyingContract = '0x0000000000000000000000000000000000000000'
  const full = { ...domain, verifyingContract } as const
  const types = { SetMmpConfig: [...struct.fields] }
  const signature = createSigner(privateKey).sign(typedDataDigest(domain, struct, message))
  assert.equal(await new Wallet(privateKey).signTypedData(full, types, message), signature)
  const account = privateKeyToAccount(privateKey as `0x${string}`)
  const primaryType = 'SetMmpConfig'
  const byViem = await account.signTypedData({ domain: full, types, primaryType, message })
  assert.equal(byViem, signature)
})

test('a key may omit 0x, and must be one of the curve', () => {
  const { privateKey, address } = signingVectors.keys['A']!
  assert.equal(createSigner(privateKey.slice(2)).address, address)
  const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
  for (const key of [
    '',
    '0x',
    '0'.repeat(64),
    order,
    'f'.repeat(64),
    'ab',
    `${privateKey}00`,
    'xyz',
  ]) {
    assert.throws(() => createSigner(key), /private key/, key)
  }
})
