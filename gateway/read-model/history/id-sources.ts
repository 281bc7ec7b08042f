import type { IdList } from './id-lists.js'
import { listedWhere, listsOf } from './id-lists.js'
import type { Condition, SelectAll } from './select.js'
import { idOf, type Table } from './table.js'

// Sources of ids for a search: runs of a list (`id-lists.ts`), and pending rows, which the search scans.

/** Number of runs that the first statement searches. Each later statement searches twice as many. */
const runsFirst = 1

/** Every id. */
export const allIds = { fromId: 0, toId: Number.MAX_SAFE_INTEGER } as const

/** Range of ids: the first one, and the first one after the range. */
export interface IdSpan {
  readonly fromId: number
  readonly toId: number
}

/** Ids of a search, which several of these may have together. */
export interface IdSource {
  /** How many there are from one on, below another. */
  count(fromId: number, belowId: number): number
  /** Returns the newest ids. */
  newest(fromId: number, belowId: number, limit: number): readonly number[]
  /** Returns the id, or a lower one from which a range is cheaper to count. */
  borderAt?(id: number): number
}

interface Count {
  readonly count: number
}

interface Id {
  readonly id: number
}

/** Ids of rows of a table, by conditions for which an index exists, or by ids alone. */
export class RowIds implements IdSource {
  readonly #select: SelectAll
  readonly #id: string
  readonly #from: string
  readonly #values: Values

  constructor(select: SelectAll, table: Table, conditions: readonly Condition[]) {
    this.#select = select
    this.#id = idOf(table)
    const { sql, values } = allOf([...conditions, [`${this.#id} >= ?`], [`${this.#id} < ?`]])
    this.#from = `from ${table.name} where ${sql}`
    this.#values = values
  }

  count(fromId: number, belowId: number): number {
    const sql = `select count(*) as count ${this.#from}`
    return this.#select<Count>(sql, [...this.#values, fromId, belowId])[0]!.count
  }

  newest(fromId: number, belowId: number, limit: number): readonly number[] {
    const sql = `select ${this.#id} as id ${this.#from} order by ${this.#id} desc limit ?`
    return idsOf(this.#select, sql, [...this.#values, fromId, belowId, limit])
  }
}

const isOfRuns = 'r.table_name = ? and r.run >= ? and r.run <= ?'

/** Ids of a list's runs, by conditions on its key. */
class ListedIds implements IdSource {
  readonly #select: SelectAll
  readonly #table: string
  readonly #id: string
  readonly #rows: string
  readonly #isWithin: string
  readonly #values: Values

  constructor(select: SelectAll, table: Table, { name }: IdList, conditions: readonly Condition[]) {
    const id = idOf(table)
    const { sql, values } = allOf(conditions)
    this.#select = select
    this.#table = table.name
    this.#id = id
    // A cross join keeps the order of the loops: run by run.
    this.#rows = `from list_runs r cross join ${name} l on l.run = r.run and ${sql}`
    this.#isWithin = `l.${id} >= ? and l.${id} < ? and +l.${id} >= r.first_id`
    this.#values = values
  }

