import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNonceSource } from '../../../gateway/client/nonce-source.js'

test('nonces rise while the clock stands still, and when it goes back', () => {
  const times = [1000, 1000, 999, 2000]
  const nextNonce = createNonceSource(() => times.shift() ?? 2000)
  assert.deepEqual(
    [nextNonce(), nextNonce(), nextNonce(), nextNonce()],
    [1_000_000, 1_000_001, 1_000_002, 2_000_000],
  )
})

test('nonces of now are safe integers', () => {
  assert.ok(Number.isSafeInteger(createNonceSource()()))
})
