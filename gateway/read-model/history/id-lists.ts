import type Database from 'libsql'
import { HashedKeys, hashedListOf } from './hashed-ids.js'
import { bytesOf, PackedReader, PackedWriter, type StoredBytes } from './packed-bytes.js'
import { NumberField, ownerField } from './packed-rows.js'
import { BlockCursor, blocksBetween, highestId, selecting } from './row-blocks.js'
import type { SelectAll } from './select.js'
import type { PackedTable, Table } from './table.js'

// Rows of a wallet or an underlying are found through lists of ids, which take up tens of thousands of rows at once. Of
// each of them what was taken up together stands in one row, so that an id costs a few bytes instead of a row:
//
//      wallet 1 | ids 66,120 to 70,001 | parts: call 2, put 1 | ids: call 69,004, 70,001, put 66,120
//      wallet 1 | ids     17 to 33,500 | ...
//
// Which instruments there are, and how often, is read without the ids: so a wallet's fills in an instrument are counted
// until their page begins.

/** Rows that are taken up in one transaction. */
const chunkRows = 65_536
/** Ids of one row at most: so many are unpacked for the first of them. */
const listIdsMax = 8192
const numberBytes = 9

/** Name of a table's list. */
export function listOf({ name }: Table): string {
  return `${name.slice(0, -1)}_ids`
}

/** The owner may be bytes, too: SQLite keeps those as they are. */
export function createListsSql(table: PackedTable): string {
  return listsOf(table)
    .map(
      ({ name }) =>
        `create table if not exists ${name} (owner integer not null, first_id integer not null, ` +
        'last_id integer not null, count integer not null, parts blob not null, ids blob not null, ' +
        'primary key (owner, first_id)) without rowid;',
    )
    .join('\n')
}

/** What rows are listed by: a wallet's bytes, or a number. */
export type Owner = string | number

/** Where a list has a row. */
export interface RowKeys {
  readonly owner: Owner
  readonly part: number
  /** Looks at the row at `at`. @returns whether the list has it. */
  read(bytes: Buffer, at: number): boolean
}

/** One list of a table. */
export interface IdList {
  readonly name: string
  readonly keys: () => RowKeys
}

/** The lists of a table; the first one is that of its owners. */
export function listsOf(table: PackedTable): readonly [IdList, ...IdList[]] {
  const owned = { name: listOf(table), keys: () => new OwnedKeys(table) }
  if (table.hashedBy === undefined) return [owned]
  return [owned, { name: hashedListOf(table), keys: () => new HashedKeys(table) }]
}

class OwnedKeys implements RowKeys {
  owner: Owner = 0
  part = 0
  readonly #ownerOf: (bytes: Buffer, at: number) => Owner
  readonly #part: NumberField
  readonly #open: ReadonlySet<number>

  constructor(table: PackedTable) {
    this.#ownerOf = ownerField(table)
    this.#part = new NumberField(table, table.listedBy[1])
    this.#open = new Set(table.openParts)
  }

  read(bytes: Buffer, at: number): boolean {
    this.part = this.#part.read(bytes, at)
    this.owner = this.#ownerOf(bytes, at)
    return !this.#open.has(this.part)
  }
}

/** Ids of one owner that are taken up together, by rising id, and the part that each is of. */
interface Gathered {
  readonly ids: number[]
  readonly parts: number[]
}

/** Packs ids of one owner. */
class ListPacker {
  readonly parts = new PackedWriter(1024)
  readonly ids = new PackedWriter(1024)

  /** @param begin of those that are packed, @param end behind them. */
  pack({ ids, parts }: Gathered, begin: number, end: number): void {
    this.parts.end = 0
    this.ids.end = 0
    const places = sortedPlaces(parts, begin, end)
    this.ids.reserve(numberBytes * places.length)
    const firstId = ids[begin]!
    let part = 0
    for (let first = 0; first < places.length; ) {
      const of = parts[places[first]!]!
      let last = firstId
      let next = first
      for (; next < places.length && parts[places[next]!] === of; next++) {
        const id = ids[places[next]!]!
        this.ids.count(id - last)
        last = id
      }
      this.parts.reserve(2 * numberBytes)
      this.parts.count(of - part)
      this.parts.count(next - first)
      part = of
      first = next
    }
  }
}

