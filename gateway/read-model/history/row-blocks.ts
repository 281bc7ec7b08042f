import type Database from 'libsql'
import type { RecordViews } from '../../../schemas/record-views.js'
import { bytesOf, PackedReader, PackedWriter, type StoredBytes } from './packed-bytes.js'
import { type NumberField, RowPacker, RowUnpacker } from './packed-rows.js'
import type { SelectAll } from './select.js'
import type { Given, PackedTable, Row, Table, Value } from './table.js'

// What comes with every order is stored many rows at a time: to take a row apart, column by column, costs SQLite more than
// to store its bytes. Rows whose ids are of one span stand in one block, in the order of their ids:
//
//      block = id / `blockIds`     | id in the block | bytes of the row | row | id in the block | ...
//
// The newest block is written again by each transaction that has rows of it.

const blockBytesFirst = 1 << 14
const frameBytesMax = 18
/** Blocks that a reader reads at first, and at most; each time twice as many. */
const [blocksFirst, blocksMax] = [8, 256]
const nothingGiven: Given = []

/** Name of the table in the store. */
export function blocksOf({ name }: Table): string {
  return `${name.slice(0, -1)}_blocks`
}

export function createBlocksSql(table: PackedTable): string {
  return (
    `create table if not exists ${blocksOf(table)} ` +
    '(block integer primary key, count integer not null, rows blob not null);'
  )
}

interface StoredBlock {
  readonly block: number
  readonly count: number
  readonly rows: StoredBytes
}

/** A block's rows, one after the other. */
export class BlockCursor {
  id = 0
  /** Where the row stands, and ends. */
  at = 0
  end = 0
  /** Where what the block says of the row begins. */
  begin = 0
  readonly #reader = new PackedReader(new Uint8Array(0))
  #firstId = 0

  over({ blockIds }: PackedTable, { block, rows }: StoredBlock): this {
    this.#firstId = block * blockIds
    this.#reader.bytes = bytesOf(rows)
    this.#reader.at = 0
    return this
  }

  get bytes(): Uint8Array {
    return this.#reader.bytes
  }

  /** @returns whether there is another row. */
  next(): boolean {
    const reader = this.#reader
    if (reader.isAtEnd) return false
    this.begin = reader.at
    this.id = this.#firstId + reader.count()
    const bytes = reader.count()
    this.at = reader.at
    this.end = this.at + bytes
    reader.at = this.end
    return true
  }
}

/** Rows of one table on their way into its blocks. A row takes the place of the one that has its id. */
export class BlockBatch {
  readonly #table: PackedTable
  readonly #packer: RowPacker
  readonly #read
  readonly #write
  readonly #out = new PackedWriter(blockBytesFirst)
  readonly #old = new BlockCursor()
  /** Ids of rows and where each ends in the packer's bytes. */
  readonly #ids: number[] = []
  readonly #ends: number[] = []

  constructor(database: Database.Database, table: PackedTable) {
    this.#table = table
    this.#packer = new RowPacker(table)
    const name = blocksOf(table)
    this.#read = database.prepare(`select block, count, rows from ${name} where block = ?`)
    this.#write = database.prepare(`insert or replace into ${name} values (?, ?, ?)`)
  }

  /** @returns false when the event at `at` has no row. @param given values that the event does not have. */
  addEvent(views: RecordViews, at: number, given: Given = nothingGiven): boolean {
    const id = this.#packer.packEvent(views, at, given)
    if (id >= 0) this.#ids.push(id)
    if (id >= 0) this.#ends.push(this.#packer.out.end)
    return id >= 0
  }

  add(row: Readonly<Record<string, Value>>): void {
    this.#ids.push(this.#packer.packRow(row))
    this.#ends.push(this.#packer.out.end)
  }

  /** Rows that were added and are not in the store yet. */
  get rows(): number {
    return this.#ids.length
  }

