import { addressBytes, parseAddress, sameAddress } from '../../../schemas/wallet.js'
import { countsByPart, entriesOf, listOf, type StoredList, takeIds } from './id-lists.js'
import { addressOffset, NumberField } from './packed-rows.js'
import {
  BlockCursor,
  blocksBetween,
  countBetween,
  cursorsBetween,
  firstOfNewest,
} from './row-blocks.js'
import type { SelectAll } from './select.js'
import type { PackedTable, Table } from './table.js'

// What a search finds: ids that lists have (`id-lists.ts`), and those of rows behind them, which are looked at one by one.

/** Rows of a list that one look reads at first, and at most; each reads twice as many as the one before. */
const [lookFirst, lookMax] = [4, 256]
/** With more of them each row's is looked up instead. */
const addressesSought = 4

/** Ids of a search, which several of these may have together. */
export interface IdSource {
  /** How many there are from one on, below another. */
  count(fromId: number, belowId: number): number
  /** The newest of them, the newest first. */
  newest(fromId: number, belowId: number, limit: number): number[]
}

interface Look extends StoredList {
  readonly lastId: number
  readonly count: number
  /** Of the parts that are wanted. */
  readonly matching: number
  unpacked: Float64Array | null
}

/** A list, and the first of its ids that counts: those below have gone with their rows. */
export interface ListToRead {
  readonly name: string
  readonly firstId: number
}

/** The list of a table's owners. */
export function ownedList(select: SelectAll, table: PackedTable): ListToRead {
  return { name: listOf(table), firstId: listedOf(select, table).first }
}

/** What a list has of one owner, of all parts or of some. */
export class ListedIds implements IdSource {
  readonly #select: SelectAll
  readonly #list: string
  readonly #isOwner: string
  readonly #owner: string | number
  readonly #parts: ReadonlySet<number> | null
  /** Ids below have gone with their rows. */
  readonly #firstId: number
  /** The newest first, as far as was looked. */
  readonly #looks: Look[] = []
  #lookNext: number
  #isWhole = false
  #lookRows = lookFirst

  /** @param owner a wallet, or a number. @param parts null: all. @param belowId no other is asked for. */
  constructor(
    select: SelectAll,
    list: ListToRead,
    owner: string | number,
    parts: ReadonlySet<number> | null,
    belowId: number,
  ) {
    this.#select = select
    this.#list = list.name
    this.#owner = typeof owner === 'number' ? owner : owner.slice(2)
    this.#isOwner = typeof owner === 'number' ? 'owner = ?' : 'owner = unhex(?)'
    this.#parts = parts
    this.#lookNext = belowId
    this.#firstId = list.firstId
  }

  count(fromId: number, belowId: number): number {
    let count = 0
    for (const look of this.#looksFrom(fromId)) {
      if (look.firstId >= belowId) continue
      const isWhole = look.firstId >= this.#from(fromId) && look.lastId < belowId
      count += isWhole ? look.matching : this.#within(look, fromId, belowId).length
    }
    return count
  }

  newest(fromId: number, belowId: number, limit: number): number[] {
    const ids: number[] = []
    for (const look of this.#looksFrom(fromId)) {
      if (ids.length >= limit) break
      if (look.firstId >= belowId || look.matching === 0) continue
      const within = this.#within(look, fromId, belowId)
      for (let i = within.length - 1; i >= 0 && ids.length < limit; i--) ids.push(within[i]!)
    }
    return ids
  }

  #from(fromId: number): number {
    return Math.max(fromId, this.#firstId)
  }

  /** Rows of the list that have an id from one on, the newest first. */
  *#looksFrom(fromId: number): Generator<Look> {
    for (let i = 0; ; i++) {
      if (i === this.#looks.length && !this.#lookOn()) return
      const look = this.#looks[i]!
      if (look.lastId < this.#from(fromId)) return
      yield look
    }
  }

  /** @returns whether there was more. */
  #lookOn(): boolean {
    if (this.#isWhole) return false
    const limit = this.#lookRows
    this.#lookRows = Math.min(2 * limit, lookMax)
    const parts = this.#parts === null ? '' : ', parts'
    const sql =
      `select first_id as firstId, last_id as lastId, count${parts} from ${this.#list} ` +
      `where ${this.#isOwner} and first_id < ? order by first_id desc limit ?`
    const rows = this.#select<Omit<Look, 'matching'>>(sql, [this.#owner, this.#lookNext, limit])
    this.#isWhole = rows.length < limit
    for (const row of rows) {
      this.#looks.push({ ...row, matching: this.#matching(row), unpacked: null })
    }
    this.#lookNext = rows.at(-1)?.firstId ?? 0
    return rows.length > 0
  }

  #matching({ count, parts }: Pick<Look, 'count' | 'parts'>): number {
    if (this.#parts === null) return count
    let matching = 0
    for (const { part, count: ofPart } of countsByPart(parts)) {
      if (this.#parts.has(part)) matching += ofPart
    }
    return matching
  }

  /** Wanted ids from one on, below another, by rising id. */
  #within(look: Look, fromId: number, belowId: number): Float64Array {
    look.unpacked ??= this.#unpack(look)
    const from = this.#from(fromId)
    const isWhole = look.firstId >= from && look.lastId < belowId
    return isWhole ? look.unpacked : look.unpacked.filter((id) => id >= from && id < belowId)
  }

  #unpack({ firstId }: Look): Float64Array {
    const sql =
      `select first_id as firstId, parts, ids from ${this.#list} ` +
      `where ${this.#isOwner} and first_id = ?`
    const [row] = this.#select<StoredList>(sql, [this.#owner, firstId])
    const ids: number[] = []
    takeIds(row!, this.#parts, (id) => ids.push(id))
    return Float64Array.from(ids).sort()
  }
}

/** Ids that are known, by rising id. */
export class KnownIds implements IdSource {
  readonly #ids: readonly number[]

