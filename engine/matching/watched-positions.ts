import { addPair, findPair, PairTable, pairField } from './pair-table.js'
import { SlotPool, slotShape } from './slot-pool.js'

// Accounts whose position in an instrument the matcher has to know, because reduce-only orders of
// theirs rest in its book. All those orders are on the side that closes the position: the others
// cannot rest. They hang at their watch, those that lose size first in front.
//
//   word     0     1        2      3      4 and 5         6 and 7
//   watch    next  account  root   head   openLots (f64)  positionLots (f64)
//
//   word     0     1     2      3      4          5          6      7
//   entry    next  prev  order  watch  groupNext  groupPrev  group  instrument
//
// `next` of an entry is the next one of its watch. The other half of an entry is for an order under market-maker protection, in a group of
// its account (order-pool.ts); watch or group is 0 where the order is not of that kind.

const slotShift = slotShape.shift
const lotsShift = slotShape.lotsShift
const none = 0

export const watchField = { account: pairField.one, root: pairField.other, head: 3 } as const
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

const { head: watchHead } = watchField
const { open: openField, position: positionField } = watchLots

/** The watches of all books of one matcher, found by book and account. */
export class WatchedPositions {
  readonly watches = new PairTable()
  readonly entries = new SlotPool(64)
  /**
   * Of an order on trial, by watch, in run `trialOf`: what still closes the position, and what the reduce-only orders
   * to come had left of it when protection cancelled some of them, Infinity while it has not.
   */
  trialLots = new Float64Array(64)
  trialKeptLots = new Float64Array(64)
  trialOf = new Int32Array(64)
  trial = 0
}

/** Watch of an account in the book of `root`, or 0. */
export function findWatch(watched: WatchedPositions, root: number, account: number): number {
  return findPair(watched.watches, account, root)
}

/** Begins to watch an account that is not watched in this book. @returns the watch. */
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

/** Begins to try out what makers could trade: nothing of any watch is used up. */
export function beginTrial(watched: WatchedPositions): void {
  const { capacity } = watched.watches
  if (watched.trialOf.length < capacity) {
    watched.trialLots = new Float64Array(capacity)
    watched.trialKeptLots = new Float64Array(capacity)
    watched.trialOf = new Int32Array(capacity)
    watched.trial = 0
  }
  // Wraps as the numbers in `trialOf` do: beyond 2^31 it would equal none of them.
  watched.trial = (watched.trial + 1) | 0
}
