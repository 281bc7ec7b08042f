import { entriesOf, listOf, type StoredList } from './id-lists.js'
import { bytesOf, type StoredBytes } from './packed-bytes.js'
import { NumberField, ownerField } from './packed-rows.js'
import { BlockCursor, blocksBetween } from './row-blocks.js'
import type { SelectAll } from './select.js'
import type { PackedTable } from './table.js'

// Whether a list has what its table has: how many ids, and a sum over all of them that no change of one leaves as it was.

/** Rows of a list that are read at once. */
const listsAtOnce = 256
const hashSeed = 0x811c9dc5
const hashPrime = 0x01000193

/** Over ids in any order. */
class Digest {
  count = 0
  #sum = 0
  #other = 0

  add(owner: string | number, part: number, id: number): void {
    this.count++
    let hash = mixed(hashSeed, id % 2 ** 32)
    hash = mixed(hash, Math.floor(id / 2 ** 32))
    hash = mixed(hash, part)
    for (const value of typeof owner === 'number' ? [owner] : Buffer.from(owner, 'latin1')) {
      hash = mixed(hash, value)
    }
    this.#sum = (this.#sum + hash) | 0
    this.#other = (this.#other + mixed(hash, id)) | 0
  }

  isAs(other: Digest): boolean {
    return this.count === other.count && this.#sum === other.#sum && this.#other === other.#other
  }
}

function mixed(hash: number, value: number): number {
  const next = Math.imul(hash ^ value, hashPrime)
  return Math.imul(next ^ (next >>> 15), 0x85ebca6b) ^ (value >>> 16)
}

/** @returns the name of the list, or of the blocks, if it says otherwise than the rows; '' when all is well. */
export function listMistake(select: SelectAll, table: PackedTable): string {
  const sql = 'select first, last from listed where name = ?'
  const [listed] = select<{ first: number; last: number }>(sql, [table.name])
  const { first, last } = listed!
  const wanted = new Digest()
  const isCounted = digestRows(select, table, first, last, wanted)
  if (!isCounted) return table.name
  const found = new Digest()
  digestList(select, table, first, found)
  return found.isAs(wanted) ? '' : listOf(table)
}

/** @returns whether every block has as many rows as it says. */
function digestRows(
  select: SelectAll,
  table: PackedTable,
  first: number,
  last: number,
  digest: Digest,
): boolean {
  const ownerOf = ownerField(table)
  const part = new NumberField(table, table.listedBy[1])
  const cursor = new BlockCursor()
  for (const block of blocksBetween(select, table, 0, Number.MAX_SAFE_INTEGER)) {
    cursor.over(table, block)
    const bytes = Buffer.from(bytesOf(block.rows))
    let count = 0
    while (cursor.next()) {
      count++
      if (cursor.id < first || cursor.id > last) continue
      digest.add(ownerOf(bytes, cursor.at), part.read(bytes, cursor.at), cursor.id)
    }
    if (count !== block.count) return false
  }
  return true
}

type OwnedList = StoredList & { readonly owner: StoredBytes | number }

function digestList(select: SelectAll, table: PackedTable, first: number, digest: Digest): void {
  const columns = 'owner, hex(owner) as text, first_id as firstId, parts, ids'
  const sql =
    `select ${columns} from ${listOf(table)} where typeof(owner) = ? and (owner, first_id) > ` +
    `(PLACE, ?) order by owner, first_id limit ${listsAtOnce}`
  for (const [type, place, start] of [
    ['integer', '?', Number.MIN_SAFE_INTEGER],
    ['blob', 'unhex(?)', ''],
  ] as const) {
    let owner: string | number = start
    let firstId = -1
    for (;;) {
      const values = [type, owner, firstId]
      const rows = select<OwnedList & { readonly text: string }>(
        sql.replace('PLACE', place),
        values,
      )
      for (const row of rows) {
        const name = typeof row.owner === 'number' ? row.owner : latin1(bytesOf(row.owner))
        for (const { id, part } of entriesOf(row)) if (id >= first) digest.add(name, part, id)
        owner = typeof row.owner === 'number' ? row.owner : row.text
        firstId = row.firstId
      }
      if (rows.length < listsAtOnce) break
    }
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
