import { formatAddress, isZeroAddress } from '../../../schemas/wallet.js'
import { asciiAt, type EventRecords } from '../event-text.js'

// A table of the store is declared once: its columns and where the value of each stands in the event that a row comes
// of. Its SQL, its rows' types and how events become rows follow from that.

export type Value = string | number | null

const Source = { Double: 0, Int: 1, Word: 2, Address: 3, Computed: 4, Given: 5 } as const
type Source = (typeof Source)[keyof typeof Source]

/** A column whose values are of the type `V`. */
export interface Column<V extends Value = Value> {
  readonly type: string
  readonly source: Source
  /** Offset in the event; of a given value its place among those that the writer gives. */
  readonly at: number
  readonly compute: (records: EventRecords, at: number) => V
}
export type Columns = Readonly<Record<string, Column>>

const integerType = 'integer not null'
const textType = 'text not null'

const nothing = (): never => {
  throw new Error('the column is not computed')
}

const numberFrom = (source: Source) => (at: number) =>
  ({ type: integerType, source, at, compute: nothing }) as Column<number>

/** A Float64 of the event, which is an integer. */
export const double = numberFrom(Source.Double)
export const int = numberFrom(Source.Int)
export const word = numberFrom(Source.Word)
/** What the event does not say: the writer knows it. @param place among the values that it gives. */
export const given = numberFrom(Source.Given)

export const givenText: Column<string> = {
  type: textType,
  source: Source.Given,
  at: 0,
  compute: nothing,
}

export function constant(value: number): Column<number> {
  return { type: integerType, source: Source.Computed, at: 0, compute: () => value }
}

export function address(at: number): Column<string> {
  return { type: textType, source: Source.Address, at, compute: nothing }
}

export function text(compute: (records: EventRecords, at: number) => string): Column<string> {
  return { type: textType, source: Source.Computed, at: 0, compute }
}

/** ASCII text, and where its length stands. */
export function ascii(textAt: number, bytesAt: number): Column<string> {
  return text((records, at) => asciiAt(records, at + textAt, records.i32[(at + bytesAt) >> 2]))
}

/** An address that not every event has; all zeros are none. */
export function optionalAddress(
  addressAt: number,
  isThere = ({ u8 }: EventRecords, at: number) => !isZeroAddress(u8, at + addressAt),
): Column<string | null> {
  const compute = (records: EventRecords, at: number) =>
    isThere(records, at) ? formatAddress(records.u8, at + addressAt) : null
  return { type: 'text', source: Source.Computed, at: 0, compute }
}

/**
 * Adds the row of the event at `at` to `row`.
 * @param given what columns of that source take.
 */
export function readRow(
  columns: readonly Column[],
  records: EventRecords,
  at: number,
  given: readonly number[],
  row: Value[],
): void {
  const { i32, f64, u8 } = records
  for (let i = 0; i < columns.length; i++) {
    const { source, at: columnAt, compute } = columns[i]!
    const offset = at + columnAt
    if (source === Source.Double) row.push(f64[offset >> 3]!)
    else if (source === Source.Int) row.push(i32[offset >> 2]!)
    else if (source === Source.Address) row.push(formatAddress(u8, offset))
    else if (source === Source.Word) row.push(i32[offset >> 2]! >>> 0)
    else if (source === Source.Given) row.push(given[columnAt]!)
    else row.push(compute(records, at))
  }
}

/** What a table is besides its columns. */
export interface TableOptions<Name extends string = string> {
  readonly key: readonly Name[]
  /** By name: what stands behind `on <table>`. */
  readonly indexes?: Readonly<Record<string, string>>
  /** SQL of what a row changes in the one that has its key; without: it takes its place. */
  readonly updates?: string
}

export interface Table<C extends Columns = Columns> extends TableOptions {
  readonly name: string
  readonly columns: C
}

/** A row as the queries select it. */
export type Row<T extends Table> = {
  readonly [K in keyof T['columns']]: T['columns'][K] extends Column<infer V> ? V : never
}

export function table<C extends Columns>(
  name: string,
  columns: C,
  options: TableOptions<keyof C & string>,
): Table<C> {
  return { name, columns, ...options }
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

/**
 * Inserts some rows, whose values follow each other.
 * @param updatesWhere which rows may be updated; '' all.
 */
export function insertSql({ name, columns, key, updates }: Table, rows: number, updatesWhere = '') {
  const names = Object.keys(columns).map(sqlName)
  const places = `(${names.map(() => '?').join(', ')})`
  const verb = updates === undefined ? 'insert or replace' : 'insert'
  const into = `${verb} into ${name} (${names.join(', ')})`
  const values = `${into} values ${Array(rows).fill(places).join(', ')}`
  if (updates === undefined) return values
  const where = updatesWhere === '' ? '' : ` where ${updatesWhere}`
  return `${values} on conflict (${key.map(sqlName).join(', ')}) do update set ${updates}${where}`
}

/** Columns as a query selects them, by the names of `Row`. @param alias of the table in the query. */
export function selected({ columns }: Table, alias: string): string {
  return Object.keys(columns)
    .map((column) => `${alias}.${sqlName(column)} as ${column}`)
    .join(', ')
}

/** SQL that gives some columns the values of the row that comes. */
export function excluded(...columns: readonly string[]): string {
  return columns.map((column) => `${sqlName(column)} = excluded.${sqlName(column)}`).join(', ')
}
