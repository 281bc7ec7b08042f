import { Result } from '../../../schemas/results.js'
import { canonicalSymbol } from '../../../schemas/symbol.js'
import { offsetMax, type Page } from '../../wire/answers.js'
import type { QueryReader } from '../../wire/query-reader.js'
import type { Route } from '../../wire/route.js'
import { instrumentOfWireId } from '../../wire/wire-ids.js'

type SqlValue = string | number

/** Rows of a statement, by the connection that answers. */
export type SelectAll = <T>(sql: string, values: readonly SqlValue[]) => T[]

/** What a route of the history answers from: one state of the store. */
export interface HistorySource {
  /** Sequence of the last event in it. */
  readonly seq: number
  readonly select: SelectAll
}
export type HistoryRoute = Route<HistorySource>

/** A condition in SQL, and the values of its places. */
export type Condition = readonly [sql: string, ...values: SqlValue[]]

export const listLimitMax = 100
export const listLimitDefault = 50
export const integerText = /^\d{1,16}$/
export const withInstrument = 'join instruments i on i.instrument_id'

/**
 * Rows that meet all conditions, the highest of a column first.
 * @param query up to its conditions. @param column that rises with time.
 */
export function newestFirst<T>(
  { select }: HistorySource,
  query: string,
  conditions: readonly Condition[],
  column: string,
  { limit, offset }: Page,
): T[] {
  const texts = conditions.map(([text]) => text)
  const where = texts.length === 0 ? '' : ` where ${texts.join(' and ')}`
  const values = conditions.flatMap(([, ...ofCondition]) => ofCondition)
  const sql = `${query}${where} order by ${column} desc limit ? offset ?`
  return select<T>(sql, [...values, limit, offset])
}

export function isOneOf(column: string, values: readonly SqlValue[]): Condition {
  return [`${column} in (${values.map(() => '?').join(', ')})`, ...values]
}

/** `limit?` and `offset?`. */
export function pageOf(query: QueryReader, limitMax: number, limitDefault: number): Page {
  const limit = query.integer(['limit'], 1, limitMax, limitDefault)
  return { limit, offset: query.integer(['offset'], 0, offsetMax, 0) }
}

/** Ids of a parameter that names an instrument, by wire id or symbol; null: it is absent. */
export function namedInstruments(
  query: QueryReader,
  { select }: HistorySource,
  parameter: string,
  text: string | null,
): readonly number[] | null {
  if (text === null) return null
  if (integerText.test(text)) return [instrumentOfWireId(Number(text))]
  const symbol = canonicalSymbol(text)
  if (symbol === null) query.refuse(Result.InvalidParameter, `${parameter} is no instrument`)
  return instrumentsOfSymbol(symbol ?? '', select)
}

/** A symbol that was deleted and listed again has several ids. */
export function instrumentsOfSymbol(symbol: string, select: SelectAll): readonly number[] {
  const sql = 'select instrument_id as id from instruments where symbol = ?'
  return select<{ id: number }>(sql, [symbol]).map(({ id }) => id)
}
