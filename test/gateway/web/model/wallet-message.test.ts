import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletMessage } from '../../../../gateway/web/model/wallet-message.js'

test('a wallet receives the type of the domain, and integers as text', () => {
  const domain = { name: 'Strikebook', version: '1', chainId: 1 }
  const data = {
    domain: { ...domain, verifyingContract: '0x0000000000000000000000000000000000000000' as const },
    types: { Leg: [{ name: 'size', type: 'uint64' }] },
    primaryType: 'Leg',
    message: { size: 2n ** 60n, inner: [{ nonce: 1n, flag: true }] },
  }
  const given = JSON.parse(JSON.stringify(walletMessage(data)))
  assert.deepEqual(given.message, {
    size: '1152921504606846976',
    inner: [{ nonce: '1', flag: true }],
  })
  assert.deepEqual(Object.keys(given.types), ['EIP712Domain', 'Leg'])
})
