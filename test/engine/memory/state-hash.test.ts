import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HashKind, hashText, StateHash } from '../../../engine/memory/state-hash.js'

test('the order of facts does not show, and removing undoes adding', () => {
  const one = new StateHash()
  const other = new StateHash()
  one.add(HashKind.Cash, 1, 0, 500)
  one.add(HashKind.Nonce, 1, 2, 3)
  other.add(HashKind.Nonce, 1, 2, 3)
  other.add(HashKind.Agent, 9, 9, 9)
  other.add(HashKind.Cash, 1, 0, 500)
  other.remove(HashKind.Agent, 9, 9, 9)
  assert.deepEqual({ ...one }, { ...other })
  one.remove(HashKind.Cash, 1, 0, 500)
  one.remove(HashKind.Nonce, 1, 2, 3)
  assert.deepEqual({ ...one }, { low: 0, high: 0 })
})

test('each part of a fact counts, and so does its kind', () => {
  const seen = new Set<string>()
  for (const kind of Object.values(HashKind)) {
    for (const a of [-1, 0, 1, 2 ** 40]) {
      for (const b of [-1, 0, 1]) {
        for (const value of [0, 1, -1, 2 ** 53 - 1, 0.5]) {
          const hash = new StateHash()
          hash.add(kind, a, b, value)
          seen.add(hashText(hash.low, hash.high))
        }
      }
    }
  }
  assert.equal(seen.size, Object.values(HashKind).length * 4 * 3 * 5)
  const kinds = Object.values(HashKind)
  assert.equal(new Set(kinds).size, kinds.length)
})

test('the text is sixteen digits, the high lane first', () => {
  assert.equal(hashText(-1, 1), '00000001ffffffff')
})