  /** Counts a run within the range by its keys alone. The oldest run may have ids of removed rows. */
  count(fromId: number, belowId: number): number {
    const runs = this.#runsOf(fromId, belowId)
    if (runs === null) return 0
    const isInner = 'r.run > ? and r.first_id >= ? and r.last_id < ?'
    const ofRuns = [this.#table, runs.first, runs.last, runs.oldest, fromId, belowId]
    const sql =
      `select (select count(*) ${this.#rows} where ${isOfRuns} and ${isInner}) + ` +
      `(select count(*) ${this.#rows} and ${this.#isWithin} where ${isOfRuns} and not (${isInner})) as count`
    const values = [...this.#values, ...ofRuns, ...this.#values, fromId, belowId, ...ofRuns]
    return this.#select<Count>(sql, values)[0]!.count
  }

  newest(fromId: number, belowId: number, limit: number): readonly number[] {
    const ids: number[] = []
    const runs = this.#runsOf(fromId, belowId)
    if (runs === null) return ids
    const sql =
      `select l.${this.#id} as id ${this.#rows} and ${this.#isWithin} where ${isOfRuns} ` +
      `order by l.${this.#id} desc limit ?`
    let last = runs.last
    for (let size = runsFirst; last >= runs.first && ids.length < limit; size *= 2) {
      const first = Math.max(runs.first, last - size + 1)
      const span = [...this.#values, fromId, belowId, this.#table, first, last]
      for (const id of idsOf(this.#select, sql, [...span, limit - ids.length])) ids.push(id)
      last = first - 1
    }
    return ids
  }

  borderAt(id: number): number {
    const sql =
      'select coalesce(max(first_id), ?1) as id from list_runs ' +
      'where table_name = ?2 and first_id <= ?1 and last_id >= ?1'
    return this.#select<Id>(sql, [id, this.#table])[0]!.id
  }

  /** Returns the runs that may have ids in a range, and the oldest run; null: no run. */
  #runsOf(fromId: number, belowId: number) {
    const sql =
      'select min(run) as first, max(run) as last, ' +
      '(select min(run) from list_runs where table_name = ?1) as oldest from list_runs ' +
      'where table_name = ?1 and last_id >= ?2 and first_id < ?3'
    type Runs = { readonly first: number; readonly last: number; readonly oldest: number }
    const [runs] = this.#select<Runs | { readonly first: null }>(sql, [
      ...[this.#table, fromId, belowId],
    ])
    return runs!.first === null ? null : (runs as Runs)
  }
}

/** Ids that are known, by rising id. */
class KnownIds implements IdSource {
  readonly #ids: readonly number[]

  constructor(ids: readonly number[]) {
    this.#ids = ids
  }

  count(fromId: number, belowId: number): number {
    return this.#within(fromId, belowId).length
  }

  newest(fromId: number, belowId: number, limit: number): readonly number[] {
    return this.#within(fromId, belowId).reverse().slice(0, limit)
  }

  #within(fromId: number, belowId: number): number[] {
    return this.#ids.filter((id) => id >= fromId && id < belowId)
  }
}

/** Returns the sources of rows by conditions on a list's key: its runs and the pending rows. */
export function listedSources(
  select: SelectAll,
  table: Table,
  name: string,
  conditions: readonly Condition[],
  span: IdSpan = allIds,
): readonly IdSource[] {
  const list = listsOf(table).find((one) => one.name === name)!
  return [
    new KnownIds(pendingIds(select, table, list, conditions, span)),
    new ListedIds(select, table, list, conditions),
  ]
}

/** Returns the ids of pending rows, by rising id. */
function pendingIds(
  select: SelectAll,
  table: Table,
  list: IdList,
  conditions: readonly Condition[],
  { fromId, toId }: IdSpan,
): number[] {
  const id = idOf(table)
  const lastSql = 'select coalesce(max(last_id), 0) as id from list_runs where table_name = ?'
  const [listed] = select<Id>(lastSql, [table.name])
  // One lower limit: with two, SQLite may seek by the wrong one.
  const first = Math.max(fromId, listed!.id + 1)
  const { sql, values } = allOf([...conditions, [`${id} >= ?`, first], [`${id} < ?`, toId]])
  const from = `from ${table.name} where ${sql}${listedWhere(list)}`
  return idsOf(select, `select ${id} as id ${from} order by ${id}`, values)
}

/** Reads ids as one JSON text: a row for each id would cost more than the search. */
function idsOf(select: SelectAll, sql: string, values: Values): number[] {
  const text = `select json_group_array(id) as ids from (${sql})`
  return JSON.parse(select<{ readonly ids: string }>(text, values)[0]!.ids)
}

type Values = readonly (string | number)[]

function allOf(conditions: readonly Condition[]): {
  readonly sql: string
  readonly values: Values
} {
  return {
    sql: conditions.map(([sql]) => sql).join(' and ') || 'true',
    values: conditions.flatMap(([, ...values]) => values),
  }
}
