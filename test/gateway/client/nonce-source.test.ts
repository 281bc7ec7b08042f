import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNonceSource } from '../../../gateway/client/nonce-source.js'

test('nonces rise even if the clock does not, or goes back', () => {
  const times = [1000, 1000, 999, 2000]
  const nextNonce = createNonceSource(() => times.shift() ?? 2000)
  assert.deepEqual(
    [nextNonce(), nextNonce(), nextNonce(), nextNonce()],
    [1_000_000, 1_000_001, 1_000_002, 2_000_000],
  )
})

test('current nonces are safe integers', () => {
  assert.ok(Number.isSafeInteger(createNonceSource()()))
})
