import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatHex, hasHexPrefix, parseHex, writeHex } from '../../schemas/hex.js'

test('any bytes survive their text, also inside a larger buffer', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat({ max: 5 }), (bytes, at) => {
      const whole = new Uint8Array(at + bytes.length + 3)
      whole.set(bytes, at)
      const text = formatHex(whole.subarray(at), 0, bytes.length)
      assert.equal(formatHex(whole, at, bytes.length), text)
      assert.deepEqual(parseHex(text), bytes)
    }),
  )
})

test('the parser rejects odd lengths, other prefixes and other characters', () => {
  for (const text of ['', '0', 'ab', '0xa', '0xabc', '0Xab', '0xag', '0x-1', '0x 1', '0x１1']) {
    assert.equal(parseHex(text), null, text)
  }
  assert.deepEqual(parseHex('0x'), new Uint8Array(0))
})

test('a text that ends too early is rejected', () => {
  assert.ok(!writeHex('abc', 0, new Uint8Array(2), 0, 2))
  assert.ok(!writeHex('abcd', 1, new Uint8Array(2), 0, 2))
  assert.ok(writeHex('abcd', 0, new Uint8Array(2), 0, 2))
})

test('the prefix is 0x', () => {
  assert.deepEqual(['0x', '0x1', '0X', 'x0', '0', ''].map(hasHexPrefix), [
    ...[true, true, false, false, false, false],
  ])
})
