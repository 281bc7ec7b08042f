import { isUsername } from './username.js'
import { parseAddress } from './wallet.js'

// Language of the parameter tables. A row has everything about one parameter: kind, unit, default, bounds and a
// description; `under` assigns its path. Files, flags, environment, the printed configuration, the journal and test
// defaults all read it from there.

/** Minimum and maximum value, both allowed, and the unit; omitted for a plain count. */
export type Bounds = readonly [min: number, max: number, unit?: Unit]
/** `share`, `times`: a fraction or a multiple of the quantity that the description names. */
export type Unit =
  | 'ms'
  | 's'
  | 'hours'
  | 'days'
  | 'bytes'
  | 'bps'
  | 'a minute'
  | 'a year'
  | 'USD'
  | 'contracts'
  | 'share'
  | 'times'

interface RowOf<Kind extends string, Value> {
  readonly kind: Kind
  /** Path in the configuration: names joined by dots. */
  readonly path: string
  readonly fallback: Value
  readonly about: string
  /** True if `--help` lists a flag of its own; every other parameter is set with `--set`. */
  readonly hasFlag?: boolean
  /** True if it is never shown in logs or by `--print-config`. */
  readonly isSecret?: boolean
}

/** Allowed texts, as a predicate and in words. */
interface Checked {
  readonly allowed: string
  readonly isAllowed: (text: string) => boolean
}

/** `millionths`: a share that the engine handles exactly, a multiple of 0.000001. */
export interface NumberRow extends RowOf<'integer' | 'number' | 'millionths', number> {
  readonly bounds: Bounds
}

/** One of a few words; the engine has its index. `either`, of two words: true for the second. */
export interface ChoiceRow<
  Kind extends 'choice' | 'either' = 'choice' | 'either',
  Words extends readonly string[] = readonly string[],
> extends RowOf<Kind, Words[number]> {
  readonly words: Words
}

export type SwitchRow = RowOf<'switch', boolean>
export type TextRow = RowOf<'text', string> & Checked
/** Texts. The engine's lists contain addresses or names, in lower case and without duplicates. */
export interface ListRow extends RowOf<'list', readonly string[]>, Checked {
  readonly of: 'address' | 'username' | 'text'
}

/** A value with its own shape, which only the file can set. */
export interface ShapedRow<Shape extends string = string, Value = unknown>
  extends RowOf<'shaped', Value> {
  readonly shape: Shape
}

export type Row = NumberRow | ChoiceRow | SwitchRow | TextRow | ListRow | ShapedRow

/** Rows by their names in the code, in nested tables; a list has tables of one form. */
export type Table = Row | readonly Table[] | { readonly [name: string]: Table }

/** All rows of a nested table. */
export type RowsIn<T> = T extends Row
  ? T
  : T extends readonly (infer Item)[]
    ? RowsIn<Item>
    : { [Name in keyof T]: RowsIn<T[Name]> }[keyof T]

/** Values of a table in the engine: numbers, switches, and indexes instead of words. */
export type EngineValues<T> = T extends Row
  ? EngineValue<T>
  : T extends readonly [infer First, ...unknown[]]
    ? readonly EngineValues<First>[]
    : { readonly [Name in keyof T]: EngineValues<T[Name]> }

type EngineValue<R extends Row> = R extends { kind: 'choice'; words: infer Words }
  ? PlaceIn<Words>
  : R extends { kind: 'either' }
    ? boolean
    : R['fallback']
type PlaceIn<Words> = Words extends readonly string[]
  ? Exclude<Partial<Words>['length'], Words['length']>
  : never

type Placed<R extends Row, Path extends string> = Omit<R, 'path'> & { readonly path: Path }
type PathOf<R extends Row, Prefix extends string, Name extends string> = Joined<
  Prefix,
  string extends R['path'] ? Name : R['path']
>
type Worded<Word extends string, Name extends string> = Word extends ''
  ? Name
  : `${Word}${Capitalize<Name>}`
type Joined<Prefix extends string, Name extends string> = Prefix extends ''
  ? Name
  : `${Prefix}.${Name}`

export const fraction: Bounds = [0, 1, 'share']
/** A duration from zero to a year. */
export const spanMillis: Bounds = [0, 31_536_000_000, 'ms']
export const spanSeconds: Bounds = [0, 31_536_000, 's']

// Rows --------------------------------------------------------------------------------------------

/** A whole number. */
export const integer = numeric('integer')
/** A finite number. */
export const number = numeric('number')
/** A number that is a multiple of 0.000001. */
export const millionths = numeric('millionths')
export const choice = worded('choice')
export const either = worded('either')

function numeric(kind: NumberRow['kind']) {
  return (fallback: number, bounds: Bounds, about: string): NumberRow => ({
    kind,
    path: '',
    fallback,
    bounds,
    about,
  })
}

