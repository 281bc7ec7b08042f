// The words in which tables of the state are described: each column once, with its type and whether it is state or
// follows from something else. From these lists come the tables' code (scripts/generate-tables.ts): memory, growth and
// free rows, what a snapshot saves and loads, what the hash of the state is made of, and the comparison of two tables.

/** `bool` is saved as 0 or 1; `sum` is an integer of any length, saved as two doubles. */
export type ColumnType = 'f64' | 'i32' | 'u8' | 'bool' | 'sum'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly doc: string
  /** What it follows from, if it is no state of its own: neither saved nor hashed. */
  readonly derivedFrom: string | null
  /** What a new row has; null: whoever takes the row sets it. */
  readonly initial: string | null
  /** Enumeration of the schemas that it holds. */
  readonly holds: string | null
}

export interface ColumnOptions {
  readonly initial?: number | 'NaN' | 'none' | 'Infinity'
  readonly holds?: string
}

/**
 * `rows`: columns whose fields of one row lie side by side (memory/rows.ts), with a list of free rows.
 * `columns`: a column each for itself, whose row is its index: for dense numbers such as accounts and instruments.
 * `objects`: an object a row, for tables of which there are few rows.
 */
export type TableShape = 'rows' | 'columns' | 'objects'

export interface Table {
  /** Of its class. */
  readonly name: string
  readonly file: string
  readonly doc: string
  readonly shape: TableShape
  readonly columns: readonly Column[]
  /** What its rows are in the hash, a name of `HashKind`; null: nothing of it is state. */
  readonly hashKind: string | null
  /**
   * Columns that name a row of `objects`, in the order of the constructor's parameters; of `rows` those that are hashed
   * with what is state. Rows of `columns` are named by their index.
   */
  readonly keys: readonly string[]
  /** Column of `rows` that leads from a free row to the next one. */
  readonly freeColumn: string | null
}

type ColumnMaker = (name: string, doc?: string, options?: ColumnOptions) => Column

const columnOf =
  (type: ColumnType, derivedFrom: string | null): ColumnMaker =>
  (name, doc = '', { initial, holds } = {}) => ({
    name,
    type,
    doc,
    derivedFrom,
    initial: initial === undefined ? null : String(initial),
    holds: holds ?? null,
  })

/** Columns that are state. */
export const f64 = columnOf('f64', null)
export const i32 = columnOf('i32', null)
export const u8 = columnOf('u8', null)
export const bool = columnOf('bool', null)
export const sum = columnOf('sum', null)

/** Columns that follow from what is named: the snapshot leaves them out, the hash too. */
export function derived(from: string) {
  return {
    f64: columnOf('f64', from),
    i32: columnOf('i32', from),
    u8: columnOf('u8', from),
  }
}

/** What of a table is hashed, and under which names. */
interface Hashed {
  readonly hashKind: string
  readonly keys?: readonly string[]
}

/** Columns side by side. @param freeColumn leads from a free row to the next one. */
export function rowTable(
  name: string,
  file: string,
  doc: string,
  freeColumn: string,
  columns: readonly Column[],
  { hashKind, keys = [] }: Partial<Hashed> = {},
): Table {
  const shape = 'rows'
  return { name, file, doc, shape, columns, hashKind: hashKind ?? null, keys, freeColumn }
}

/** A column each for itself. */
export function columnTable(
  name: string,
  file: string,
  doc: string,
  columns: readonly Column[],
  hashKind: string | null = null,
): Table {
  return { name, file, doc, shape: 'columns', columns, hashKind, keys: [], freeColumn: null }
}

/** An object a row. */
export function objectTable(
  name: string,
  file: string,
  doc: string,
  { hashKind, keys = [] }: Hashed,
  columns: readonly Column[],
): Table {
  return { name, file, doc, shape: 'objects', columns, hashKind, keys, freeColumn: null }
}
