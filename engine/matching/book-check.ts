import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import type { Book } from './book.js'
import { isTouched, levelField, orderField, sideOfLevel } from './book-pool.js'
import { totalLotsMax } from './book-queue.js'
import { firstLevel, levelAt, nextLevel, noLevel as none } from './level-index.js'
import { indexOfKey } from './price-key.js'
import { assertProtection, isProtected } from './protection-check.js'
import { assertWatch, isWatched } from './reduce-only-check.js'
import { slotShape } from './slot-pool.js'

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape

/**
 * Walks the whole book, O(n): levels in order and none empty, each total the sum of its orders,
 * queues linked both ways, every handle bound to its order, the best levels right, and no crossed
 * book.
 * @returns the resting orders.
 * @throws Error when the book is inconsistent.
 */
export function assertBookConsistent(book: Book): number {
  assert(book.pool.touchedCount === 0, 'book: no command is half done')
  const count = checkSide(book, Side.Buy) + checkSide(book, Side.Sell)
  const bid = book.bestIndexOf(Side.Buy)
  const ask = book.bestIndexOf(Side.Sell)
  assert(bid === 0 || ask === 0 || bid < ask, 'book: bid below ask')
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
    assert(openLots > 0, 'book: a resting order is open')
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