  constructor(ids: readonly number[]) {
    this.#ids = ids
  }

  count(fromId: number, belowId: number): number {
    return placeOf(this.#ids, Math.max(fromId, belowId)) - placeOf(this.#ids, fromId)
  }

  newest(fromId: number, belowId: number, limit: number): number[] {
    const end = placeOf(this.#ids, belowId)
    const begin = Math.max(placeOf(this.#ids, fromId), end - limit)
    return this.#ids.slice(begin, Math.max(begin, end)).reverse()
  }
}

/** Of the first that is not below. */
function placeOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}

/** The ids of every row. */
export class AllIds implements IdSource {
  readonly #select: SelectAll
  readonly #table: PackedTable

  constructor(select: SelectAll, table: PackedTable) {
    this.#select = select
    this.#table = table
  }

  count(fromId: number, belowId: number): number {
    return fromId >= belowId ? 0 : countBetween(this.#select, this.#table, fromId, belowId)
  }

  newest(fromId: number, belowId: number, limit: number): number[] {
    const ids: number[] = []
    let below = belowId
    while (ids.length < limit && below > fromId) {
      const from = Math.max(fromId, firstOfNewest(this.#select, this.#table, below, limit))
      const found: number[] = []
      for (const { id } of cursorsBetween(this.#select, this.#table, from, below)) found.push(id)
      for (let i = found.length - 1; i >= 0 && ids.length < limit; i--) ids.push(found[i]!)
      below = from
    }
    return ids
  }
}

/** How far the list of a table has come: the last id that it has, and the first that has not gone. */
export function listedOf(select: SelectAll, { name }: Table): { first: number; last: number } {
  const sql = 'select first, last from listed where name = ?'
  return select<{ first: number; last: number }>(sql, [name])[0]!
}

/** Which rows are wanted. */
export interface Wanted {
  /** Wallets, or numbers; of any of them. */
  readonly owners: readonly (string | number)[]
  /** Null: of all parts. */
  readonly parts: readonly number[] | null
  /** The first id, and the first one behind the last. */
  readonly fromId: number
  readonly toId: number
}

/** What is wanted, whether the list has it or not. */
export function sourcesOf(select: SelectAll, table: PackedTable, wanted: Wanted): IdSource[] {
  const { owners, fromId, toId } = wanted
  const parts = wanted.parts === null ? null : new Set(wanted.parts)
  const list = ownedList(select, table)
  return [
    new KnownIds(pendingIds(select, table, owners, parts, { fromId, toId })),
    ...owners.map((owner) => new ListedIds(select, list, owner, parts, toId)),
  ]
}

/** Ids of wanted rows that no list has yet. */
export function pendingIds(
  select: SelectAll,
  table: PackedTable,
  owners: readonly (string | number)[],
  parts: ReadonlySet<number> | null,
  { fromId, toId }: Pick<Wanted, 'fromId' | 'toId'>,
): number[] {
  const [owner, part] = table.listedBy
  const field = new NumberField(table, part)
  const isOf = ownerTest(table, owner, owners)
  const from = Math.max(fromId, listedOf(select, table).last + 1)
  const ids: number[] = []
  const cursor = new BlockCursor()
  for (const block of blocksBetween(select, table, from, toId)) {
    cursor.over(table, block)
    const { bytes } = cursor
    while (cursor.next()) {
      const { id, at } = cursor
      if (id < from || id >= toId || !isOf(bytes, at)) continue
      if (parts === null || parts.has(field.read(bytes, at))) ids.push(id)
    }
  }
  return ids
}

function ownerTest(table: PackedTable, column: string, owners: readonly (string | number)[]) {
  if (table.columns[column]!.addressAt === undefined) {
    const [field, numbers] = [new NumberField(table, column), new Set(owners)]
    return (bytes: Uint8Array, at: number) => numbers.has(field.read(bytes, at))
  }
  const offset = addressOffset(table, column)
  const addresses = owners.map((owner) => parseAddress(String(owner))!)
  if (addresses.length > addressesSought) {
    const known = new Set(addresses.map((address) => Buffer.from(address).toString('latin1')))
    return (bytes: Uint8Array, at: number) => {
      const begin = bytes.byteOffset + at + offset
      return known.has(Buffer.from(bytes.buffer, begin, addressBytes).toString('latin1'))
    }
  }
  return (bytes: Uint8Array, at: number) => {
    for (const address of addresses) if (sameAddress(bytes, at + offset, address, 0)) return true
    return false
  }
}

/** The last id of each part that a list has. */
export function lastIdsByPart(select: SelectAll, table: PackedTable): ReadonlyMap<number, number> {
  const lasts = new Map<number, number>()
  const name = listOf(table)
  const rows = select<{ owner: number; firstId: number; parts: ArrayBuffer }>(
    `select owner, first_id as firstId, parts from ${name} order by owner, first_id desc`,
    [],
  )
  const idsSql = `select first_id as firstId, parts, ids from ${name} where owner = ? and first_id = ?`
  const known = new Set<string>()
  for (const { owner, firstId, parts } of rows) {
    const isNew = [...countsByPart(parts)].some(({ part }) => !known.has(`${owner} ${part}`))
    if (!isNew) continue
    const [list] = select<StoredList>(idsSql, [owner, firstId])
    for (const { id, part } of entriesOf(list!)) {
      known.add(`${owner} ${part}`)
      lasts.set(part, Math.max(id, lasts.get(part) ?? 0))
    }
  }
  return lasts
}