  /** Within a transaction of the store. */
  flush(): void {
    const ids = this.#ids
    if (ids.length === 0) return
    const order = inOrder(ids)
    for (let first = 0; first < order.length; ) {
      const block = this.#blockOf(ids[order[first]!]!)
      let end = first + 1
      while (end < order.length && this.#blockOf(ids[order[end]!]!) === block) end++
      this.#writeBlock(block, order.subarray(first, end))
      first = end
    }
    ids.length = 0
    this.#ends.length = 0
    this.#packer.out.end = 0
  }

  #blockOf(id: number): number {
    return Math.floor(id / this.#table.blockIds)
  }

  /** @param places of the rows, by rising id; of those of one id the last one counts. */
  #writeBlock(block: number, places: Int32Array): void {
    const out = this.#out
    out.end = 0
    const known = this.#read.get(block) as StoredBlock | undefined
    const old = known === undefined ? null : this.#old.over(this.#table, known)
    let rows = known?.count ?? 0
    let isOld = old?.next() ?? false
    // Where old rows begin that have not been copied yet: as many as follow each other are copied at once.
    let from = 0
    for (let i = 0; i < places.length; i++) {
      const place = places[i]!
      const id = this.#ids[place]!
      if (i + 1 < places.length && this.#ids[places[i + 1]!] === id) continue
      while (isOld && old!.id < id) isOld = old!.next()
      if (old !== null) {
        const to = isOld ? old.begin : old.bytes.length
        if (to > from) out.put(old.bytes.subarray(from, to))
        from = to
      }
      if (isOld && old!.id === id) {
        from = old!.end
        isOld = old!.next()
      } else rows++
      this.#frame(id - block * this.#table.blockIds, place)
    }
    if (old !== null) out.put(old.bytes.subarray(from))
    this.#write.run([block, rows, out.written()])
  }

  #frame(id: number, place: number): void {
    const { out } = this.#packer
    const begin = place === 0 ? 0 : this.#ends[place - 1]!
    const row = out.bytes.subarray(begin, this.#ends[place]!)
    this.#out.reserve(frameBytesMax)
    this.#out.count(id)
    this.#out.count(row.length)
    this.#out.put(row)
  }
}

/** Places of ids by rising id, those of one id in the order that they came in. */
function inOrder(ids: readonly number[]): Int32Array {
  const order = Int32Array.from(ids, (_, place) => place)
  let isRising = true
  for (let i = 1; i < ids.length; i++) if (ids[i]! < ids[i - 1]!) isRising = false
  return isRising ? order : order.sort((one, other) => ids[one]! - ids[other]! || one - other)
}

/** Blocks that have ids from one on, below another, in their order. */
export function* blocksBetween(
  select: SelectAll,
  table: PackedTable,
  fromId: number,
  belowId: number,
): Generator<StoredBlock> {
  const sql = `select block, count, rows from ${blocksOf(table)} where block >= ? and block <= ? order by block limit ?`
  const last = Math.ceil(belowId / table.blockIds) - 1
  let next = Math.floor(fromId / table.blockIds)
  for (let most = blocksFirst; next <= last; most = Math.min(2 * most, blocksMax)) {
    const blocks = select<StoredBlock>(sql, [next, last, most])
    yield* blocks
    if (blocks.length < most) return
    next = blocks.at(-1)!.block + 1
  }
}

/** A cursor at each row with an id from one on, below another, in their order. */
export function* cursorsBetween(
  select: SelectAll,
  table: PackedTable,
  fromId: number,
  belowId: number,
): Generator<BlockCursor> {
  const cursor = new BlockCursor()
  for (const block of blocksBetween(select, table, fromId, belowId)) {
    cursor.over(table, block)
    while (cursor.next()) if (cursor.id >= fromId && cursor.id < belowId) yield cursor
  }
}

/** Rows with an id from one on, below another, in their order. */
export function* rowsBetween<T extends PackedTable>(
  select: SelectAll,
  table: T,
  fromId: number,
  belowId: number,
): Generator<Row<T>> {
  const unpacker = new RowUnpacker(table)
  for (const { bytes, at, id } of cursorsBetween(select, table, fromId, belowId)) {
    yield unpacker.rowAt(bytes, at, id)
  }
}

/** Rows of some ids, in the order of these; ids that have none are passed over. */
export function rowsOfIds<T extends PackedTable>(
  select: SelectAll,
  table: T,
  ids: readonly number[],
): Row<T>[] {
  const found = new Map<number, Row<T>>()
  const wanted = new Set(ids)
  const unpacker = new RowUnpacker(table)
  const numbers = [...new Set(ids.map((id) => Math.floor(id / table.blockIds)))]
  const cursor = new BlockCursor()
  const sql = `select block, count, rows from ${blocksOf(table)} where block in (select value from json_each(?))`
  for (const block of select<StoredBlock>(sql, [JSON.stringify(numbers)])) {
    cursor.over(table, block)
    while (cursor.next()) {
      if (wanted.has(cursor.id)) {
        found.set(cursor.id, unpacker.rowAt(cursor.bytes, cursor.at, cursor.id))
      }
    }
  }
  return ids.map((id) => found.get(id)).filter((row) => row !== undefined)
}

/** Counts rows with an id from one on, below another. */
export function countBetween(
  select: SelectAll,
  table: PackedTable,
  fromId: number,
  belowId: number,
): number {
  const { blockIds } = table
  const whole = Math.ceil(fromId / blockIds)
  const wholeEnd = Math.floor(belowId / blockIds)
  if (whole >= wholeEnd) return countOf(cursorsBetween(select, table, fromId, belowId))
  const sql = `select coalesce(sum(count), 0) as count from ${blocksOf(table)} where block >= ? and block < ?`
  const [{ count }] = select<{ count: number }>(sql, [whole, wholeEnd]) as [{ count: number }]
  return (
    count +
    countOf(cursorsBetween(select, table, fromId, whole * blockIds)) +
    countOf(cursorsBetween(select, table, wholeEnd * blockIds, belowId))
  )
}

function countOf(cursors: Iterable<BlockCursor>): number {
  let count = 0
  for (const _ of cursors) count++
  return count
}

/** A number of the first row in the first block from one on, and which block that is. */
export function firstOfBlock(
  select: SelectAll,
  table: PackedTable,
  block: number,
  field: NumberField,
): { readonly block: number; readonly value: number } | null {
  const sql = `select block, count, rows from ${blocksOf(table)} where block >= ? order by block limit 1`
  const [found] = select<StoredBlock>(sql, [block])
  if (found === undefined) return null
  const cursor = new BlockCursor().over(table, found)
  cursor.next()
  return { block: found.block, value: field.read(cursor.bytes, cursor.at) }
}

/** The first id of the blocks that have the newest rows below an id, as many as asked for or all. */
export function firstOfNewest(
  select: SelectAll,
  table: PackedTable,
  belowId: number,
  rows: number,
): number {
  const sql = `select block from ${blocksOf(table)} where block <= ? order by block desc limit ?`
  const last = Math.ceil(belowId / table.blockIds) - 1
  const blocks = Math.ceil(rows / table.blockIds) + 1
  const found = select<{ readonly block: number }>(sql, [last, blocks])
  return (found.at(-1)?.block ?? 0) * table.blockIds
}

/** The highest id; 0: there is none. */
export function highestId(select: SelectAll, table: PackedTable): number {
  const sql = `select block, count, rows from ${blocksOf(table)} order by block desc limit 1`
  const [block] = select<StoredBlock>(sql, [])
  if (block === undefined) return 0
  const cursor = new BlockCursor().over(table, block)
  while (cursor.next());
  return cursor.id
}

/** The lowest id; 0: there is none. */
export function lowestId(select: SelectAll, table: PackedTable): number {
  const sql = `select block, count, rows from ${blocksOf(table)} order by block limit 1`
  const [block] = select<StoredBlock>(sql, [])
  if (block === undefined) return 0
  const cursor = new BlockCursor().over(table, block)
  cursor.next()
  return cursor.id
}

/** An id behind so many blocks from that of another on; behind all where there are fewer. */
export function firstBehind(
  select: SelectAll,
  table: PackedTable,
  fromId: number,
  blocks: number,
): number {
  const sql = `select block from ${blocksOf(table)} where block >= ? order by block limit 1 offset ?`
  const from = Math.floor(fromId / table.blockIds)
  const [found] = select<{ readonly block: number }>(sql, [from, blocks])
  return found === undefined ? Number.MAX_SAFE_INTEGER : found.block * table.blockIds
}

/** Whether a row that stands at `at` is to go. */
type Goes = (bytes: Uint8Array, at: number, id: number) => boolean

/** Takes rows out of a table's blocks, within transactions of the store. */
export class BlockRemover {
  readonly #table: PackedTable
  readonly #read
  readonly #write
  readonly #remove
  readonly #numbers
  readonly #out = new PackedWriter(blockBytesFirst)
  readonly #cursor = new BlockCursor()

