import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../bench/book-replay/book-flow.js'
import {
  addKey,
  allocateRoot,
  freeRoot,
  KeyTree,
  keyMax,
  leastKey,
  nextKey,
  noKey,
  removeKey,
} from '../../../engine/matching/key-tree.js'

function keysOf(tree: KeyTree, root: number): number[] {
  const keys: number[] = []
  for (let key = leastKey(tree, root); key !== noKey; key = nextKey(tree, root, key)) keys.push(key)
  return keys
}

test('an empty side has no lowest key and no next one', () => {
  const tree = new KeyTree()
  const root = allocateRoot(tree)
  assert.equal(leastKey(tree, root), noKey)
  assert.equal(nextKey(tree, root, 0), noKey)
  assert.equal(nextKey(tree, root, keyMax), noKey)
})

test('keys at the boundaries of words, pages and nodes are returned in order', () => {
  const tree = new KeyTree(1)
  const root = allocateRoot(tree)
  const keys = [0, 1, 31, 32, 33, 1023, 1024, 32767, 32768, 524287, 524288, keyMax - 1, keyMax]
  for (const key of [...keys].reverse()) addKey(tree, root, key)
  assert.deepEqual(keysOf(tree, root), keys)
})

test('next finds the key after a missing one', () => {
  const tree = new KeyTree()
  const root = allocateRoot(tree)
  for (const key of [31, 40_000, keyMax]) addKey(tree, root, key)
  assert.equal(nextKey(tree, root, 5), 31)
  assert.equal(nextKey(tree, root, 31), 40_000)
  assert.equal(nextKey(tree, root, 39_999), 40_000)
  assert.equal(nextKey(tree, root, 600_000), keyMax)
  assert.equal(nextKey(tree, root, keyMax), noKey)
})

test('random adds and removes agree with a sorted set, and empty nodes are freed', () => {
  const seed = 20261
  const random = randomFrom(seed)
  const tree = new KeyTree(1)
  const root = allocateRoot(tree)
  const twin = new Set<number>()
  for (let step = 0; step < 20_000; step++) {
    const spread = [200, 5_000, keyMax + 1][Math.floor(random() * 3)]
    const key = Math.floor(random() * spread)
    if (twin.has(key)) {
      removeKey(tree, root, key)
      twin.delete(key)
    } else if (twin.size < 300) {
      addKey(tree, root, key)
      twin.add(key)
    }
    if (step % 200 !== 0) continue
    const keys = [...twin].sort((a, b) => a - b)
    assert.deepEqual(keysOf(tree, root), keys, `seed ${seed}, step ${step}`)
    const probe = Math.floor(random() * spread)
    const behind = keys.find((candidate) => candidate > probe) ?? noKey
    assert.equal(nextKey(tree, root, probe), behind, `seed ${seed}, step ${step}, key ${probe}`)
  }
  for (const key of twin) removeKey(tree, root, key)
  assert.equal(tree.nodeCount, 1)
  freeRoot(tree, root)
  assert.equal(tree.nodeCount, 0)
  assert.ok(tree.bitmaps.every((bits) => bits === 0))
})

test('a missing key cannot be removed, and a root with keys cannot be freed', () => {
  const tree = new KeyTree()
  const root = allocateRoot(tree)
  assert.throws(() => removeKey(tree, root, 9), /the key is there/)
  addKey(tree, root, 8)
  assert.throws(() => removeKey(tree, root, 9), /the key is there/)
  assert.throws(() => freeRoot(tree, root), /freed empty/)
})
