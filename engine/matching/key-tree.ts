import { assert } from '../../schemas/assert.js'
import { grown } from '../memory/grown.js'

// Ordered set of 20-bit keys for any number of book sides, in one block of memory. Each side is a tree of bitmaps. A
// node is a bitmap and 32 words. The words point to child nodes; in a page, the lowest kind of node, they are bitmaps
// of keys:
//
//   key bits   19..15   14..10    9..5      4..0
//              root  ->  node  ->  page  ->  bit
//
// Nodes exist only where keys do; a page covers 1,024 neighbouring prices. The least or the next key costs a few
// count-leading-zeros steps.

export const keyMax = 0xfffff

/** Returned if there is no key. */
export const noKey = -1

// Local, so that V8 inlines them: see order-pool.ts.
const none = 0
const digitMask = 31

/** Nodes of all book sides of one matcher. The root identifies a side. */
export class KeyTree {
  bitmaps: Int32Array
  /** Bitmaps of keys for a page, children for any other node. */
  children: Int32Array
  /** Number of nodes ever used, including node 0, which means none. */
  high = 1
  /** Nodes in use. */
  nodeCount = 0
  freeHead = none

  constructor(capacity = 256) {
    this.bitmaps = new Int32Array(capacity)
    this.children = new Int32Array(capacity << 5)
  }
}

/** Allocates an empty side. @returns its root. */
export function allocateRoot(tree: KeyTree): number {
  return allocateNode(tree)
}

/** Frees an empty side. */
export function freeRoot(tree: KeyTree, root: number): void {
  assert(tree.bitmaps[root] === 0, 'key tree: a root is freed empty')
  freeNode(tree, root)
}

/** Adds a key, and the missing nodes on the path to it. */
export function addKey(tree: KeyTree, root: number, key: number): void {
  const node = childOf(tree, root, key >>> 15)
  const page = childOf(tree, node, (key >>> 10) & digitMask)
  const digit = (key >>> 5) & digitMask
  tree.children[(page << 5) | digit] |= 1 << (key & digitMask)
  tree.bitmaps[page] |= 1 << digit
}

/** Removes an existing key, and every node that it leaves empty. */
export function removeKey(tree: KeyTree, root: number, key: number): void {
  const children = tree.children
  const node = children[(root << 5) | (key >>> 15)]
  const page = children[(node << 5) | ((key >>> 10) & digitMask)]
  const digit = (key >>> 5) & digitMask
  const keys = children[(page << 5) | digit]
  const bit = 1 << (key & digitMask)
  assert((keys & bit) !== 0, 'key tree: the key is there')
  children[(page << 5) | digit] = keys & ~bit
  if (keys !== bit) return
  if (clearChild(tree, page, digit)) return
  freeNode(tree, page)
  if (clearChild(tree, node, (key >>> 10) & digitMask)) return
  freeNode(tree, node)
  clearChild(tree, root, key >>> 15)
}

/** Returns the least key of a side, or `noKey`. */
export function leastKey(tree: KeyTree, root: number): number {
  const { bitmaps, children } = tree
  if (bitmaps[root] === 0) return noKey
  const first = lowestBit(bitmaps[root])
  const node = children[(root << 5) | first]
  const second = lowestBit(bitmaps[node])
  return leastOfPage(tree, children[(node << 5) | second], (first << 5) | second)
}

/** Returns the least key above `key`, or `noKey`. `key` itself need not exist. */
export function nextKey(tree: KeyTree, root: number, key: number): number {
  const { bitmaps, children } = tree
  const first = key >>> 15
  const second = (key >>> 10) & digitMask
  const third = (key >>> 5) & digitMask
  // Node 0 is empty and points to itself, so a missing node on the path has no keys after `key`.
  const node = children[(root << 5) | first]
  const page = children[(node << 5) | second]
  const keys = above(children[(page << 5) | third], key & digitMask)
  if (keys !== 0) return (key & ~digitMask) | lowestBit(keys)
  const words = above(bitmaps[page], third)
  if (words !== 0) {
    const digit = lowestBit(words)
    return (((key >>> 10) << 10) | (digit << 5)) + lowestBit(children[(page << 5) | digit])
  }
  const pages = above(bitmaps[node], second)
  if (pages !== 0) {
    const digit = lowestBit(pages)
    return leastOfPage(tree, children[(node << 5) | digit], (first << 5) | digit)
  }
  const nodes = above(bitmaps[root], first)
  if (nodes === 0) return noKey
  const digit = lowestBit(nodes)
  const nextNode = children[(root << 5) | digit]
  const least = lowestBit(bitmaps[nextNode])
  return leastOfPage(tree, children[(nextNode << 5) | least], (digit << 5) | least)
}

/** Returns the least key of a page. @param number upper ten bits of the page's keys. */
function leastOfPage(tree: KeyTree, page: number, number: number): number {
  const digit = lowestBit(tree.bitmaps[page])
  return (number << 10) | (digit << 5) | lowestBit(tree.children[(page << 5) | digit])
}

function above(bits: number, digit: number): number {
  return bits & ~((2 << digit) - 1)
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}

/** @returns true if the node still has children. */
function clearChild(tree: KeyTree, node: number, digit: number): boolean {
  tree.children[(node << 5) | digit] = none
  return (tree.bitmaps[node] &= ~(1 << digit)) !== 0
}

/** Returns the child of a node, created if it is missing. */
function childOf(tree: KeyTree, node: number, digit: number): number {
  const child = tree.children[(node << 5) | digit]
  return child !== none ? child : makeChild(tree, node, digit)
}

function makeChild(tree: KeyTree, node: number, digit: number): number {
  const child = allocateNode(tree)
  tree.children[(node << 5) | digit] = child
  tree.bitmaps[node] |= 1 << digit
  return child
}

function allocateNode(tree: KeyTree): number {
  tree.nodeCount++
  if (tree.freeHead !== none) {
    const node = tree.freeHead
    tree.freeHead = tree.children[node << 5]
    tree.children[node << 5] = none
    return node
  }
  if (tree.high === tree.bitmaps.length) growNodes(tree)
  return tree.high++
}

/** Frees a node. All its words are 0 except the link of the free list, so it needs no clearing on reuse. */
function freeNode(tree: KeyTree, node: number): void {
  tree.nodeCount--
  tree.children[node << 5] = tree.freeHead
  tree.freeHead = node
}

function growNodes(tree: KeyTree): void {
  tree.bitmaps = grown(tree.bitmaps, new Int32Array(tree.bitmaps.length * 2))
  tree.children = grown(tree.children, new Int32Array(tree.children.length * 2))
}
