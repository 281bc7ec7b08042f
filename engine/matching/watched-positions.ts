import { SlotPool, slotShape } from './slot-pool.js'

// Accounts whose position in an instrument the matcher has to know, because reduce-only orders of
// theirs rest in its book. All those orders are on the side that closes the position: the others
// cannot rest. They hang at their watch, those that lose size first in front.
//
//   word     0     1        2      3      4 and 5         6 and 7
//   watch    next  account  root   head   openLots (f64)  positionLots (f64)
//   free     next free slot
//
//   word     0     1     2      3      4          5          6      7
//   entry    next  prev  order  watch  groupNext  groupPrev  group  instrument
//
// `next` of a watch is the next one in its bucket of the hash table; that of an entry the next one
// of its watch. The other half of an entry is for an order under market-maker protection, in a group of
// its account (protected-orders.ts); watch or group is 0 where the order is not of that kind.

const slotShift = slotShape.shift
const lotsShift = slotShape.lotsShift
const none = 0

export const watchField = { next: 0, account: 1, root: 2, head: 3 } as const
/** Float64s of a watch: open size of its reduce-only orders, and the position, buys above zero. */
export const watchLots = { open: 2, position: 3 } as const
export const entryField = {
  next: 0,
  prev: 1,
  order: 2,
  watch: 3,
  groupNext: 4,
  groupPrev: 5,
  group: 6,
  instrument: 7,
} as const

const { next: watchNext, account: watchAccount, root: watchRoot, head: watchHead } = watchField
const { open: openField, position: positionField } = watchLots

/** The watches of all books of one matcher, found by book and account. */
export class WatchedPositions {
  readonly watches = new SlotPool(64)
  readonly entries = new SlotPool(64)
  buckets = new Int32Array(64)
  /** Of a fok on trial, by watch: what its reduce-only orders could still trade, in run `trialOf`. */
  trialLots = new Float64Array(64)
  trialOf = new Int32Array(64)
  trial = 0
}

/** Watch of an account in the book of `root`, or 0. */
export function findWatch(watched: WatchedPositions, root: number, account: number): number {
  const { words } = watched.watches
  let watch = watched.buckets[bucketOf(root, account, watched.buckets.length)]
  while (watch !== none) {
    const at = watch << slotShift
    if (words[at | watchAccount] === account && words[at | watchRoot] === root) return watch
    watch = words[at | watchNext]
  }
  return none
}

/** Begins to watch an account that is not watched in this book. @returns the watch. */
export function openWatch(
  watched: WatchedPositions,
  root: number,
  account: number,
  positionLots: number,
): number {
  const { watches } = watched
  const watch = watches.allocate()
  if (watches.count > watched.buckets.length) growBuckets(watched)
  const at = watch << slotShift
  watches.words[at | watchAccount] = account
  watches.words[at | watchRoot] = root
  watches.words[at | watchHead] = none
  watches.lots[(watch << lotsShift) | openField] = 0
  watches.lots[(watch << lotsShift) | positionField] = positionLots
  linkWatch(watched, watch)
  return watch
}

/** Ends a watch without orders. */
export function closeWatch(watched: WatchedPositions, watch: number): void {
  const { words } = watched.watches
  const at = watch << slotShift
  const bucket = bucketOf(words[at | watchRoot], words[at | watchAccount], watched.buckets.length)
  let before = watched.buckets[bucket]
  if (before === watch) {
    watched.buckets[bucket] = words[at | watchNext]
  } else {
    while (words[(before << slotShift) | watchNext] !== watch) {
      before = words[(before << slotShift) | watchNext]
    }
    words[(before << slotShift) | watchNext] = words[at | watchNext]
  }
  watched.watches.free(watch)
}

/** Begins to try out what makers could trade: nothing of any watch is used up. */
export function beginTrial(watched: WatchedPositions): void {
  const { capacity } = watched.watches
  if (watched.trialOf.length < capacity) {
    watched.trialLots = new Float64Array(capacity)
    watched.trialOf = new Int32Array(capacity)
    watched.trial = 0
  }
  watched.trial++
}

function linkWatch(watched: WatchedPositions, watch: number): void {
  const { words } = watched.watches
  const at = watch << slotShift
  const bucket = bucketOf(words[at | watchRoot], words[at | watchAccount], watched.buckets.length)
  words[at | watchNext] = watched.buckets[bucket]
  watched.buckets[bucket] = watch
}

/** `count` is a power of two. */
function bucketOf(root: number, account: number, count: number): number {
  const mixed = Math.imul(root, 0x9e3779b1) ^ Math.imul(account + 1, 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) & (count - 1)
}

function growBuckets(watched: WatchedPositions): void {
  const { buckets, watches } = watched
  watched.buckets = new Int32Array(buckets.length * 2)
  for (let watch of buckets) {
    while (watch !== none) {
      const next = watches.words[(watch << slotShift) | watchNext]
      linkWatch(watched, watch)
      watch = next
    }
  }
}
