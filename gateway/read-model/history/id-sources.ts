import { type IdList, listedWhere, listsOf } from './id-lists.js'
import { type Condition, isOneOf, type SelectAll } from './select.js'
import { idOf, sqlName, type Table } from './table.js'

// Sources of ids for a search: runs of a list (`id-lists.ts`), and pending rows, which the search scans.

/** Number of runs that the first statement searches. Each later statement searches twice as many. */
const runsFirst = 1

/** Every id. */
export const allIds = { fromId: 0, toId: Number.MAX_SAFE_INTEGER + 1 } as const

/** Range of ids: the first one, and the first one after the range. */
export interface IdSpan {
  readonly fromId: number
  readonly toId: number
}

/** Source of ids for a search, which may combine several. */
export interface IdSource {
  /**
   * Counts the ids of a range.
   * @param fromId first id of a run, or of the pending rows.
   * @param most count at which the source may stop.
   */
  count(fromId: number, belowId: number, most: number): number
  /** Returns the newest ids, in any order. @param limit at least 1. */
  newest(fromId: number, belowId: number, limit: number): readonly number[]
}

type Values = readonly (string | number)[]
/** Values of the first columns of a list's key. */
export type ListKey = Values

/** Returns a source of rows of a table, by conditions for which an index exists. */
export function rowIds(
  select: SelectAll,
  table: Table,
  conditions: readonly Condition[],
): IdSource {
  const id = idOf(table)
  const { sql, values } = allOf([...conditions, [`${id} >= ?`], [`${id} < ?`]])
  const ids = `select ${id} as id from ${table.name} where ${sql} order by ${id} desc limit ?`
  return {
    count: (...range) =>
      countBy(select, `select count(*) as count from (${ids})`, [...values, ...range]),
    newest: (...range) => idsOf(select, ids, [...values, ...range]),
  }
}

/** Returns a source of the ids that the runs of a list have under one key. */
function listedIds(select: SelectAll, table: Table, { name, by }: IdList, key: ListKey): IdSource {
  const id = idOf(table)
  const columns = by.map(sqlName)
  const isOwn = key.map((_, i) => `l.${columns[i]} = ?${i + 5}`)
  const rows = ['l.run = r.run', ...isOwn].join(' and ')
  const isWithin = `l.${id} >= ?2 and l.${id} < ?3 and +l.${id} >= r.first_id`
  const order = [...columns.slice(key.length), id]
  const placeBy = (direction: string) =>
    `(select l.place from ${name} l where ${rows} ` +
    `order by ${order.map((column) => `l.${column} ${direction}`).join(', ')} limit 1)`
  // Places give the number of ids in a run. The oldest run may have ids of removed rows.
  const countSql =
    'select coalesce(sum(case when r.last_id < ?3 and r.run > ' +
    '(select min(run) from list_runs where table_name = ?1) ' +
    `then coalesce(${placeBy('desc')} - ${placeBy('asc')} + 1, 0) ` +
    `else (select count(*) from ${name} l where ${rows} and ${isWithin}) end), 0) as count ` +
    'from list_runs r where r.table_name = ?1 and r.first_id >= ?2 and r.first_id < ?3'
  // A cross join keeps the order of the loops: run by run.
  const newestSql =
    `select l.${id} as id from list_runs r cross join ${name} l on ${rows} and ${isWithin} ` +
    `where r.table_name = ?1 and r.run between ?${key.length + 5} and ?${key.length + 6} ` +
    `order by l.${id} desc limit ?4`
  return {
    count: (fromId, belowId) => countBy(select, countSql, [table.name, fromId, belowId, 0, ...key]),
    newest: (fromId, belowId, limit) => {
      const ids: number[] = []
      const { first, last: newest } = runsOf(select, table, fromId, belowId)
      let last = newest
      for (let size = runsFirst; last >= first && ids.length < limit; size *= 2) {
        const from = Math.max(first, last - size + 1)
        const values = [table.name, fromId, belowId, limit - ids.length, ...key, from, last]
        for (const found of idsOf(select, newestSql, values)) ids.push(found)
        last = from - 1
      }
      return ids
    },
  }
}

/** Returns the runs that may have ids in a range. */
function runsOf(select: SelectAll, { name }: Table, fromId: number, belowId: number) {
  const sql =
    'select coalesce(min(run), 1) as first, coalesce(max(run), 0) as last from list_runs ' +
    'where table_name = ? and last_id >= ? and first_id < ?'
  type Runs = { readonly first: number; readonly last: number }
  return select<Runs>(sql, [name, fromId, belowId])[0]!
}

/** Returns a source of the given ids, which must rise. */
function knownIds(ids: readonly number[]): IdSource {
  const within = (fromId: number, belowId: number) =>
    fromId <= ids[0]! && belowId > ids.at(-1)!
      ? ids
      : ids.filter((id) => id >= fromId && id < belowId)
  return {
    count: (fromId, belowId) => within(fromId, belowId).length,
    newest: (fromId, belowId, limit) => within(fromId, belowId).slice(-limit),
  }
}

/**
 * Returns the sources of rows under some keys of a list: its runs and the pending rows.
 * @param runKeys those of the keys that runs may have.
 */
export function listedSources(
  select: SelectAll,
  table: Table,
  name: string,
  keys: readonly ListKey[],
  span: IdSpan = allIds,
  runKeys = keys,
): readonly IdSource[] {
  if (keys.length === 0) return []
  const list = listsOf(table).find((one) => one.name === name)!
  return [
    knownIds(pendingIds(select, table, list, keys, span)),
    ...runKeys.map((key) => listedIds(select, table, list, key)),
  ]
}

/** Returns the ids of pending rows, by rising id. */
function pendingIds(
  select: SelectAll,
  table: Table,
  list: IdList,
  keys: readonly ListKey[],
  { fromId, toId }: IdSpan,
): number[] {
  const id = idOf(table)
  const lastSql = 'select coalesce(max(last_id), 0) as id from list_runs where table_name = ?'
  const [listed] = select<{ readonly id: number }>(lastSql, [table.name])
  const conditions = keys[0]!.map((_, i) =>
    isOneOf(sqlName(list.by[i]!), [...new Set(keys.map((key) => key[i]!))]),
  )
  // One lower limit: with two, SQLite may seek by the wrong one.
  const first = Math.max(fromId, listed!.id + 1)
  const { sql, values } = allOf([...conditions, [`${id} >= ?`, first], [`${id} < ?`, toId]])
  const from = `from ${table.name} where ${sql}${listedWhere(list)}`
  return idsOf(select, `select ${id} as id ${from} order by ${id}`, values)
}

function countBy(select: SelectAll, sql: string, values: Values): number {
  return select<{ readonly count: number }>(sql, values)[0]!.count
}

/** Reads ids as one JSON text: a row for each id would cost more than the search. */
export function idsOf(select: SelectAll, sql: string, values: Values): number[] {
  const text = `select json_group_array(id) as ids from (${sql})`
  return JSON.parse(select<{ readonly ids: string }>(text, values)[0]!.ids)
}

function allOf(conditions: readonly Condition[]) {
  return {
    sql: conditions.map(([sql]) => sql).join(' and '),
    values: conditions.flatMap(([, ...values]) => values),
  }
}
