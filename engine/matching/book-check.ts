import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import type { Book } from './book.js'
import { firstLevel, indexOfKey, levelAt, nextLevel, noLevel as none } from './level-index.js'
import {
  groupOfOrder,
  isTouched,
  keyOfOrder,
  levelField,
  orderField,
  sideOfLevel,
  totalLotsMax,
} from './order-pool.js'
import { findGroup, groupField } from './protection-table.js'
import { slotShape } from './slot-pool.js'
import { entryField, findWatch, watchField, watchLots } from './watched-positions.js'

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape

/**
 * Walks the whole book, O(n): levels in order and none empty, each total the sum of its orders,
 * queues linked both ways, every handle bound to its order, the best levels right, and no crossed
 * book.
 * @returns the resting orders.
 * @throws Error when the book is inconsistent.
 */
export function assertBookConsistent(book: Book): number {
  assert(book.pool.touchedCount === 0, 'book: no command is in progress')
  const count = checkSide(book, Side.Buy) + checkSide(book, Side.Sell)
  const bid = book.bestIndexOf(Side.Buy)
  const ask = book.bestIndexOf(Side.Sell)
  assert(bid === 0 || ask === 0 || bid < ask, 'book: the best bid is below the best ask')
  return count
}

function checkSide(book: Book, side: Side): number {
  const { index, levels } = book.pool
  const root = book.roots[side]
  let count = 0
  let keyBefore = -1
  let level = firstLevel(index, root)
  assert(book.best[side] === level, 'book: the best level is the first of the index')
  if (book.second[side] !== none) {
    const key = levels.words[(level << slotShift) | levelField.key]
    assert(book.second[side] === nextLevel(index, root, key), 'book: the second level follows')
  }
  while (level !== none) {
    const at = level << slotShift
    const key = levels.words[at | levelField.key]
    assert(key > keyBefore, 'book: keys rise')
    assert(indexOfKey(side, key) > 0, 'book: a level has a price')
    assert(sideOfLevel(book.pool, level) === side, 'book: a level knows its side')
    assert(levels.words[at | levelField.root] === root, 'book: a level knows its root')
    assert(!isTouched(book.pool, level), 'book: a finished level is not touched')
    assert(levelAt(index, root, key) === level, 'book: the index finds the level')
    count += checkLevel(book, level)
    keyBefore = key
    level = nextLevel(index, root, key)
  }
  return count
}

function checkLevel(book: Book, level: number): number {
  const { levels, orders, slotOf } = book.pool
  let count = 0
  let totalLots = 0
  let prev: number = none
  let slot = levels.words[(level << slotShift) | levelField.head]
  assert(slot !== none, 'book: no level is empty')
  while (slot !== none) {
    const at = slot << slotShift
    const openLots = orders.lots[(slot << lotsShift) | lotsField]
    assert(openLots > 0, 'book: a resting order has open lots')
    assert(orders.words[at | orderField.level] === level, 'book: an order knows its level')
    assert(orders.words[at | orderField.prev] === prev, 'book: the queue is linked both ways')
    assert(slotOf[orders.words[at | orderField.handle]] === slot, 'book: a handle finds its order')
    if (orders.words[at | orderField.entry] !== none) {
      if (isWatched(book, slot)) assertWatch(book, slot)
      if (isProtected(book, slot)) assertProtection(book, slot)
    }
    totalLots = Math.min(totalLots + openLots, totalLotsMax)
    count++
    prev = slot
    slot = orders.words[at | orderField.next]
  }
  assert(
    levels.words[(level << slotShift) | levelField.tail] === prev,
    'book: the queue ends at its tail',
  )
  assert(
    levels.lots[(level << lotsShift) | lotsField] === totalLots,
    'book: a level is the sum of its orders',
  )
  return count
}

/** Returns true if the order in `slot` is reduce-only. The order must have an entry. */
function isWatched(book: Book, slot: number): boolean {
  const { orders, watched } = book.pool
  const entry = orders.words[(slot << slotShift) | orderField.entry]
  return watched.entries.words[(entry << slotShift) | entryField.watch] !== none
}

