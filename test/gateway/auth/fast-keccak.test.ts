import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fastKeccak256 as keccak256 } from '../../../gateway/auth/fast-keccak.js'
import { keccak256Reference } from '../../../schemas/signing/keccak-reference.js'

test('the hash of the empty text is the known one', () => {
  const known = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
  assert.equal(Buffer.from(keccak256(new Uint8Array(0))).toString('hex'), known)
})

test('the hash agrees with the reference at every length around the block of 136 bytes', () => {
  for (let length = 0; length <= 420; length++) {
    const data = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 0xff)
    assert.deepEqual(keccak256(data), keccak256Reference(data), `${length} bytes`)
  }
})

test('the hash agrees with the reference on any bytes, also more than its memory holds', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (data) => {
      assert.deepEqual(keccak256(data), keccak256Reference(data))
    }),
  )
  const large = new Uint8Array(300_000).fill(0x5a)
  assert.deepEqual(keccak256(large), keccak256Reference(large))
})

test('a result survives the next one, and a view hashes its own bytes', () => {
  const whole = Uint8Array.of(1, 2, 3, 4)
  const first = keccak256(whole.subarray(1, 3))
  const copy = Uint8Array.from(first)
  keccak256(whole)
  assert.deepEqual(first, copy)
  assert.deepEqual(first, keccak256Reference(Uint8Array.of(2, 3)))
})
