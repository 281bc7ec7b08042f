import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastKeccak256 as keccak256 } from '../../../gateway/auth/fast-keccak.js'
import {
  createTextHasher,
  createWordBuffer,
  forgetTexts,
  writeFreshTextHash,
  writeTextHash,
} from '../../../gateway/auth/text-hasher.js'
import { keccak256Reference } from '../../../schemas/signing/keccak-reference.js'

const utf8 = new TextEncoder()
const target = createWordBuffer(3)

test('texts of every length hash correctly while all compete for one slot', () => {
  const hasher = createTextHasher(keccak256, 1)
  for (let length = 0; length <= 70; length++) {
    for (const text of ['a'.repeat(length), 'b'.repeat(length), 'b'.repeat(length)]) {
      writeTextHash(hasher, text, target, 1)
      assert.deepEqual(target.bytes.slice(32, 64), keccak256Reference(utf8.encode(text)), text)
      writeFreshTextHash(hasher, text, target, 2)
      assert.deepEqual(target.bytes.slice(64), target.bytes.slice(32, 64), text)
    }
  }
  assert.ok(
    target.bytes.subarray(0, 32).every((byte) => byte === 0),
    'a neighbour was written',
  )
})

test('texts beyond ASCII are hashed over their UTF-8 bytes', () => {
  const hasher = createTextHasher(keccak256, 4)
  for (const text of ['é', 'a\u0080', '日本', '😀', 'x😀', '\u0000', 'a\u0000']) {
    writeTextHash(hasher, text, target, 0)
    assert.deepEqual(target.bytes.slice(0, 32), keccak256Reference(utf8.encode(text)), text)
  }
})

test('a repeated text is hashed once, until the texts are cleared', () => {
  let hashes = 0
  const hasher = createTextHasher((data) => {
    hashes++
    return keccak256(data)
  }, 64)
  hashes = 0
  for (let i = 0; i < 5; i++) writeTextHash(hasher, 'BTC-20261002-100000-C', target, 0)
  assert.equal(hashes, 1)
  const first = target.bytes.slice(0, 32)
  forgetTexts(hasher)
  writeTextHash(hasher, 'BTC-20261002-100000-C', target, 0)
  assert.equal(hashes, 2)
  assert.deepEqual(target.bytes.slice(0, 32), first)
})
