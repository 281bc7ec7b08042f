import { assert } from '../../schemas/assert.js'

// An ordered map from a 20-bit key to a level, for any number of book sides, in one block of
// memory. Each side is a tree of four nodes' depth; a node is a bitmap of its children and 32
// places for them:
//
//   key bits   19..15   14..10    9..5     4..0
//              root  ->  node  ->  node  ->  node  ->  level
//
// Nodes exist only where levels do. The least key, or the next one, is a few count-leading-zeros
// steps away.

export const keyMax = 0xfffff

/** Where no level is. */
export const noLevel = 0

// Not exported, so that they are folded into the code: see book-pool.ts.
const none = 0
const digitMask = 31
const topShift = 15

/** Nodes of every book side of one matcher; a side is named by its root. */
export class LevelIndex {
  bitmaps: Int32Array
  children: Int32Array
  /** Nodes ever used; node 0 stands for none. */
  high = 1
  /** Nodes in use. */
  nodeCount = 0
  freeHead = none

  constructor(capacity = 256) {
    this.bitmaps = new Int32Array(capacity)
    this.children = new Int32Array(capacity << 5)
  }
}

/** A new empty side. */
export function allocateRoot(index: LevelIndex): number {
  return allocateNode(index)
}

/** Gives an empty side back. */
export function freeRoot(index: LevelIndex, root: number): void {
  assert(index.bitmaps[root] === 0, 'level index: a root is freed empty')
  freeNode(index, root)
}

/** The level at a key, or `noLevel`. */
export function levelAt(index: LevelIndex, root: number, key: number): number {
  const children = index.children
  const upper = children[(root << 5) | (key >>> 15)]
  if (upper === none) return none
  const lower = children[(upper << 5) | ((key >>> 10) & digitMask)]
  if (lower === none) return none
  const leaf = children[(lower << 5) | ((key >>> 5) & digitMask)]
  return leaf === none ? none : children[(leaf << 5) | (key & digitMask)]
}

/**
 * The place of a key, with the nodes on the way to it made: `children[place]` is its level, or
 * `noLevel`; then the caller puts one there with `fillPlace` before anything else happens to the
 * index.
 */
export function placeOf(index: LevelIndex, root: number, key: number): number {
  const upper = childOf(index, (root << 5) | (key >>> 15))
  const lower = childOf(index, (upper << 5) | ((key >>> 10) & digitMask))
  const leaf = childOf(index, (lower << 5) | ((key >>> 5) & digitMask))
  return (leaf << 5) | (key & digitMask)
}

/** Puts a level at an empty place. */
export function fillPlace(index: LevelIndex, place: number, level: number): void {
  index.children[place] = level
  index.bitmaps[place >>> 5] |= 1 << (place & digitMask)
}

/** Takes out the level at a key, and every node that is empty without it. */
export function removeLevel(index: LevelIndex, root: number, key: number): void {
  const children = index.children
  const upper = children[(root << 5) | (key >>> 15)]
  const lower = children[(upper << 5) | ((key >>> 10) & digitMask)]
  const leaf = children[(lower << 5) | ((key >>> 5) & digitMask)]
  assert(children[(leaf << 5) | (key & digitMask)] !== none, 'level index: the level is there')
  if (clearChild(index, leaf, key & digitMask)) return
  freeNode(index, leaf)
  if (clearChild(index, lower, (key >>> 5) & digitMask)) return
  freeNode(index, lower)
  if (clearChild(index, upper, (key >>> 10) & digitMask)) return
  freeNode(index, upper)
  clearChild(index, root, key >>> 15)
}

/** The level with the least key, or `noLevel`. */
export function firstLevel(index: LevelIndex, root: number): number {
  return index.bitmaps[root] === 0 ? none : descend(index, root, topShift)
}

/** The level with the least key above `key`, or `noLevel`; there may be a level at `key` or not. */
export function nextLevel(index: LevelIndex, root: number, key: number): number {
  const { bitmaps, children } = index
  // The deepest node on the way to `key` that has a child behind it is where the two ways part.
  let node = root
  let partingNode: number = none
  let partingDigit = 0
  let partingShift = 0
  for (let shift = topShift; node !== none && shift >= 0; shift -= 5) {
    const digit = (key >>> shift) & digitMask
    const behind = bitmaps[node] & ~((2 << digit) - 1)
    if (behind !== 0) {
      partingNode = node
      partingDigit = lowestBit(behind)
      partingShift = shift
    }
    node = children[(node << 5) | digit]
  }
  if (partingNode === none) return none
  const child = children[(partingNode << 5) | partingDigit]
  return partingShift === 0 ? child : descend(index, child, partingShift - 5)
}

/** First level below a node that is not empty; `shift` is the node's own. */
function descend(index: LevelIndex, node: number, shift: number): number {
  const { bitmaps, children } = index
  let place = node
  for (let left = shift; left >= 0; left -= 5) {
    place = children[(place << 5) | lowestBit(bitmaps[place])]
  }
  return place
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

/** @returns whether the node still has children. */
function clearChild(index: LevelIndex, node: number, digit: number): boolean {
  index.children[(node << 5) | digit] = none
  return (index.bitmaps[node] &= ~(1 << digit)) !== 0
}

/** The node at a place, made when there is none. */
function childOf(index: LevelIndex, place: number): number {
  const child = index.children[place]
  return child !== none ? child : makeChild(index, place)
}

function makeChild(index: LevelIndex, place: number): number {
  const child = allocateNode(index)
  fillPlace(index, place, child)
  return child
}

function allocateNode(index: LevelIndex): number {
  index.nodeCount++
  if (index.freeHead !== none) {
    const node = index.freeHead
    index.freeHead = index.children[node << 5]
    index.children[node << 5] = none
    return node
  }
  if (index.high === index.bitmaps.length) growNodes(index)
  return index.high++
}

/**
 * A freed node is all zeros but for its link in the free list, so that it needs no clearing
 * later.
 */
function freeNode(index: LevelIndex, node: number): void {
  index.nodeCount--
  index.children[node << 5] = index.freeHead
  index.freeHead = node
}

function growNodes(index: LevelIndex): void {
  const bitmaps = new Int32Array(index.bitmaps.length * 2)
  const children = new Int32Array(index.children.length * 2)
  bitmaps.set(index.bitmaps)
  children.set(index.children)
  index.bitmaps = bitmaps
  index.children = children
}
