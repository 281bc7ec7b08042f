import { SlotPool, slotShape } from './slot-pool.js'

// Slots indexed by a pair of numbers, in a hash table with chained buckets:
//
//   word     0     1    2      3 to 7
//   slot     next  one  other  owned by the caller
//   free     next free slot

/** Words of a slot that the table owns; `next` is the next slot in the bucket. */
export const pairField = { next: 0, one: 1, other: 2 } as const

// Local, so that V8 inlines them: see order-pool.ts.
const slotShift = slotShape.shift
const none = 0
const { next: pairNext, one: pairOne, other: pairOther } = pairField
const slotsFirst = 64

export class PairTable extends SlotPool {
  buckets = new Int32Array(slotsFirst)

  constructor() {
    super(slotsFirst)
  }
}

/** Returns the slot of a pair, or 0. */
export function findPair(table: PairTable, one: number, other: number): number {
  const { buckets, words } = table
  let slot = buckets[bucketOf(one, other, buckets.length)]
  while (slot !== none) {
    const at = slot << slotShift
    if (words[at | pairOne] === one && words[at | pairOther] === other) break
    slot = words[at | pairNext]
  }
  return slot
}

/** Adds a slot for a pair that has none; its other words are undefined. May replace the table's columns. */
export function addPair(table: PairTable, one: number, other: number): number {
  const slot = table.allocate()
  if (table.count > table.buckets.length) growBuckets(table)
  const at = slot << slotShift
  table.words[at | pairOne] = one
  table.words[at | pairOther] = other
  link(table, slot)
  return slot
}

/** Frees the slot of a pair. */
export function removePair(table: PairTable, slot: number): void {
  const { buckets, words } = table
  const at = slot << slotShift
  const bucket = bucketOf(words[at | pairOne], words[at | pairOther], buckets.length)
  let before = buckets[bucket]
  if (before === slot) {
    buckets[bucket] = words[at | pairNext]
  } else {
    while (words[(before << slotShift) | pairNext] !== slot) {
      before = words[(before << slotShift) | pairNext]
    }
    words[(before << slotShift) | pairNext] = words[at | pairNext]
  }
  table.free(slot)
}

function link({ buckets, words }: PairTable, slot: number): void {
  const at = slot << slotShift
  const bucket = bucketOf(words[at | pairOne], words[at | pairOther], buckets.length)
  words[at | pairNext] = buckets[bucket]
  buckets[bucket] = slot
}

/** Returns the bucket of a pair. `count` is a power of two. */
function bucketOf(one: number, other: number, count: number): number {
  const mixed = Math.imul(one + 1, 0x85ebca6b) ^ Math.imul(other + 1, 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) & (count - 1)
}

function growBuckets(table: PairTable): void {
  const { buckets, words } = table
  table.buckets = new Int32Array(buckets.length * 2)
  for (let slot of buckets) {
    while (slot !== none) {
      const next = words[(slot << slotShift) | pairNext]
      link(table, slot)
      slot = next
    }
  }
}
