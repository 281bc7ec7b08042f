// Vocabulary for the tables of the state. Each column is described once, with its type, and as state or as derived.
// scripts/generate-tables.ts generates the code of the tables from these lists: memory, growth and free rows,
// snapshots, the hash of the state, and the comparison of two tables.

/** `bool` is saved as 0 or 1; `sum` is a BigInt, saved as two doubles. */
export type ColumnType = 'f64' | 'i32' | 'u8' | 'bool' | 'sum'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly doc: string
  /** Source that it is derived from, neither saved nor hashed; null for state. */
  readonly derivedFrom: string | null
  /** Value in a new row; null if the code that takes the row sets it. */
  readonly initial: string | null
  /** Enumeration of its values in the schemas. */
  readonly holds: string | null
}

export interface ColumnOptions {
  readonly initial?: number | 'NaN' | 'none' | 'Infinity'
  readonly holds?: string
}

/**
 * `rows`: the fields of a row are adjacent (memory/rows.ts), with a list of free rows.
 * `columns`: separate columns, indexed by the row number: for dense numbers such as accounts and instruments.
 * `objects`: an object per row, for tables with few rows.
 */
export type TableShape = 'rows' | 'columns' | 'objects'

export interface Table {
  /** Name of its class. */
  readonly name: string
  readonly file: string
  readonly doc: string
  readonly shape: TableShape
  readonly columns: readonly Column[]
  /** Kind of its rows in the hash, a name of `HashKind`; null if nothing of it is state. */
  readonly hashKind: string | null
  /**
   * Columns that identify a row of `objects`, in the order of the constructor's parameters. For `rows`, the derived
   * columns that are hashed together with the state. Rows of `columns` are identified by their index.
   */
  readonly keys: readonly string[]
  /** Column of `rows` that links a free row to the next one. */
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

/** Returns types of columns that are derived from a source; snapshot and hash omit them. */
export function derived(from: string) {
  return {
    f64: columnOf('f64', from),
    i32: columnOf('i32', from),
    u8: columnOf('u8', from),
  }
}

/** Kind and keys of hashed rows. */
interface Hashed {
  readonly hashKind: string
  readonly keys?: readonly string[]
}

/** Describes a table with adjacent fields. @param freeColumn links a free row to the next one. */
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

/** Describes a table of separate columns. */
export function columnTable(
  name: string,
  file: string,
  doc: string,
  columns: readonly Column[],
  hashKind: string | null = null,
): Table {
  return { name, file, doc, shape: 'columns', columns, hashKind, keys: [], freeColumn: null }
}

/** Describes a table with an object per row. */
export function objectTable(
  name: string,
  file: string,
  doc: string,
  { hashKind, keys = [] }: Hashed,
  columns: readonly Column[],
): Table {
  return { name, file, doc, shape: 'objects', columns, hashKind, keys, freeColumn: null }
}