function worded<Kind extends ChoiceRow['kind']>(kind: Kind) {
  return <const Words extends readonly string[]>(
    fallback: NoInfer<Words[number]>,
    words: Words,
    about: string,
  ): ChoiceRow<Kind, Words> => ({ kind, path: '', fallback, words, about })
}

/** Yes or no. */
export function onOff(fallback: boolean, about: string): SwitchRow {
  return { kind: 'switch', path: '', fallback, about }
}

/** Text that must match a pattern. */
export function text(fallback: string, allowed: string, pattern: RegExp, about: string): TextRow {
  const isAllowed = (given: string) => pattern.test(given)
  return { kind: 'text', path: '', fallback, allowed, isAllowed, about }
}

export function list(
  allowed: string,
  isAllowed: (text: string) => boolean,
  about: string,
): ListRow {
  return { kind: 'list', of: 'text', path: '', fallback: [], allowed, isAllowed, about }
}

export function addresses(about: string): ListRow {
  const row = list('addresses', (text) => parseAddress(text) !== null, about)
  return { ...row, of: 'address' }
}

export function usernames(fallback: readonly string[], about: string): ListRow {
  return { ...list('usernames', isUsername, about), of: 'username', fallback }
}

export function shaped<const Shape extends string, Value>(
  shape: Shape,
  fallback: Value,
  about: string,
): ShapedRow<Shape, Value> {
  return { kind: 'shaped', path: '', shape, fallback, about }
}

/** Returns a row whose name in the configuration differs from its name in the code. */
export function named<const Name extends string, R extends Row>(
  name: Name,
  row: R,
): Placed<R, Name> {
  return { ...row, path: name }
}

/**
 * Returns a table of the configuration, or the part of it that the code keeps together.
 * @param word prefix of the names in the code.
 */
export function under<
  const Prefix extends string,
  const Rows extends Readonly<Record<string, Row>>,
  const Word extends string = '',
>(
  prefix: Prefix,
  rows: Rows,
  word?: Word,
): {
  readonly [Name in keyof Rows & string as Worded<Word, Name>]: Placed<
    Rows[Name],
    PathOf<Rows[Name], Prefix, Name>
  >
}
export function under(prefix: string, rows: Readonly<Record<string, Row>>, word = ''): object {
  const entries = Object.entries(rows).map(([name, row]) => {
    const own = row.path === '' ? name : row.path
    const inCode = word === '' ? name : word + name[0]!.toUpperCase() + name.slice(1)
    return [inCode, { ...row, path: prefix === '' ? own : `${prefix}.${own}` }]
  })
  return Object.fromEntries(entries)
}

// Tables ------------------------------------------------------------------------------------------

export function isRow(node: unknown): node is Row {
  return typeof node === 'object' && node !== null && 'kind' in node && 'about' in node
}

/** Returns every row of a table, in order. */
export function rowsOf<const T extends Table>(table: T): readonly RowsIn<T>[] {
  return flat(table) as readonly RowsIn<T>[]
}

function flat(table: Table): readonly unknown[] {
  return isRow(table) ? [table] : Object.values<Table>(table).flatMap(flat)
}

/** Returns the engine's values of a table. */
export function engineValuesOf<const T extends Table>(
  table: T,
  read: (row: Row) => unknown,
): EngineValues<T> {
  return mapRows(table, (row) => engineValueOf(row, read(row))) as EngineValues<T>
}

function mapRows(table: Table, of: (row: Row) => unknown): unknown {
  if (isRow(table)) return of(table)
  if (Array.isArray(table)) return table.map((node) => mapRows(node, of))
  const nodes = Object.entries(table)
  return Object.fromEntries(nodes.map(([name, node]) => [name, mapRows(node, of)]))
}

/** Returns the defaults of a table as engine values. */
export function defaultsOf<const T extends Table>(table: T): EngineValues<T> {
  return engineValuesOf(table, (row) => row.fallback)
}

function engineValueOf(row: Row, value: unknown): unknown {
  switch (row.kind) {
    case 'choice':
      return row.words.indexOf(value as string)
    case 'either':
      return value === row.words[1]
    case 'list':
      return [...new Set((value as readonly string[]).map((item) => item.toLowerCase()))]
    default:
      return value
  }
}

// Paths -------------------------------------------------------------------------------------------

/** Returns a value per row, nested in the tables that the paths name. */
export function byTables(
  rows: readonly Row[],
  of: (row: Row) => unknown,
): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = {}
  for (const row of rows) {
    const names = row.path.split('.')
    const last = names.pop()!
    let table = root
    for (const name of names) table = (table[name] ??= {}) as Record<string, unknown>
    table[last] = of(row)
  }
  return root
}

/** Returns the value at a path in nested tables. */
export function valueAt(tables: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((table, name) => Reflect.get(table as object, name), tables)
}
