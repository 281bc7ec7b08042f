import { assert } from '../../schemas/assert.js'
import type { Book } from './book.js'
import { orderField } from './book-pool.js'
import { groupOfOrder } from './protected-orders.js'
import { findGroup, groupField } from './protection-table.js'
import { slotShape } from './slot-pool.js'
import { entryField } from './watched-positions.js'

const { shift: slotShift } = slotShape
const none = 0

/** Whether the order in `slot` hangs in a group. */
export function isProtected(book: Book, slot: number): boolean {
  return groupOfOrder(book.pool, slot) !== none
}

/**
 * Looks at the protected order in `slot`: it hangs where its account's orders hang, linked both
 * ways.
 * @throws Error when it is inconsistent.
 */
export function assertProtection(book: Book, slot: number): void {
  const { orders, protections, watched } = book.pool
  const group = groupOfOrder(book.pool, slot)
  const { words } = watched.entries
  const groupAt = group << slotShift
  const account = orders.words[(slot << slotShift) | orderField.account]
  const entry = orders.words[(slot << slotShift) | orderField.entry]
  const at = entry << slotShift
  const groupWords = protections.groups.words
  const underlying = groupWords[groupAt | groupField.underlying]
  assert(findGroup(protections, account, underlying) === group, 'group: found by its account')
  assert(words[at | entryField.order] === slot, 'group: knows its order')
  assert(words[at | entryField.instrument] === book.instrument, 'group: knows the book')
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
  assert(before === entry && after === entry, 'group: linked both ways')
  assert(book.protectedCount > 0, 'group: the book counts its protected orders')
}
