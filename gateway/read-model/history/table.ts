import type { RecordViews } from '../../../schemas/record-views.js'
import { formatAddress, isZeroAddress } from '../../../schemas/wallet.js'

// A table of the store is declared once: its columns, and how to read the value of each from the event of a row. Its
// SQL, the types of its rows and the conversion of events follow from that.

export type Value = string | number | null

/** Cursor over events of one kind. */
export interface Event {
  readonly views: RecordViews
  readonly over: (views: RecordViews, at: number) => unknown
}
/** Values of a row that its event does not have. The writer supplies them. */
export type Given = readonly number[]

/** Column of values `V`, read from events `E`. */
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

/** Marks a column of text that clients choose. */
export function freeText<E>(column: Column<E, string>): Column<E, string> {
  return { ...column, isFree: true }
}

/** Makes a column that exports omit. */
export function internal<E>(column: Column<E, number>): Column<E, number> {
  return { ...column, isInternal: true }
}

/** Makes a column of text that not every event has. */
export function optionalText<E>(read: Column<E, string | null>['read']): Column<E, string | null> {
  return { type: optionalTextType, read }
}

/** Makes a column that the writer supplies. @param place index in the supplied values. */
export function given(place: number): Column<unknown, number> {
  return integer((_, values) => values[place]!)
}

/** Text column of a table whose rows do not come from an event. */
export const givenText: Column<unknown, string> = text(() => '')

/** Makes a column of an address. @param at offset of the address in the event's views. */
export function address<E extends Event>(at: (event: E) => number): Column<E, string> {
  return text((event) => formatAddress(event.views.u8, at(event)))
}

/** Makes a column of an address that not every event has. All zeros mean none. */
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

/** Properties of a table in addition to its columns. */
export interface TableOptions<E = never, Name extends string = string> {
  readonly key: readonly Name[]
  /** Returns true for events that have a row; left out: all of the kind. */
  readonly isRow?: (event: E) => boolean
  /** SQL after `on <table>`, by name of the index. */
  readonly indexes?: Readonly<Record<string, string>>
  /** Deferred look-ups by name (`id-lists.ts`). */
  readonly lists?: Readonly<Record<string, ListOptions<Name>>>
  /** SQL that runs before the lists absorb the rows with the ids ?2 to ?3. */
  readonly beforeRun?: string
  /** Column of a time that rises with the id. */
  readonly timedBy?: Name
  /** SQL that updates an existing row with the same key; left out: the new row replaces it. */
  readonly updates?: string
}

export interface Table<E = never, C extends Columns<E> = Columns<E>> extends TableOptions<E> {
  readonly name: string
  /** Cursor over the events of rows; null: rows do not come from events. */
  readonly event: Event | null
  readonly columns: C
}

/** Row as queries select it. */
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

/** Returns the SQL that creates a table and its indexes if they are missing. */
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
 * Returns the SQL that inserts a number of rows. Their values follow each other.
 * @param updatesWhere SQL condition on existing rows that may be updated; '': all.
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

/** Returns the SQL that sets some columns to the values of the new row. */
export function excluded(...columns: readonly string[]): string {
  return columns.map((column) => `${sqlName(column)} = excluded.${sqlName(column)}`).join(', ')
}
