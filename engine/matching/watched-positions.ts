import { addPair, findPair, PairTable, pairField } from './pair-table.js'
import { SlotPool, slotShape } from './slot-pool.js'

// Watches: accounts whose position in an instrument the matcher must know, because they have reduce-only orders in its
// book. All those orders are on the side that closes the position, since others cannot rest. They form a list, in which
// the orders that lose lots first come first.
//
//   word     0     1        2      3      4 and 5         6 and 7
//   watch    next  account  root   head   openLots (f64)  positionLots (f64)
//
//   word     0     1     2      3      4          5          6      7
//   entry    next  prev  order  watch  groupNext  groupPrev  group  instrument
//
// `next` of an entry is the next one of its watch. The second half of an entry is for an order under market-maker
// protection, which belongs to a group of its account (order-pool.ts). `watch` or `group` is 0 if the order is not of
// that kind.

const slotShift = slotShape.shift
const lotsShift = slotShape.lotsShift
const none = 0

export const watchField = { account: pairField.one, root: pairField.other, head: 3 } as const
/** Float64s of a watch: open size of its reduce-only orders, and the position, positive if long. */
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

const { head: watchHead } = watchField
const { open: openField, position: positionField } = watchLots

/** Watches of all books of one matcher, indexed by book and account. */
export class WatchedPositions {
  readonly watches = new PairTable()
  readonly entries = new SlotPool(64)
  /**
   * State of trial `trialOf`, by watch: the lots that still close the position, and the lots that later reduce-only
   * orders had when protection cancelled some of them (Infinity if it has not).
   */
  trialLots = new Float64Array(64)
  trialKeptLots = new Float64Array(64)
  trialOf = new Int32Array(64)
  trial = 0
}

/** Returns the watch of an account in the book of `root`, or 0. */
export function findWatch(watched: WatchedPositions, root: number, account: number): number {
  return findPair(watched.watches, account, root)
}

/** Starts to watch an account that is not yet watched in this book. @returns the watch. */
export function openWatch(
  watched: WatchedPositions,
  root: number,
  account: number,
  positionLots: number,
): number {
  const { watches } = watched
  const watch = addPair(watches, account, root)
  watches.words[(watch << slotShift) | watchHead] = none
  watches.lots[(watch << lotsShift) | openField] = 0
  watches.lots[(watch << lotsShift) | positionField] = positionLots
  return watch
}

/** Starts a trial, which consumes nothing of any watch. */
export function beginTrial(watched: WatchedPositions): void {
  const { capacity } = watched.watches
  if (watched.trialOf.length < capacity) {
    watched.trialLots = new Float64Array(capacity)
    watched.trialKeptLots = new Float64Array(capacity)
    watched.trialOf = new Int32Array(capacity)
    watched.trial = 0
  }
  // Wraps to 32 bits like the numbers in `trialOf`; a number above 2^31 would equal none of them.
  watched.trial = (watched.trial + 1) | 0
}