/** Places from `begin` on by part, and of one part as they are. */
function sortedPlaces(parts: readonly number[], begin: number, end: number): Float64Array {
  const places = new Float64Array(end - begin)
  for (let i = begin; i < end; i++) places[i - begin] = parts[i]! * chunkRows + (i - begin)
  places.sort()
  for (let i = 0; i < places.length; i++) places[i] = (places[i]! % chunkRows) + begin
  return places
}

/** Told of a row that the list of owners has not, as it may change: its id, its owner and its part. */
export type OnOpen = (id: number, owner: Owner, part: number) => void

/** Takes rows of one table up into its lists, within transactions of the store. */
export class IdLister {
  readonly #table: PackedTable
  readonly #select: SelectAll
  readonly #last
  readonly #progress
  readonly #gatherers: readonly ListGatherer[]
  readonly #cursor = new BlockCursor()

  constructor(database: Database.Database, table: PackedTable, onOpen: OnOpen = () => {}) {
    this.#table = table
    this.#select = selecting(database)
    const { name } = table
    this.#last = database.prepare(`select last from listed where name = '${name}'`)
    this.#progress = database.prepare(`update listed set last = ? where name = '${name}'`)
    this.#gatherers = listsOf(table).map(
      (list, index) => new ListGatherer(database, list, index === 0 ? onOpen : () => {}),
    )
  }

  /** The last id that the lists have. */
  get last(): number {
    return (this.#last.get() as { readonly last: number }).last
  }

  /** Takes up a chunk. @param idsLeft of the newest, not taken up. @returns whether there is no more. */
  takeUp(idsLeft = 0): boolean {
    const after = this.last
    const belowId = highestId(this.#select, this.#table) + 1 - idsLeft
    const cursor = this.#cursor
    let rows = 0
    let last = after
    for (const block of blocksBetween(this.#select, this.#table, after + 1, belowId)) {
      if (rows >= chunkRows) break
      cursor.over(this.#table, block)
      const bytes = bufferOver(cursor.bytes)
      while (cursor.next()) {
        if (cursor.id <= after || cursor.id >= belowId) continue
        for (const gatherer of this.#gatherers) gatherer.take(cursor.id, bytes, cursor.at)
        last = cursor.id
        rows++
      }
    }
    if (rows === 0) return true
    for (const gatherer of this.#gatherers) gatherer.write()
    this.#progress.run(last)
    return rows < chunkRows
  }
}

/** Gathers rows of one list by their owners. */
class ListGatherer {
  readonly #keys: RowKeys
  readonly #onOpen: OnOpen
  readonly #insert
  readonly #packer = new ListPacker()
  readonly #owners = new Map<Owner, Gathered>()

  constructor(database: Database.Database, { name, keys }: IdList, onOpen: OnOpen) {
    this.#keys = keys()
    this.#onOpen = onOpen
    this.#insert = database.prepare(`insert or replace into ${name} values (?, ?, ?, ?, ?, ?)`)
  }

  take(id: number, bytes: Buffer, at: number): void {
    const keys = this.#keys
    const isListed = keys.read(bytes, at)
    const { owner, part } = keys
    if (!isListed) {
      this.#onOpen(id, owner, part)
      return
    }
    let gathered = this.#owners.get(owner)
    if (gathered === undefined) {
      gathered = { ids: [], parts: [] }
      this.#owners.set(owner, gathered)
    }
    gathered.ids.push(id)
    gathered.parts.push(part)
  }

  /** In the order of the owners. */
  write(): void {
    for (const owner of [...this.#owners.keys()].sort(byOrder)) {
      this.#write(owner, this.#owners.get(owner)!)
    }
    this.#owners.clear()
  }

  #write(owner: Owner, gathered: Gathered): void {
    const { ids } = gathered
    const key = typeof owner === 'number' ? owner : Buffer.from(owner, 'latin1')
    for (let begin = 0; begin < ids.length; begin += listIdsMax) {
      const end = Math.min(ids.length, begin + listIdsMax)
      this.#packer.pack(gathered, begin, end)
      const { parts, ids: packed } = this.#packer
      const values = [ids[begin]!, ids[end - 1]!, end - begin, parts.written(), packed.written()]
      this.#insert.run([key, ...values])
    }
  }
}

function bufferOver(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function byOrder(one: Owner, other: Owner): number {
  return one < other ? -1 : 1
}

/** Takes ids out of a list, within transactions of the store. */
export class ListRemover {
  readonly #above
  readonly #next
  readonly #whole
  readonly #shorter
  readonly #insert
  readonly #having
  readonly #drop
  readonly #packer = new ListPacker()

  constructor(database: Database.Database, { name }: Pick<IdList, 'name'>) {
    const stored = 'owner, first_id as firstId, last_id as lastId, count, parts, ids'
    this.#above = database.prepare(`select ${stored} from ${name} where last_id > ?`)
    this.#having = database.prepare(
      `select ${stored} from ${name} where owner = ? and first_id <= ? order by first_id desc limit 1`,
    )
    this.#drop = database.prepare(`delete from ${name} where owner = ? and first_id = ?`)
    this.#next = database.prepare(
      `select owner, first_id as firstId, last_id as lastId from ${name} ` +
        'where owner > ? order by owner, first_id limit 1',
    )
    this.#whole = database.prepare(`delete from ${name} where owner = ? and last_id < ?`)
    this.#shorter = database.prepare(`delete from ${name} where last_id > ?`)
    this.#insert = database.prepare(`insert into ${name} values (?, ?, ?, ?, ?, ?)`)
  }

  /** Ids above. */
  above(id: number): void {
    const cut = this.#above.all(id) as OwnedList[]
    this.#shorter.run(id)
    for (const list of cut) this.#write(list, (other) => other <= id)
  }

  /** One id of an owner, if it is there. */
  one(owner: ListOwner, id: number): void {
    const list = this.#having.get([owner, id]) as OwnedList | undefined
    if (list === undefined) return
    this.#drop.run([owner, list.firstId])
    this.#write(list, (other) => other !== id)
  }

  /** What is kept of a row of the list that was taken out. */
  #write(list: OwnedList, isKept: (id: number) => boolean): void {
    const kept = entriesOf(list).filter((entry) => isKept(entry.id))
    if (kept.length === 0) return
    kept.sort((one, other) => one.id - other.id)
    const gathered = {
      ids: kept.map((entry) => entry.id),
      parts: kept.map(({ part }) => part),
    }
    this.#packer.pack(gathered, 0, kept.length)
    const owner = typeof list.owner === 'number' ? list.owner : bytesOf(list.owner)
    const ids = [kept[0]!.id, kept.at(-1)!.id, kept.length]
    const { parts, ids: packed } = this.#packer
    this.#insert.run([owner, ...ids, parts.written(), packed.written()])
  }

  /**
   * Rows of the list with no id from one on, of some owners.
   * @param after the last owner that was looked at; null: none was.
   * @returns the last one now; null: there are no more.
   */
  below(id: number, after: ListOwner | null, ownersMax: number): ListOwner | null {
    let owner: ListOwner = after ?? firstOwner
    for (let looked = 0; looked < ownersMax; looked++) {
      const next = this.#next.get([owner]) as NextList | undefined
      if (next === undefined) return null
      owner = typeof next.owner === 'number' ? next.owner : Uint8Array.from(bytesOf(next.owner))
      if (next.lastId < id) this.#whole.run([owner, id])
    }
    return owner
  }
}

/** Before every other: a number stands before bytes. */
const firstOwner = Number.MIN_SAFE_INTEGER
export type ListOwner = Uint8Array | number

interface NextList {
  readonly owner: StoredBytes | number
  readonly lastId: number
}

export interface StoredList {
  readonly firstId: number
  readonly parts: StoredBytes
  readonly ids: StoredBytes
}

export type OwnedList = StoredList & { readonly owner: StoredBytes | number }

/** How many ids each part has, by rising part. */
export function* countsByPart(parts: StoredBytes): Generator<{ part: number; count: number }> {
  const reader = new PackedReader(parts)
  let part = 0
  while (!reader.isAtEnd) {
    part += reader.count()
    yield { part, count: reader.count() }
  }
}

/**
 * Takes the ids of a row of a list, part by part.
 * @param wanted whose ids alone are taken; null: of all parts.
 */
export function takeIds(
  { firstId, parts, ids }: StoredList,
  wanted: ReadonlySet<number> | null,
  take: (id: number, part: number) => void,
): void {
  const reader = new PackedReader(ids)
  for (const { part, count } of countsByPart(parts)) {
    if (wanted !== null && !wanted.has(part)) {
      reader.skip(count)
      continue
    }
    let id = firstId
    for (let left = count; left > 0; left--) {
      id += reader.count()
      take(id, part)
    }
  }
}

/** Ids of a row of a list, with the part that each is of. */
export function entriesOf(list: StoredList): { id: number; part: number }[] {
  const entries: { id: number; part: number }[] = []
  takeIds(list, null, (id, part) => entries.push({ id, part }))
  return entries
}
