import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatNonce, parseNonce } from '../../schemas/nonce.js'

const halves = new Uint32Array(2)

test('the parser reads integers to 2^53-1 and decimal text to 2^64-1', () => {
  const values = {
    '0': [0, 0],
    '4294967295': [0, 0xffffffff],
    '4294967296': [1, 0],
    '9007199254740991': [0x1fffff, 0xffffffff],
    '9007199254740993': [0x200000, 1],
    '18446744073709551615': [0xffffffff, 0xffffffff],
  }
  for (const [text, expected] of Object.entries(values)) {
    assert.ok(parseNonce(text, halves), text)
    assert.deepEqual([...halves], expected, text)
    assert.equal(formatNonce(halves[0]!, halves[1]!), text)
    if (Number.isSafeInteger(Number(text))) {
      assert.ok(parseNonce(Number(text), halves))
      assert.deepEqual([...halves], expected)
    }
  }
  assert.ok(parseNonce('00000000000000000007', halves))
  assert.deepEqual([...halves], [0, 7])
})

test('the parser rejects all other values and does not touch the target', () => {
  const bad = [
    ...[-1, -0, 1.5, 2 ** 53, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
    ...['', '-1', '+1', '1.0', '1e3', ' 1', '1 ', '0x1', '18446744073709551616', '9'.repeat(30)],
    '0'.repeat(21),
    ...[null, undefined, true, {}, [], [1], 1n],
  ]
  halves.set([11, 12])
  for (const value of bad) assert.ok(!parseNonce(value, halves), String(value))
  assert.deepEqual([...halves], [11, 12])
})

test('the parser agrees with exact arithmetic on any 64 bits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
      assert.ok(parseNonce(String(value), halves))
      assert.equal((BigInt(halves[0]!) << 32n) | BigInt(halves[1]!), value)
      assert.equal(formatNonce(halves[0]!, halves[1]!), String(value))
    }),
    { numRuns: 1_000 },
  )
})
