import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { addKey, KeyTree, keyMax, leastKey, nextKey, noKey, removeKey } from './key-tree.js'
import { type SlotPool, slotShape } from './slot-pool.js'

// Ordered map from key to level for all book sides of one matcher: the keys of each side in order (key-tree.ts), and
// one hash table of the levels of all sides. A level is a slot, and the index owns these of its words:
//
//   word     2      3      4
//   level    key    root   next in its bucket

/** Words of a level that belong to the index. */
export const placeField = { key: 2, root: 3, chain: 4 } as const

/** Returned if there is no level. */
export const noLevel = 0

// Local, so that V8 inlines them: see order-pool.ts.
const none = 0
const missingKey = noKey
const keyBits = keyMax
const buy = Side.Buy
const slotShift = slotShape.shift
const { key: levelKey, root: levelRoot, chain: levelChain } = placeField
const bucketBitsFirst = 8
/** 2^32 divided by the golden ratio, and another odd constant without a pattern, both as int32. */
const goldenRatio = 0x9e3779b1 | 0
const rootSpread = 0x85ebca6b | 0

/** Levels of all sides. The root of its tree identifies a side. */
export class LevelIndex extends KeyTree {
  readonly levels: SlotPool
  /** First level of each bucket. */
  buckets = new Int32Array(1 << bucketBitsFirst)
  bucketShift = 32 - bucketBitsFirst

  /** @param levels slots of the levels. */
  constructor(levels: SlotPool, nodes?: number) {
    super(nodes)
    this.levels = levels
  }
}

/**
 * Returns the key of a price. A better price for the taker has a lower key. The key of a buy is
 * `keyMax` minus its price, which flips every bit. There is no branch, because sides are
 * unpredictable.
 */
export function keyOf(side: Side, priceIndex: number): number {
  return priceIndex ^ ((side - (buy + 1)) & keyBits)
}

/** Returns the price of a key. `keyOf` is its own inverse. */
export const indexOfKey = keyOf

/** Returns the level of a key, or `noLevel`. */
export function levelAt(index: LevelIndex, root: number, key: number): number {
  const { words } = index.levels
  let level = index.buckets[bucketOf(root, key, index.bucketShift)]
  while (level !== none) {
    const at = level << slotShift
    if (words[at | levelKey] === key && words[at | levelRoot] === root) break
    level = words[at | levelChain]
  }
  return level
}

/** Adds a level at a key that has none. */
export function addLevel(index: LevelIndex, root: number, key: number, level: number): void {
  const { words } = index.levels
  const at = level << slotShift
  words[at | levelKey] = key
  words[at | levelRoot] = root
  linkLevel(index, root, key, level)
  addKey(index, root, key)
  if (index.levels.count > index.buckets.length) growBuckets(index)
}

/** Removes a level. The caller frees its slot. */
export function removeLevel(index: LevelIndex, level: number): void {
  const { words } = index.levels
  const at = level << slotShift
  const root = words[at | levelRoot]
  const key = words[at | levelKey]
  const bucket = bucketOf(root, key, index.bucketShift)
  let before = index.buckets[bucket]
  if (before === level) {
    index.buckets[bucket] = words[at | levelChain]
  } else {
    for (;;) {
      assert(before !== none, 'level index: the level is there')
      const beforeAt = before << slotShift
      before = words[beforeAt | levelChain]
      if (before !== level) continue
      words[beforeAt | levelChain] = words[at | levelChain]
      break
    }
  }
  removeKey(index, root, key)
}

/** Returns the level with the least key, or `noLevel`. */
export function firstLevel(index: LevelIndex, root: number): number {
  const key = leastKey(index, root)
  return key === missingKey ? none : levelAt(index, root, key)
}

/** Returns the level with the least key above `key`, or `noLevel`. `key` itself need not have a level. */
export function nextLevel(index: LevelIndex, root: number, key: number): number {
  const next = nextKey(index, root, key)
  return next === missingKey ? none : levelAt(index, root, next)
}

function linkLevel(index: LevelIndex, root: number, key: number, level: number): void {
  const { buckets } = index
  const bucket = bucketOf(root, key, index.bucketShift)
  index.levels.words[(level << slotShift) | levelChain] = buckets[bucket]
  buckets[bucket] = level
}

/**
 * Neighbouring and round prices differ by even steps. Multiplication by the golden ratio spreads them over all buckets.
 */
function bucketOf(root: number, key: number, shift: number): number {
  return Math.imul(key ^ Math.imul(root, rootSpread), goldenRatio) >>> shift
}

function growBuckets(index: LevelIndex): void {
  const { buckets, levels } = index
  index.buckets = new Int32Array(buckets.length * 2)
  index.bucketShift--
  for (let level of buckets) {
    while (level !== none) {
      const at = level << slotShift
      const next = levels.words[at | levelChain]
      linkLevel(index, levels.words[at | levelRoot], levels.words[at | levelKey], level)
      level = next
    }
  }
}
