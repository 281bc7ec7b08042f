import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import type { Book } from './book.js'
import { orderField, sideOfLevel } from './book-pool.js'
import { keyOfOrder } from './reduce-only-orders.js'
import { slotShape } from './slot-pool.js'
import { entryField, findWatch, watchField, watchLots } from './watched-positions.js'

const { shift: slotShift, lotsShift, lots: lotsField } = slotShape
const none = 0

/** Whether the order in `slot`, which has an entry, is reduce-only. */
export function isWatched(book: Book, slot: number): boolean {
  const { orders, watched } = book.pool
  const entry = orders.words[(slot << slotShift) | orderField.entry]
  return watched.entries.words[(entry << slotShift) | entryField.watch] !== none
}

/**
 * Looks at the watch of the reduce-only order in `slot`: its orders are the account's own, on one
 * side, sorted, and add up to no more than closes the position.
 * @throws Error when it is inconsistent.
 */
export function assertWatch(book: Book, slot: number): void {
  const { orders, watched } = book.pool
  const { entries, watches } = watched
  const own = orders.words[(slot << slotShift) | orderField.entry]
  const watch = entries.words[(own << slotShift) | entryField.watch]
  const at = watch << slotShift
  const account = orders.words[(slot << slotShift) | orderField.account]
  const side = sideOf(book, slot)
  assert(findWatch(watched, book.roots[Side.Buy], account) === watch, 'watch: found by its account')
  let prev = none
  let openLots = 0
  let keyBefore = Number.POSITIVE_INFINITY
  for (let entry = watches.words[at | watchField.head]; entry !== none; ) {
    const order = entries.words[(entry << slotShift) | entryField.order]
    const key = keyOfOrder(book.pool, order)
    assert(
      orders.words[(order << slotShift) | orderField.account] === account,
      'watch: orders of one account',
    )
    assert(sideOf(book, order) === side, 'watch: orders of one side')
    assert(key <= keyBefore, 'watch: the worst price comes first')
    assert(
      entries.words[(entry << slotShift) | entryField.prev] === prev,
      'watch: linked both ways',
    )
    assert(
      orders.words[(order << slotShift) | orderField.entry] === entry,
      'watch: known both ways',
    )
    openLots += orders.lots[(order << lotsShift) | lotsField]
    keyBefore = key
    prev = entry
    entry = entries.words[(entry << slotShift) | entryField.next]
  }
  const lots = watch << lotsShift
  const positionLots = watches.lots[lots | watchLots.position]
  assert(watches.lots[lots | watchLots.open] === openLots, 'watch: the sum of its orders')
  assert(
    openLots <= (side === Side.Buy ? -positionLots : positionLots),
    'watch: reduce-only orders only reduce',
  )
}

function sideOf(book: Book, slot: number): number {
  const level = book.pool.orders.words[(slot << slotShift) | orderField.level]
  return sideOfLevel(book.pool, level)
}