  constructor(database: Database.Database, table: PackedTable) {
    this.#table = table
    const name = blocksOf(table)
    this.#read = database.prepare(`select block, count, rows from ${name} where block = ?`)
    this.#write = database.prepare(`update ${name} set count = ?, rows = ? where block = ?`)
    this.#remove = database.prepare(`delete from ${name} where block >= ? and block <= ?`)
    this.#numbers = database.prepare(
      `select block from ${name} where block >= ? and block < ? order by block`,
    )
  }

  /** Rows with an id above. */
  above(id: number): void {
    const border = Math.floor(id / this.#table.blockIds)
    this.#remove.run(border + 1, Number.MAX_SAFE_INTEGER)
    this.#removeOf(border, (other) => other > id)
  }

  /** Rows with an id below. */
  below(id: number): void {
    const border = Math.floor(id / this.#table.blockIds)
    this.#remove.run(0, border - 1)
    this.#removeOf(border, (other) => other < id)
  }

  /** Rows with an id from one on, below another, that are to go. */
  between(fromId: number, belowId: number, goes: Goes): void {
    const { blockIds } = this.#table
    const blocks = this.#numbers.all(Math.floor(fromId / blockIds), Math.ceil(belowId / blockIds))
    for (const { block } of blocks as { readonly block: number }[]) {
      this.#removeOf(block, (id, bytes, at) => id >= fromId && id < belowId && goes(bytes, at, id))
    }
  }

  #removeOf(block: number, goes: (id: number, bytes: Uint8Array, at: number) => boolean): void {
    const found = this.#read.get(block) as StoredBlock | undefined
    if (found === undefined) return
    const [out, cursor] = [this.#out, this.#cursor.over(this.#table, found)]
    out.end = 0
    let count = 0
    while (cursor.next()) {
      if (goes(cursor.id, cursor.bytes, cursor.at)) continue
      out.put(cursor.bytes.subarray(cursor.begin, cursor.end))
      count++
    }
    if (count === 0) this.#remove.run(block, block)
    else if (count < found.count) this.#write.run([count, out.written(), block])
  }
}

/** Statements of a connection, for what asks as a query does. */
export function selecting(database: Database.Database): SelectAll {
  const statements = new Map<string, Database.Statement>()
  return <T>(sql: string, values: readonly (string | number)[]) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values) as T[]
  }
}
