import type { HistoryDatabase } from './history-schema.js'
import { listedTables } from './history-tables.js'
import { type IdList, listedWhere, listsOf } from './id-lists.js'
import type { SelectAll } from './select.js'
import { selecting } from './stored-rows.js'
import { idOf, sqlName, type Table } from './table.js'

interface Run {
  readonly run: number
  readonly firstId: number
  readonly lastId: number
}

/**
 * Compares the lists with their tables, run by run, in one transaction each. Yields the name of a list that differs,
 * and '' after each run.
 */
export function* listMistakes(database: HistoryDatabase): Generator<string> {
  const select = selecting(database)
  for (const table of listedTables as readonly Table[]) {
    for (let after = 0; ; ) {
      const isOwn = !database.inTransaction
      if (isOwn) database.exec('begin')
      const run = nextRun(select, table, after)
      const broken = listsOf(table).filter((list) => !isSound(select, table, list, run, after))
      if (isOwn) database.exec('commit')
      for (const { name } of broken) yield name
      yield ''
      if (run === null) break
      after = run.run
    }
  }
}

function nextRun(select: SelectAll, { name }: Table, after: number): Run | null {
  const sql =
    'select run, first_id as firstId, last_id as lastId from list_runs ' +
    'where table_name = ? and run > ? order by run limit 1'
  return select<Run>(sql, [name, after])[0] ?? null
}

/**
 * Returns true if a run lists each row of its range exactly once with the right key and place, and no other id.
 * @param run null: checks that nothing is listed after the last run.
 */
function isSound(
  select: SelectAll,
  table: Table,
  list: IdList,
  run: Run | null,
  after: number,
): boolean {
  const count = (sql: string, values: readonly number[]) =>
    select<{ readonly count: number }>(`select count(*) as count from ${sql}`, values)[0]!.count
  if (run === null) return count(`${list.name} where run > ?`, [after]) === 0
  const id = idOf(table)
  const listed = `l.run = ? and l.${id} >= ? and l.${id} <= ?`
  const isSame = [...list.by.map(sqlName), id].map((name) => `l.${name} = t.${name}`).join(' and ')
  const ids = [run.firstId, run.lastId]
  const wanted = `${table.name} where ${id} >= ? and ${id} <= ?${listedWhere(list)}`
  const rows = count(wanted, ids)
  const inList = count(`${list.name} l where ${listed}`, [run.run, ...ids])
  const both = `${list.name} l join (select * from ${wanted}) t on ${isSame} where ${listed}`
  const inBoth = count(both, [...ids, run.run, ...ids])
  const order = [...list.by.map(sqlName), id].join(', ')
  const places = `select place, row_number() over (order by ${order}) as rank from ${list.name}`
  const misplaced = count(`(${places} where run = ?) where place <> rank`, [run.run])
  return rows === inList && inList === inBoth && misplaced === 0
}
