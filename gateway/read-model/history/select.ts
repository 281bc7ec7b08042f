import { Result } from '../../../schemas/results.js'
import { canonicalSymbol } from '../../../schemas/symbol.js'
import { type Answer, listAnswer, type Page } from '../../wire/answers.js'
import type { JsonValue } from '../../wire/json-text.js'
import type { QueryReader } from '../../wire/query-reader.js'
import type { Route } from '../../wire/route.js'
import { instrumentOfWireId } from '../../wire/wire-ids.js'
import { instruments } from './history-tables.js'
import { columnsOf, type Row, sqlName, type Table } from './table.js'

type SqlValue = string | number

/** Runs a statement on the connection of the query, and returns its rows. */
export type SelectAll = <T>(sql: string, values: readonly SqlValue[]) => T[]

/** Consistent state of the store, from which a route answers. */
export interface HistorySource {
  /** Sequence of the last event in it. */
  readonly seq: number
  /** Engine time. */
  readonly nowMillis: number
  /** Engine time of the last event. */
  readonly lastEventMillis: number
  readonly select: SelectAll
  /** True if reads are signed. Public answers then name no wallet, and only the owner reads private ones. */
  readonly hidesWallets: boolean
}
export type HistoryRoute = Route<HistorySource>

/** SQL condition with the values of its parameters. */
export type Condition = readonly [sql: string, ...values: SqlValue[]]

/** Row with columns of its instrument. */
export type WithInstrument<T extends Table, Name extends keyof Row<typeof instruments>> = Row<T> &
  Pick<Row<typeof instruments>, Name>

/** Query of stored rows, with their form in answers. */
export interface Query<Shown> {
  readonly columns: string
  readonly from: string
  /** Column of the ids. */
  readonly key: string
  readonly order: string
  readonly show: (row: never) => Shown
}

export const integerText = /^\d{1,16}$/

/** Makes a query of all columns of a table and some of each row's instrument, newest first. */
export function query<T extends Table, Name extends keyof Row<typeof instruments>, Shown>(
  table: T,
  ofInstrument: readonly Name[],
  show: (row: WithInstrument<T, Name>) => Shown,
): Query<Shown> {
  const { name, key } = table
  const columns = [
    columnsOf(table),
    ...ofInstrument.map((column) => selected(instruments, column)),
  ].join(', ')
  const joined = ` join instruments on instruments.instrument_id = ${name}.instrument`
  const from = ofInstrument.length === 0 ? name : name + joined
  const id = `${name}.${sqlName(key[0]!)}`
  return { columns, from, key: id, order: `${id} desc`, show }
}

/** Returns the SQL that selects a column under its name in `Row`. */
function selected({ name }: Table, column: string): string {
  return `${name}.${sqlName(column)} as ${column}`
}

/** Returns the rows that meet all conditions, in the form of answers. */
export function shown<Shown>(
  source: HistorySource,
  { columns, from, order, show }: Query<Shown>,
  conditions: readonly Condition[],
  { limit, offset }: Page,
): Shown[] {
  const texts = conditions.map(([text]) => text)
  const where = texts.length === 0 ? '' : ` where ${texts.join(' and ')}`
  const values = conditions.flatMap(([, ...ofCondition]) => ofCondition)
  const sql = `select ${columns} from ${from}${where} order by ${order} limit ? offset ?`
  return source.select<never>(sql, [...values, limit, offset]).map((row) => show(row))
}

/** Answers with a page of such rows. @param more additional fields of the endpoint. */
export function pageAnswer<Shown extends JsonValue>(
  source: HistorySource,
  query: Query<Shown>,
  conditions: readonly Condition[],
  page: Page,
  more: Readonly<Record<string, JsonValue>> = {},
): Answer {
  return listAnswer(shown(source, query, conditions, page), page, source.seq, more)
}

/** Returns the condition of a parameter; none if it is absent. */
export function whereGiven(sql: string, value: SqlValue | null): readonly Condition[] {
  return value === null ? [] : [[sql, value]]
}

export function isOneOf(column: string, values: readonly SqlValue[]): Condition {
  return [`${column} in (${values.map(() => '?').join(', ')})`, ...values]
}

/** Returns the condition that a column has one of any number of values, passed as one parameter. */
export function isAmong(column: string, values: readonly SqlValue[]): Condition {
  return [`${column} in (select value from json_each(?))`, JSON.stringify(values)]
}

/** Fails the request if a parameter is neither a wire id nor a symbol. */
export function requireInstrument(query: QueryReader, name: string, text: string | null): void {
  if (text === null || integerText.test(text) || canonicalSymbol(text) !== null) return
  query.refuse(Result.InvalidParameter, `${name} must be the id or symbol of an instrument`)
}

/** Returns the ids of the instruments that a parameter names, by wire id or symbol; null if it is absent. */
export function instrumentIds(
  text: string | null,
  { select }: HistorySource,
): readonly number[] | null {
  if (text === null) return null
  if (integerText.test(text)) return [instrumentOfWireId(Number(text))]
  return instrumentsOfSymbol(canonicalSymbol(text)!, select)
}

/** Returns the ids of a symbol. A symbol that was deleted and listed again has several. */
export function instrumentsOfSymbol(symbol: string, select: SelectAll): readonly number[] {
  const sql = 'select instrument_id as id from instruments where symbol = ?'
  return select<{ id: number }>(sql, [symbol]).map(({ id }) => id)
}