/**
 * Checks the list of the reduce-only order in `slot`: its orders belong to one account and one side,
 * are sorted, and their sum is at most the position.
 * @throws Error if the list is inconsistent.
 */
function assertWatch(book: Book, slot: number): void {
  const { orders, watched } = book.pool
  const { entries, watches } = watched
  const own = orders.words[(slot << slotShift) | orderField.entry]
  const watch = entries.words[(own << slotShift) | entryField.watch]
  const at = watch << slotShift
  const account = orders.words[(slot << slotShift) | orderField.account]
  const side = sideOf(book, slot)
  assert(
    findWatch(watched, book.roots[Side.Buy], account) === watch,
    'reduce-only: the list is found by its account',
  )
  let prev = none
  let openLots = 0
  let keyBefore = Number.POSITIVE_INFINITY
  for (let entry = watches.words[at | watchField.head]; entry !== none; ) {
    const order = entries.words[(entry << slotShift) | entryField.order]
    const key = keyOfOrder(book.pool, order)
    assert(
      orders.words[(order << slotShift) | orderField.account] === account,
      'reduce-only: a list has orders of one account',
    )
    assert(sideOf(book, order) === side, 'reduce-only: a list has orders of one side')
    assert(key <= keyBefore, 'reduce-only: the worst price comes first')
    assert(
      entries.words[(entry << slotShift) | entryField.prev] === prev,
      'reduce-only: entries are linked both ways',
    )
    assert(
      orders.words[(order << slotShift) | orderField.entry] === entry,
      'reduce-only: an order names its entry',
    )
    openLots += orders.lots[(order << lotsShift) | lotsField]
    keyBefore = key
    prev = entry
    entry = entries.words[(entry << slotShift) | entryField.next]
  }
  const lots = watch << lotsShift
  const positionLots = watches.lots[lots | watchLots.position]
  assert(
    watches.lots[lots | watchLots.open] === openLots,
    'reduce-only: a list knows the sum of its open lots',
  )
  assert(
    openLots <= (side === Side.Buy ? -positionLots : positionLots),
    'reduce-only: open lots are at most the position',
  )
}

function sideOf(book: Book, slot: number): number {
  const level = book.pool.orders.words[(slot << slotShift) | orderField.level]
  return sideOfLevel(book.pool, level)
}

/** Returns true if the order in `slot` is in a protection group. */
function isProtected(book: Book, slot: number): boolean {
  return groupOfOrder(book.pool, slot) !== none
}

/**
 * Checks that the protected order in `slot` is in the group of its account, linked both ways.
 * @throws Error if it is not.
 */
function assertProtection(book: Book, slot: number): void {
  const { orders, protections, watched } = book.pool
  const group = groupOfOrder(book.pool, slot)
  const { words } = watched.entries
  const groupAt = group << slotShift
  const account = orders.words[(slot << slotShift) | orderField.account]
  const entry = orders.words[(slot << slotShift) | orderField.entry]
  const at = entry << slotShift
  const groupWords = protections.groups.words
  const underlying = groupWords[groupAt | groupField.underlying]
  assert(
    findGroup(protections, account, underlying) === group,
    'protection: the group is found by its account',
  )
  assert(words[at | entryField.order] === slot, 'protection: an entry names its order')
  assert(
    words[at | entryField.instrument] === book.instrument,
    'protection: an entry names its book',
  )
  const prev = words[at | entryField.groupPrev]
  const next = words[at | entryField.groupNext]
  const before =
    prev === none
      ? groupWords[groupAt | groupField.head]
      : words[(prev << slotShift) | entryField.groupNext]
  const after =
    next === none
      ? groupWords[groupAt | groupField.tail]
      : words[(next << slotShift) | entryField.groupPrev]
  assert(before === entry && after === entry, 'protection: entries are linked both ways')
  assert(book.protectedCount > 0, 'protection: the book counts its protected orders')
}
