import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StateSink } from '../../../engine/memory/state-codec.js'
import {
  HashCell,
  HashKind,
  hashText,
  rowDoubles,
  rowWords,
  StateHash,
} from '../../../engine/memory/state-hash.js'

/** Adds a row of two doubles and a word, or removes it. */
function put(hash: StateHash, kind: HashKind, a: number, b: number, word: number, adds = true) {
  rowDoubles[0] = a
  rowDoubles[1] = b
  rowWords[4] = word
  hash.put(kind, 5, adds)
}

test('the order of elements does not affect the hash, and removing undoes adding', () => {
  const one = new StateHash()
  const other = new StateHash()
  put(one, HashKind.Wallet, 1, 0, 500)
  put(one, HashKind.Nonce, 1, 2, 3)
  put(other, HashKind.Nonce, 1, 2, 3)
  put(other, HashKind.Agents, 9, 9, 9)
  put(other, HashKind.Wallet, 1, 0, 500)
  put(other, HashKind.Agents, 9, 9, 9, false)
  assert.deepEqual({ ...one }, { ...other })
  put(one, HashKind.Wallet, 1, 0, 500, false)
  put(one, HashKind.Nonce, 1, 2, 3, false)
  assert.deepEqual({ ...one }, { low: 0, high: 0 })
})

test('each part of an element counts, its position among the others, and its kind', () => {
  const seen = { both: new Set<string>(), low: new Set<number>(), high: new Set<number>() }
  const kinds = Object.values(HashKind)
  let count = 0
  for (const kind of kinds) {
    for (const a of [-1, 0, 1, 2 ** 40]) {
      for (const b of [0, 1, -1, 2 ** 53 - 1, 0.5]) {
        for (const word of [-1, 0, 1]) {
          const hash = new StateHash()
          put(hash, kind, a, b, word)
          seen.both.add(hashText(hash.low, hash.high))
          seen.low.add(hash.low)
          seen.high.add(hash.high)
          count++
        }
      }
    }
  }
  for (const [lane, values] of Object.entries(seen)) assert.equal(values.size, count, lane)
  assert.equal(new Set(kinds).size, kinds.length)
})

test('a refresh hashes each noted row anew, once; a dropped row is gone', () => {
  const hash = new StateHash()
  let value = 1
  let saves = 0
  const cell = new HashCell(HashKind.Funds, {
    save: (sink: StateSink) => {
      saves++
      sink.f64(value)
      sink.text('fees')
      sink.bytes(Uint8Array.of(value))
    },
  })
  const seen = new Set<string>()
  for (value = 1; value <= 3; value++) {
    hash.note(cell)
    hash.note(cell)
    hash.refresh()
    hash.refresh()
    seen.add(hashText(hash.low, hash.high))
  }
  assert.deepEqual([seen.size, saves], [3, 3])
  hash.note(cell)
  hash.drop(cell)
  hash.refresh()
  assert.deepEqual({ ...hash }, { low: 0, high: 0 })
  assert.equal(saves, 3)
})

test('zero and minus zero hash the same, and so do all NaNs', () => {
  const hashOf = (value: number) => {
    const hash = new StateHash()
    hash.note(new HashCell(HashKind.Marks, { save: (sink) => sink.f64(value) }))
    hash.refresh()
    return hashText(hash.low, hash.high)
  }
  assert.equal(hashOf(0), hashOf(-0))
  const odd = new Float64Array(new BigInt64Array([0x7ff8_0000_0000_0001n]).buffer)[0]!
  assert.equal(hashOf(odd), hashOf(Number.NaN))
  assert.notEqual(hashOf(0), hashOf(Number.NaN))
})

test('the text is sixteen digits, the high lane first', () => {
  assert.equal(hashText(-1, 1), '00000001ffffffff')
})
