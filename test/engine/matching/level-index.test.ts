import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../bench/book-flow.js'
import {
  allocateRoot,
  fillPlace,
  firstLevel,
  freeRoot,
  keyMax,
  LevelIndex,
  levelAt,
  nextLevel,
  noLevel,
  placeOf,
  removeLevel,
} from '../../../engine/matching/level-index.js'

/** Levels are named by their key plus one, so that a level tells where it was put. */
function insert(index: LevelIndex, root: number, key: number): void {
  fillPlace(index, placeOf(index, root, key), key + 1)
}

function keysOf(index: LevelIndex, root: number): number[] {
  const keys: number[] = []
  for (let level = firstLevel(index, root); level !== noLevel; ) {
    keys.push(level - 1)
    level = nextLevel(index, root, level - 1)
  }
  return keys
}

test('an empty side has no first level, no next one and none at any key', () => {
  const index = new LevelIndex()
  const root = allocateRoot(index)
  assert.equal(firstLevel(index, root), noLevel)
  assert.equal(nextLevel(index, root, 0), noLevel)
  assert.equal(nextLevel(index, root, keyMax), noLevel)
  assert.equal(levelAt(index, root, 12345), noLevel)
})

test('keys at the borders of nodes come back in order', () => {
  const index = new LevelIndex(1)
  const root = allocateRoot(index)
  const keys = [0, 1, 31, 32, 33, 1023, 1024, 32767, 32768, 524287, 524288, keyMax - 1, keyMax]
  for (const key of [...keys].reverse()) insert(index, root, key)
  assert.deepEqual(keysOf(index, root), keys)
})

test('next finds the level behind a key that has none', () => {
  const index = new LevelIndex()
  const root = allocateRoot(index)
  for (const key of [31, 40_000, keyMax]) insert(index, root, key)
  assert.equal(nextLevel(index, root, 5) - 1, 31)
  assert.equal(nextLevel(index, root, 31) - 1, 40_000)
  assert.equal(nextLevel(index, root, 39_999) - 1, 40_000)
  assert.equal(nextLevel(index, root, 600_000) - 1, keyMax)
  assert.equal(nextLevel(index, root, keyMax), noLevel)
})

test('sides share nodes without seeing each other', () => {
  const index = new LevelIndex(2)
  const left = allocateRoot(index)
  const right = allocateRoot(index)
  insert(index, left, 7)
  insert(index, right, 8)
  assert.deepEqual(keysOf(index, left), [7])
  assert.deepEqual(keysOf(index, right), [8])
})

test('random inserts and removes agree with a sorted set, and empty nodes are given back', () => {
  const seed = 20261
  const random = randomFrom(seed)
  const index = new LevelIndex(1)
  const root = allocateRoot(index)
  const twin = new Set<number>()
  for (let step = 0; step < 20_000; step++) {
    const spread = random() < 0.5 ? 200 : keyMax + 1
    const key = Math.floor(random() * spread)
    if (twin.has(key)) {
      removeLevel(index, root, key)
      twin.delete(key)
    } else if (twin.size < 300) {
      insert(index, root, key)
      twin.add(key)
    }
    if (step % 500 === 0) {
      const keys = [...twin].sort((a, b) => a - b)
      assert.deepEqual(keysOf(index, root), keys, `seed ${seed}, step ${step}`)
    }
    const probe = Math.floor(random() * spread)
    assert.equal(levelAt(index, root, probe), twin.has(probe) ? probe + 1 : noLevel)
  }
  for (const key of twin) removeLevel(index, root, key)
  assert.equal(index.nodeCount, 1)
  freeRoot(index, root)
  assert.equal(index.nodeCount, 0)
  assert.ok(index.bitmaps.every((bits) => bits === 0))
})

test('a level that is not there is not removed', () => {
  const index = new LevelIndex()
  const root = allocateRoot(index)
  assert.throws(() => removeLevel(index, root, 9), /the level is there/)
})
