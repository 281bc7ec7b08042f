import { parseAddress } from '../../../schemas/wallet.js'
import { hashedPlace } from './hashed-ids.js'
import { orders } from './history-tables.js'
import { entriesOf, type IdList, listsOf, type OwnedList, type RowKeys } from './id-lists.js'
import { listedOf, type Wanted } from './id-sources.js'
import { bytesOf } from './packed-bytes.js'
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

/** Whether ids stand in a list, by the rows of their table or by the list itself. */
interface Digests {
  readonly list: IdList
  readonly keys: RowKeys
  readonly wanted: Digest
  readonly found: Digest
}

/** @returns the names of lists, or of the table, if they say otherwise than the rows; of one state of the store. */
export function listMistakesOf(select: SelectAll, table: PackedTable): string[] {
  const { first, last } = listedOf(select, table)
  const digests = listsOf(table).map((list) => {
    return { list, keys: list.keys(), wanted: new Digest(), found: new Digest() }
  })
  // Orders that are older than the lists still stand in tables of their own.
  const isOrders = table.name === orders.name
  const changed = isOrders ? changedIds(select) : new Set<number>()
  const span = { fromId: isOrders ? 0 : first, toId: last + 1 }
  const isCounted = digestRows(select, table, digests, span, changed)
  if (!isCounted) return [table.name]
  for (const { list, found } of digests) digestList(select, list, first, found)
  if (isOrders) digestOpen(select, digests, changed)
  return digests.flatMap(({ list, wanted, found }) => (found.isAs(wanted) ? [] : [list.name]))
}

/** How they are is in their rows alone. */
function changedIds(select: SelectAll): ReadonlySet<number> {
  const rows = select<{ readonly id: number }>('select order_id as id from changed_orders', [])
  return new Set(rows.map(({ id }) => id))
}

/** @returns whether every block has as many rows as it says. */
function digestRows(
  select: SelectAll,
  table: PackedTable,
  [owned, hashed]: readonly Digests[],
  { fromId, toId }: Pick<Wanted, 'fromId' | 'toId'>,
  changed: ReadonlySet<number>,
): boolean {
  const cursor = new BlockCursor()
  for (const block of blocksBetween(select, table, 0, Number.MAX_SAFE_INTEGER)) {
    cursor.over(table, block)
    const bytes = Buffer.from(bytesOf(block.rows))
    let count = 0
    while (cursor.next()) {
      count++
      if (cursor.id < fromId || cursor.id >= toId) continue
      // Those that the list has not, being open, are looked for elsewhere.
      if (!changed.has(cursor.id)) digestRow(owned!, bytes, cursor)
      if (hashed?.keys.read(bytes, cursor.at)) digestRow(hashed, bytes, cursor)
    }
    if (count !== block.count) return false
  }
  return true
}

function digestRow({ keys, wanted }: Digests, bytes: Buffer, { at, id }: BlockCursor): void {
  keys.read(bytes, at)
  wanted.add(keys.owner, keys.part, id)
}

/** Orders that their lists have not. */
function digestOpen(
  select: SelectAll,
  [owned, hashed]: readonly Digests[],
  changed: ReadonlySet<number>,
): void {
  for (const table of ['working_orders', 'ended_orders']) {
    const sql = `select wallet, order_id as id, status from ${table}`
    for (const { wallet, id, status } of select<OpenOrder>(sql, [])) {
      const owner = ownerOf(wallet)
      if (!changed.has(id)) owned!.found.add(owner, status, id)
    }
  }
  const sql = 'select wallet, order_id as id, client_id as clientId from kept_client_ids'
  for (const { wallet, id, clientId } of select<KeptClientId>(sql, [])) {
    const isSound = parseAddress(wallet) !== null
    const { owner, part } = isSound ? hashedPlace(wallet, clientId) : nowhere
    hashed!.found.add(owner, part, id)
  }
}

/** A wallet that is none is no row's. */
function ownerOf(wallet: string): string {
  const address = parseAddress(wallet)
  return address === null ? wallet : latin1(address)
}

const nowhere = { owner: -1, part: -1 }

interface OpenOrder {
  readonly wallet: string
  readonly id: number
  readonly status: number
}

interface KeptClientId {
  readonly wallet: string
  readonly id: number
  readonly clientId: string
}

function digestList(select: SelectAll, { name }: IdList, first: number, digest: Digest): void {
  const columns = 'owner, hex(owner) as text, first_id as firstId, parts, ids'
  const sql =
    `select ${columns} from ${name} where typeof(owner) = ? and (owner, first_id) > ` +
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
        const of = typeof row.owner === 'number' ? row.owner : latin1(bytesOf(row.owner))
        for (const { id, part } of entriesOf(row)) if (id >= first) digest.add(of, part, id)
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
