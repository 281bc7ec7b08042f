import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHex } from '../../../schemas/hex.js'
import {
  isSignatureSound,
  parseSignature,
  recoveryBit,
  signatureFormFault,
} from '../../../schemas/signing/signature.js'
import { signingVectors } from '../../support/signing-vectors.js'

const text = signingVectors.vectors[0]!.signature

test('signature text has 0x and 130 digits of any case', () => {
  const out = new Uint8Array(65)
  const upper = `0x${text.slice(2).toUpperCase()}`
  assert.ok(parseSignature(upper, out))
  assert.deepEqual(out, parseHex(text))
  const bad = [
    ...['', '0x', text.slice(2), text.slice(0, -1), `${text}0`, `${text}00`, ` ${text}`],
    ...[`${text.slice(0, -1)}x`, `0X${text.slice(2)}`, `${upper.slice(0, -2)}é0`],
  ]
  for (const candidate of bad) assert.ok(!parseSignature(candidate, out), candidate)
})

test('a malformed signature has a fault of its form, and a sound one has none', () => {
  const must = 'the signature must be 0x and 130 hexadecimal digits'
  assert.equal(signatureFormFault(text), null)
  assert.equal(signatureFormFault(text.slice(2)), `${must}, and lacks the 0x`)
  assert.equal(signatureFormFault(text.slice(0, -1)), `${must}, and has 129 digits`)
  assert.equal(signatureFormFault(`${text.slice(0, -1)}x`), `${must}, and has another character`)
})

test('every signature of the vectors is sound', () => {
  for (const { name, signature } of signingVectors.vectors) {
    assert.ok(isSignatureSound(parseHex(signature)!), name)
  }
})

test('v identifies the recovery bit in two ways', () => {
  assert.deepEqual([0, 1, 27, 28].map(recoveryBit), [0, 1, 0, 1])
  assert.deepEqual([2, 3, 26, 29, 30, 31, 35, 255].map(recoveryBit), Array(8).fill(-1))
})
