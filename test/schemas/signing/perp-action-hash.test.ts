import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatHex } from '../../../schemas/hex.js'
import { parseNonce } from '../../../schemas/nonce.js'
import { keccak256 } from '../../../schemas/signing/keccak.js'
import {
  type PerpAction,
  perpActionBytes,
  perpActionDigest,
  perpConnectionId,
  perpSourceOf,
} from '../../../schemas/signing/perp-action-hash.js'
import { signingVectors } from '../../support/signing-vectors.js'

const perpVectors = signingVectors.vectors.filter((vector) => vector.primaryType === 'Agent')
const plain = { nonceHigh: 0, nonceLow: 0, vault: null, expiresAfterMillis: null }

test('MessagePack and connection ids equal the vectors', () => {
  assert.equal(perpVectors.length, 6)
  const halves = new Uint32Array(2)
  for (const vector of perpVectors) {
    const action = vector.action as unknown as PerpAction
    const bytes = perpActionBytes(action)
    assert.equal(formatHex(bytes, 0, bytes.length), vector.msgpack, vector.name)
    assert.ok(parseNonce(vector.nonce, halves))
    const context = { ...plain, nonceHigh: halves[0]!, nonceLow: halves[1]! }
    const message: Record<string, string> = vector.message
    assert.equal(formatHex(perpConnectionId(action, context), 0, 32), message['connectionId'])
  }
})

test('digests equal the vectors', () => {
  const halves = new Uint32Array(2)
  for (const vector of perpVectors) {
    const action = vector.action as unknown as PerpAction
    assert.ok(parseNonce(vector.nonce, halves))
    const context = { ...plain, nonceHigh: halves[0]!, nonceLow: halves[1]! }
    const { source }: Record<string, string> = vector.message
    const digest = perpActionDigest(action, context, source!)
    assert.equal(formatHex(digest, 0, 32), vector.digest, vector.name)
  }
})

test('the source consists of service and chain, unless one is configured', () => {
  const keys = { perp: { source: '' }, service: { name: 'Strikebook' }, chainId: 31_337 }
  assert.equal(perpSourceOf(keys), 'Strikebook/31337')
  assert.equal(perpSourceOf({ ...keys, chainId: 998 }), 'Strikebook/998')
  assert.equal(perpSourceOf({ ...keys, service: { name: 'Other' } }), 'Other/31337')
  assert.equal(perpSourceOf({ ...keys, perp: { source: 'b' } }), 'b')
})

test('the order of the JSON and unknown keys change nothing', () => {
  for (const vector of perpVectors) {
    const action = reversed(vector.action) as PerpAction
    const bytes = perpActionBytes(action)
    assert.equal(formatHex(bytes, 0, bytes.length), vector.msgpack, vector.name)
  }
})

test('vault and expiry are appended after the nonce', () => {
  const action = perpVectors[0]!.action as unknown as PerpAction
  const vault = new Uint8Array(20).fill(0x11)
  const context = { nonceHigh: 1, nonceLow: 2, vault, expiresAfterMillis: 2 ** 40 + 5 }
  const expected = Buffer.concat([
    perpActionBytes(action),
    Buffer.from(`0000000100000002${'01'}${'11'.repeat(20)}${'00'}0000010000000005`, 'hex'),
  ])
  assert.deepEqual(perpConnectionId(action, context), keccak256(expected))
})

test('a cancel by id has its keys in order', () => {
  const cancels = [{ o: 5_000_000_000, a: 1 }]
  const expected = '82a474797065a663616e63656ca763616e63656c739182a16101a16fcf000000012a05f200'
  const bytes = perpActionBytes({ type: 'cancel', cancels })
  assert.equal(Buffer.from(bytes).toString('hex'), expected)
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, item]) => [key, reversed(item)] as const)
  return Object.fromEntries([...entries.reverse(), ['unknown', 1]])
}
