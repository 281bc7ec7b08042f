import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { addKey, KeyTree, keyMax, leastKey, nextKey, noKey, removeKey } from './key-tree.js'
import { type SlotPool, slotShape } from './slot-pool.js'

// An ordered map from a key to a level, for every book side of one matcher: the keys of a side in
// order (key-tree.ts), and a hash table of the levels of all sides. A level is a slot, and these
// of its words are the index's:
//
//   word     2      3      4
//   level    key    root   next in its bucket

/** Words of a level that tell where it stands. */
export const placeField = { key: 2, root: 3, chain: 4 } as const

/** Where no level is. */
export const noLevel = 0

// Local, so that V8 inlines them: see order-pool.ts.
const none = 0
const missingKey = noKey
const keyBits = keyMax
const buy = Side.Buy
const slotShift = slotShape.shift
const { key: levelKey, root: levelRoot, chain: levelChain } = placeField
const bucketBitsFirst = 8
/** 2^32 over the golden ratio, and another odd number without a pattern, both as int32. */
const goldenRatio = 0x9e3779b1 | 0
const rootSpread = 0x85ebca6b | 0

/** A side is named by the root of its tree. */
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

/** The level at a key, or `noLevel`. */
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

/** Puts a level at a key that has none. */
export function addLevel(index: LevelIndex, root: number, key: number, level: number): void {
  const { words } = index.levels
  const at = level << slotShift
  words[at | levelKey] = key
  words[at | levelRoot] = root
  linkLevel(index, root, key, level)
  addKey(index, root, key)
  if (index.levels.count > index.buckets.length) growBuckets(index)
}

/** Takes a level out; its slot is the caller's again. */
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

/** The level with the least key, or `noLevel`. */
export function firstLevel(index: LevelIndex, root: number): number {
  const key = leastKey(index, root)
  return key === missingKey ? none : levelAt(index, root, key)
}

/** The level with the least key above `key`, or `noLevel`; there may be a level at `key` or not. */
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
 * Neighbouring prices and round ones come in even steps, which multiplying by the golden ratio
 * spreads over all buckets.
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
