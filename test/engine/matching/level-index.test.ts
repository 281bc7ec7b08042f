import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '../../../bench/book-replay/book-flow.js'
import { allocateRoot, keyMax } from '../../../engine/matching/key-tree.js'
import {
  addLevel,
  firstLevel,
  LevelIndex,
  levelAt,
  nextLevel,
  noLevel,
  placeField,
  removeLevel,
} from '../../../engine/matching/level-index.js'
import { SlotPool, slotShape } from '../../../engine/matching/slot-pool.js'

function makeIndex(): LevelIndex {
  return new LevelIndex(new SlotPool(1), 1)
}

function insert(index: LevelIndex, root: number, key: number): number {
  const level = index.levels.allocate()
  addLevel(index, root, key, level)
  return level
}

function drop(index: LevelIndex, level: number): void {
  removeLevel(index, level)
  index.levels.free(level)
}

function keyOf(index: LevelIndex, level: number): number {
  return index.levels.words[(level << slotShape.shift) + placeField.key]
}

function keysOf(index: LevelIndex, root: number): number[] {
  const keys: number[] = []
  for (let level = firstLevel(index, root); level !== noLevel; ) {
    keys.push(keyOf(index, level))
    level = nextLevel(index, root, keyOf(index, level))
  }
  return keys
}

test('an empty side has no first level, no next one and none at any key', () => {
  const index = makeIndex()
  const root = allocateRoot(index)
  assert.equal(firstLevel(index, root), noLevel)
  assert.equal(nextLevel(index, root, 0), noLevel)
  assert.equal(levelAt(index, root, 12345), noLevel)
})

test('sides share the table without seeing each other', () => {
  const index = makeIndex()
  const left = allocateRoot(index)
  const right = allocateRoot(index)
  const level = insert(index, left, 7)
  insert(index, right, 8)
  assert.deepEqual(keysOf(index, left), [7])
  assert.deepEqual(keysOf(index, right), [8])
  insert(index, right, 7)
  drop(index, level)
  assert.deepEqual(keysOf(index, left), [])
  assert.deepEqual(keysOf(index, right), [7, 8])
})

test('more levels at even steps than buckets are all found and all removed', () => {
  for (const step of [1, 8, 1000, 1024]) {
    const index = makeIndex()
    const root = allocateRoot(index)
    const levels = new Map<number, number>()
    for (let key = 0; key < step * 1000; key += step) levels.set(key, insert(index, root, key))
    assert.ok(index.buckets.length >= levels.size)
    for (const [key, level] of levels) assert.equal(levelAt(index, root, key), level)
    for (const level of levels.values()) drop(index, level)
    assert.deepEqual([index.levels.count, index.nodeCount], [0, 1])
    assert.ok(index.buckets.every((level) => level === noLevel))
  }
})

test('random inserts and removes on many sides agree with maps', () => {
  const seed = 20261
  const random = randomFrom(seed)
  const index = makeIndex()
  const roots = Array.from({ length: 20 }, () => allocateRoot(index))
  const twins = roots.map(() => new Map<number, number>())
  for (let step = 0; step < 20_000; step++) {
    const side = Math.floor(random() * roots.length)
    const [root, twin] = [roots[side], twins[side]]
    const key = Math.floor(random() * (random() < 0.5 ? 200 : keyMax + 1))
    const level = twin.get(key)
    assert.equal(levelAt(index, root, key), level ?? noLevel, `seed ${seed}, step ${step}`)
    if (level === undefined) {
      twin.set(key, insert(index, root, key))
    } else {
      drop(index, level)
      twin.delete(key)
    }
    if (step % 1000 !== 0) continue
    const keys = [...twin.keys()].sort((a, b) => a - b)
    assert.deepEqual(keysOf(index, root), keys, `seed ${seed}, step ${step}`)
  }
})

test('a missing level cannot be removed', () => {
  const index = makeIndex()
  const root = allocateRoot(index)
  const level = insert(index, root, 9)
  removeLevel(index, level)
  assert.throws(() => removeLevel(index, level), /the level is there/)
})
