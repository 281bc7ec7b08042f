import type { RecordViews } from '../../../schemas/record-views.js'
import { addressTextLength, formatAddress, isZeroAddress } from '../../../schemas/wallet.js'
import { countBytes, integerBytes } from './row-digits.js'

// A table of the store is declared once: its columns and where the value of each stands in the event that a row comes
// of. Its SQL, its rows' types and how events become rows follow from that.

export type Value = string | number | null

/** A cursor on events of one kind. */
export interface Event {
  readonly views: RecordViews
  readonly over: (views: RecordViews, at: number) => unknown
}
/** Values of a row that its event does not have: the writer knows them. */
export type Given = readonly number[]

/** A column of values `V` in the rows of events `E`. */
export interface Column<E, V extends Value = Value> {
  readonly type: string
  readonly read: (event: E, given: Given) => V
  /** Of an address that every event has: where it stands in the event's views. */
  readonly addressAt?: (event: E) => number
  /** Whether it is text that clients choose. */
  readonly isFree?: true
  /** Of a text that the event has in ASCII. */
  readonly ascii?: AsciiPlace<E>
}

/** Where a text stands in an event's views. */
interface AsciiPlace<E> {
  readonly at: (event: E) => number
  readonly bytes: (event: E) => number
}
export type Columns<E> = Readonly<Record<string, Column<E>>>

const integerType = 'integer not null'
const optionalIntegerType = 'integer'
const textType = 'text not null'
const optionalTextType = 'text'

export function integer<E>(read: Column<E, number>['read']): Column<E, number> {
  return { type: integerType, read }
}

export function text<E>(read: Column<E, string>['read']): Column<E, string> {
  return { type: textType, read }
}

/** Text that clients choose. */
export function freeText<E>(column: Column<E, string>): Column<E, string> {
  return { ...column, isFree: true }
}

/** Text of ASCII that the event has as such. */
export function asciiText<E>(
  read: Column<E, string>['read'],
  at: (event: E) => number,
  bytes: (event: E) => number,
): Column<E, string> {
  return { ...text(read), ascii: { at, bytes } }
}

/** A number that rows from before it was told lack. */
export function optionalInteger<E>(read: Column<E, number>['read']): Column<E, number | null> {
  return { type: optionalIntegerType, read }
}

/** Text that not every event has. */
export function optionalText<E>(read: Column<E, string | null>['read']): Column<E, string | null> {
  return { type: optionalTextType, read }
}

/** @param place among what the writer gives. */
export function given(place: number): Column<unknown, number> {
  return integer((_, values) => values[place]!)
}

/** Text of a table whose rows come of no event. */
export const givenText: Column<unknown, string> = text(() => '')

/** @param at where it stands in the event's views. */
export function address<E extends Event>(addressAt: (event: E) => number): Column<E, string> {
  return { ...text((event) => formatAddress(event.views.u8, addressAt(event))), addressAt }
}

/** An address that not every event has; all zeros are none. */
export function optionalAddress<E extends Event>(
  at: (event: E) => number,
  isThere = (event: E) => !isZeroAddress(event.views.u8, at(event)),
): Column<E, string | null> {
  const read = (event: E) => (isThere(event) ? formatAddress(event.views.u8, at(event)) : null)
  return { type: optionalTextType, read }
}

/** What a table is besides its columns. */
export interface TableOptions<E = never, Name extends string = string> {
  readonly key: readonly Name[]
  /** Which events have a row; without: all of the kind. */
  readonly isRow?: (event: E) => boolean
  /** By name: what stands behind `on <table>`. */
  readonly indexes?: Readonly<Record<string, string>>
  /** SQL of what a row changes in the one that has its key; without: it takes its place. */
  readonly updates?: string
}

export interface Table<E = never, C extends Columns<E> = Columns<E>> extends TableOptions<E> {
  readonly name: string
  /** Cursor on the events that rows come of; null: they come of none. */
  readonly event: Event | null
  readonly columns: C
}

/** A row as the queries select it. */
export type Row<T extends Table> = {
  readonly [K in keyof T['columns']]: T['columns'][K] extends Column<never, infer V> ? V : never
}

export function table<E, C extends Columns<E>>(
  name: string,
  event: (E & Event) | null,
  columns: C,
  options: TableOptions<E, keyof C & string>,
): Table<E, C> {
  return { name, event, columns, ...options }
}

/** What a packed table is besides its columns. */
interface PackedOptions<Name extends string = string> {
  /** Ids of one block. */
  readonly blockIds: number
  /** The column of the time that ids rise with. */
  readonly timedBy: Name
  /** The column whose values have lists of ids, and the one that tells the ids of a list apart (`id-lists.ts`). */
  readonly listedBy: readonly [owner: Name, part: Name]
  /** Rows of these parts are no part of the list yet, since their part may change. */
  readonly openParts?: readonly number[]
  /** An address and a text that rows are found by together, where the text is not empty (`hashed-ids.ts`). */
  readonly hashedBy?: readonly [address: Name, text: Name]
}

