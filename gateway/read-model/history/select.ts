import { Result } from '../../../schemas/results.js'
import { canonicalSymbol } from '../../../schemas/symbol.js'
import type { Page } from '../../wire/answers.js'
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

/** Refuses a parameter that can name no instrument, neither by wire id nor by symbol. */
export function refuseNoInstrument(query: QueryReader, name: string, text: string | null): void {
  if (text === null || integerText.test(text) || canonicalSymbol(text) !== null) return
  query.refuse(Result.InvalidParameter, `${name} is no instrument`)
}

/** The condition of a parameter that names an instrument, by wire id or symbol; none where it is absent. */
export function ofInstrument(
  column: string,
  text: string | null,
  { select }: HistorySource,
): readonly Condition[] {
  if (text === null) return []
  const ids = integerText.test(text)
    ? [instrumentOfWireId(Number(text))]
    : instrumentsOfSymbol(canonicalSymbol(text)!, select)
  return [isOneOf(column, ids)]
}

/** A symbol that was deleted and listed again has several ids. */
export function instrumentsOfSymbol(symbol: string, select: SelectAll): readonly number[] {
  const sql = 'select instrument_id as id from instruments where symbol = ?'
  return select<{ id: number }>(sql, [symbol]).map(({ id }) => id)
}
