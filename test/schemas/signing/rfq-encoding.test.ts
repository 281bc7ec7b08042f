import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatHex } from '../../../schemas/hex.js'
import {
  type LegTexts,
  legsHash,
  legsText,
  parsePremiumMicros,
  uuidToBytes32,
} from '../../../schemas/signing/rfq-encoding.js'
import { signingVectors } from '../../support/signing-vectors.js'

test('encodings equal the vectors', () => {
  const legs = encoding('rfq_legs_hash') as unknown as {
    legs: LegTexts[]
    text: string
    legsHash: string
  }
  assert.equal(legsText(legs.legs), legs.text)
  assert.equal(formatHex(legsHash(legs.legs), 0, 32), legs.legsHash)
  const uuid = encoding('uuid_to_bytes32')
  assert.equal(formatHex(uuidToBytes32(uuid['uuid']!)!, 0, 32), uuid['bytes32'])
  for (const name of ['premium_debit', 'premium_credit']) {
    const premium = encoding(name)
    assert.equal(String(parsePremiumMicros(premium['decimal']!, 'refuse')), premium['int256'])
  }
})

test('leg sizes lose leading zeros and keep trailing ones', () => {
  const sizes = { '01.50': '1.50', '0.5': '0.5', '000.5': '0.5', '007': '7', '0': '0', '000': '0' }
  for (const [size, expected] of Object.entries(sizes)) {
    assert.equal(legsText([{ instrument: 'I', side: 'Sell', size }]), `I|sell|${expected}`)
  }
})

test('a uuid has its hyphens in place', () => {
  const uuid = '550e8400-e29b-41d4-a716-446655440000'
  assert.deepEqual(uuidToBytes32(uuid.toUpperCase()), uuidToBytes32(uuid))
  const bad = [
    '',
    uuid.replaceAll('-', ''),
    `${uuid}0`,
    ` ${uuid}`,
    uuid.replace('5', 'g'),
    `{${uuid}}`,
  ]
  for (const text of bad) assert.equal(uuidToBytes32(text), null, text)
})

test('a premium of more than 6 decimals is rejected, or truncated toward zero', () => {
  assert.equal(parsePremiumMicros('1.0000001', 'refuse'), null)
  assert.equal(parsePremiumMicros('1.0000000', 'refuse'), 1_000_000n)
  assert.equal(parsePremiumMicros('1.0000019', 'truncate'), 1_000_001n)
  assert.equal(parsePremiumMicros('-1.0000019', 'truncate'), -1_000_001n)
  assert.equal(parsePremiumMicros('-0.0000009', 'truncate'), 0n)
  assert.equal(parsePremiumMicros('-0', 'refuse'), 0n)
})

test('a premium stays inside the signed 64-bit range', () => {
  assert.equal(parsePremiumMicros('9223372036854.775807', 'refuse'), 2n ** 63n - 1n)
  assert.equal(parsePremiumMicros('9223372036854.775808', 'refuse'), null)
  assert.equal(parsePremiumMicros('-9223372036854.775808', 'refuse'), -(2n ** 63n))
  assert.equal(parsePremiumMicros('-9223372036854.775809', 'refuse'), null)
  assert.equal(parsePremiumMicros('9'.repeat(100_000), 'truncate'), null)
  for (const text of ['', '-', '+1', '.5', '5.', '1e3', ' 1', '--1', '1,0', '0x1']) {
    assert.equal(parsePremiumMicros(text, 'truncate'), null, text)
  }
})

function encoding(name: string): Record<string, string> {
  return signingVectors.encodings.find((row) => (row['name'] as string) === name)!
}