/** A table whose rows stand in blocks (`row-blocks.ts`), and whose ids rise with time. */
export interface PackedTable<E = never, C extends Columns<E> = Columns<E>>
  extends Table<E, C>,
    PackedOptions {}

export function packedTable<E, C extends Columns<E>>(
  name: string,
  event: (E & Event) | null,
  columns: C,
  options: Pick<TableOptions<E, keyof C & string>, 'key' | 'isRow'> &
    PackedOptions<keyof C & string>,
): PackedTable<E, C> {
  return { name, event, columns, ...options }
}

/** Name of a column in the store. */
export function sqlName(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Creates a table and its indexes where they are missing. */
export function createSql({ name, columns, key, indexes = {} }: Table): string {
  const isRowId = key.length === 1 && columns[key[0]!]!.type === integerType
  const lines = Object.entries(columns).map(([column, { type }]) => {
    if (key.length > 1 || column !== key[0]) return `${sqlName(column)} ${type}`
    return `${sqlName(column)} ${type.replace(' not null', '')} primary key`
  })
  if (key.length > 1) lines.push(`primary key (${key.map(sqlName).join(', ')})`)
  const end = isRowId ? ')' : ') without rowid'
  return [
    `create table if not exists ${name} (\n  ${lines.join(',\n  ')}\n${end};`,
    ...Object.entries(indexes).map(
      ([index, on]) => `create index if not exists ${index} on ${name} ${on};`,
    ),
  ].join('\n')
}

/** Adds the columns that a store from before them lacks; they are ones that may be null. @param known those it has. */
export function addColumnsSql({ name, columns }: Table, known: ReadonlySet<string>): string {
  return Object.entries(columns)
    .filter(([column]) => !known.has(sqlName(column)))
    .map(([column, { type }]) => `alter table ${name} add column ${sqlName(column)} ${type};`)
    .join('\n')
}

/**
 * Inserts some rows, whose values follow each other.
 * @param updatesWhere which rows may be updated; '' all.
 */
export function insertSql(table: Table, rows: number, updatesWhere = ''): string {
  const places = `(${Object.keys(table.columns)
    .map(() => '?')
    .join(', ')})`
  return insertedFrom(table, `values ${Array(rows).fill(places).join(', ')}`, updatesWhere)
}

/**
 * The same for `?2` rows whose fields are in `?1` at fixed places, and texts in `?3`.
 * @param hasOptional whether any row has a text that not every row has: to look for it costs more than a number.
 */
export function insertFromFieldsSql(
  table: Table,
  hasOptional: boolean,
  updatesWhere: string,
): string {
  const columns = Object.values(table.columns)
  const rowBytes = columns.reduce((sum, column) => sum + fieldBytes(column), 0)
  const field = (at: number, bytes: number) =>
    `substr(?1, number * ${rowBytes} + ${at + 1}, ${bytes})`
  let at = 0
  const values = columns.map((column) => {
    const begin = at
    at += fieldBytes(column)
    if (isNumber(column)) return `cast(${field(begin, integerBytes)} as integer)`
    if (column.addressAt !== undefined) return `cast(${field(begin, addressTextLength)} as text)`
    if (!hasOptional && isOptionalText(column)) return 'null'
    const [place, length] = [begin, begin + countBytes].map((of) => field(of, countBytes))
    const whole = `cast(substr(?3, cast(${place} as integer), cast(${length} as integer)) as text)`
    return isOptionalText(column) ? `nullif(${whole}, '')` : whole
  })
  const from = `select ${values.join(', ')} from row_numbers where number < ?2`
  return insertedFrom(table, from, updatesWhere)
}

/** Bytes that a value of the column has on its way into the store; whole words. */
export function fieldBytes(column: Column<never>): number {
  if (isNumber(column)) return integerBytes
  return column.addressAt === undefined ? 2 * countBytes : Math.ceil(addressTextLength / 4) * 4
}

export function isOptionalText({ type }: Column<never>): boolean {
  return type === optionalTextType
}

/** Whether it may be null. */
export function isOptional({ type }: Column<never>): boolean {
  return type === optionalTextType || type === optionalIntegerType
}

export function isNumber({ type }: Column<never>): boolean {
  return type === integerType || type === optionalIntegerType
}

function insertedFrom(
  { name, columns, key, updates }: Table,
  source: string,
  updatesWhere: string,
): string {
  const verb = updates === undefined ? 'insert or replace' : 'insert'
  const into = `${verb} into ${name} (${Object.keys(columns).map(sqlName).join(', ')}) ${source}`
  if (updates === undefined) return into
  const where = updatesWhere === '' ? '' : ` where ${updatesWhere}`
  return `${into} on conflict (${key.map(sqlName).join(', ')}) do update set ${updates}${where}`
}

/** SQL that gives some columns the values of the row that comes. */
export function excluded(...columns: readonly string[]): string {
  return columns.map((column) => `${sqlName(column)} = excluded.${sqlName(column)}`).join(', ')
}
