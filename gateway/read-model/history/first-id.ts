import type { HistoryDatabase } from './history-schema.js'
import { NumberField } from './packed-rows.js'
import { cursorsBetween, firstOfBlock, highestId, selecting } from './row-blocks.js'
import type { SelectAll } from './select.js'
import type { PackedTable } from './table.js'

/**
 * The lowest id from which on rows are of `millis` or later, found by halving, as there is no index by time.
 * @returns one above the highest where all are older.
 */
export function firstIdSince(
  database: HistoryDatabase,
  table: PackedTable,
  millis: number,
): number {
  return firstIdBy(selecting(database), table, millis)
}

/** The same by a connection that answers queries. */
export function firstIdBy(select: SelectAll, table: PackedTable, millis: number): number {
  const { blockIds, timedBy } = table
  const time = new NumberField(table, timedBy)
  let low = 0
  let high = Math.floor(highestId(select, table) / blockIds) + 1
  // Of blocks: the first one whose first row is not older.
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const first = firstOfBlock(select, table, middle, time)
    if (first === null || first.value >= millis) high = middle
    else low = first.block + 1
  }
  const belowId = low * blockIds
  let id = 0
  // The last block before it may have rows of both.
  for (const cursor of cursorsBetween(select, table, Math.max(0, belowId - blockIds), belowId)) {
    if (time.read(cursor.bytes, cursor.at) >= millis) return id === 0 ? cursor.id : id
    id = cursor.id + 1
  }
  return id === 0 ? belowId : id
}
