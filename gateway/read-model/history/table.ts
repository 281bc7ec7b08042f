import type { RecordViews } from '../../../schemas/record-views.js'
import { formatAddress, isZeroAddress } from '../../../schemas/wallet.js'

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
  /** True if clients choose the text. */
  readonly isFree?: true
  /** True if exports omit the column. */
  readonly isInternal?: true
}
export type Columns<E> = Readonly<Record<string, Column<E>>>

const integerType = 'integer not null'
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

/** Makes a column that exports omit. */
export function internal<E>(column: Column<E, number>): Column<E, number> {
  return { ...column, isInternal: true }
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

/** @param at offset of the address in the event's views. */
export function address<E extends Event>(at: (event: E) => number): Column<E, string> {
  return text((event) => formatAddress(event.views.u8, at(event)))
}

/** An address that not every event has; all zeros are none. */
export function optionalAddress<E extends Event>(
  at: (event: E) => number,
  isThere = (event: E) => !isZeroAddress(event.views.u8, at(event)),
): Column<E, string | null> {
  const read = (event: E) => (isThere(event) ? formatAddress(event.views.u8, at(event)) : null)
  return { type: optionalTextType, read }
}

/** Look-up of ids by some columns, built in bulk. */
export interface ListOptions<Name extends string = string> {
  readonly by: readonly Name[]
  /** SQL condition on its rows; left out: all rows. */
  readonly where?: string
}

/** What a table is besides its columns. */
export interface TableOptions<E = never, Name extends string = string> {
  readonly key: readonly Name[]
  /** Which events have a row; without: all of the kind. */
  readonly isRow?: (event: E) => boolean
  /** By name: the SQL after `on <table>`. */
  readonly indexes?: Readonly<Record<string, string>>
  /** Deferred look-ups by name (`id-lists.ts`). */
  readonly lists?: Readonly<Record<string, ListOptions<Name>>>
  /** SQL that runs before the lists absorb the rows with the ids ?2 to ?3. */
  readonly beforeRun?: string
  /** Column of a time that rises with the id. */
  readonly timedBy?: Name
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

/** Returns the name of a column in the store. */
export function sqlName(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Returns the column of the id in the store. */
export function idOf({ key }: Table): string {
  return sqlName(key[0]!)
}

/** Returns the SQL that selects all columns under their names in `Row`. */
export function columnsOf({ name, columns }: Table): string {
  return Object.keys(columns)
    .map((column) => `${name}.${sqlName(column)} as ${column}`)
    .join(', ')
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
