import type { Page } from '../../wire/answers.js'
import { fills } from './history-tables.js'
import {
  allIds,
  type IdSource,
  type IdSpan,
  idsOf,
  type ListKey,
  listedSources,
} from './id-sources.js'
import { type HistorySource, isAmong, type Query, type SelectAll, shown } from './select.js'
import { firstIdSince } from './stored-rows.js'
import type { Table } from './table.js'

// Queries of orders, fills and trades: they find ids first, then read the rows.

type Selecting = Pick<HistorySource, 'select'>

/** Returns the ids of a page over all sources, newest first. No two sources share an id. */
export function pageOf(
  { select }: Selecting,
  table: Table,
  sources: readonly IdSource[],
  page: Page,
  { fromId, toId }: IdSpan = allIds,
): number[] {
  const limits = limitsOf(select, table, { fromId, toId })
  let belowId = toId
  let { offset } = page
  // Skips whole runs in steps that double; after a step too far, they halve.
  let [passed, isFar] = [0, false]
  for (let step = 1; step >= 1 && offset > 0; step = isFar ? step >> 1 : 2 * step) {
    const from = limits[passed + step - 1] ?? null
    const counts = sources.map((source) =>
      from === null ? 0 : source.count(from, belowId, offset + 1),
    )
    const count = counts.reduce((sum, one) => sum + one, 0)
    isFar ||= from === null || count > offset
    if (from === null || count > offset) continue
    offset -= count
    belowId = from
    passed += step
  }
  const last = offset + page.limit
  const runStart = limits[passed] ?? fromId
  const near = newestOf(sources, runStart, belowId, last)
  const rest = newestOf(sources, fromId, runStart, last - near.length)
  return [...near, ...rest].slice(offset)
}

/** Returns the first ids of the pending rows and of each run in a range, newest first. */
function limitsOf(select: SelectAll, { name }: Table, { fromId, toId }: IdSpan): readonly number[] {
  const sql =
    'select id from (select max(last_id) + 1 as id from list_runs where table_name = ?1 ' +
    'union all select first_id from list_runs where table_name = ?1) ' +
    'where id >= ?2 and id < ?3 order by id desc'
  return idsOf(select, sql, [name, fromId, toId])
}

function newestOf(
  sources: readonly IdSource[],
  fromId: number,
  belowId: number,
  limit: number,
): readonly number[] {
  if (limit <= 0 || fromId >= belowId) return []
  const ids = sources.flatMap((source) => source.newest(fromId, belowId, limit))
  return [...Float64Array.from(ids).sort().reverse().subarray(0, limit)]
}

/** Returns the sources of a wallet's fills. @param keys columns after the wallet in the key. */
export function fillSources(
  { select }: Selecting,
  wallet: string,
  keys: readonly ListKey[] = [[]],
  span: IdSpan = allIds,
): readonly IdSource[] {
  const own = keys.map((key) => [wallet, ...key])
  return listedSources(select, fills, 'fill_ids', own, span)
}

/** Returns the ids of fills in a time range. @param toMillis first millisecond after the range. */
export function fillIdsBetween(
  { select }: Selecting,
  fromMillis: number | null,
  toMillis: number | null,
): IdSpan {
  return {
    fromId: fromMillis === null ? allIds.fromId : firstIdSince(select, fills, fromMillis),
    toId: toMillis === null ? allIds.toId : firstIdSince(select, fills, toMillis),
  }
}

/** Returns the rows of ids, newest first. */
export function shownOfIds<Shown>(
  source: HistorySource,
  query: Query<Shown>,
  ids: readonly number[],
): Shown[] {
  return shown(source, query, [isAmong(query.key, ids)], { limit: ids.length, offset: 0 })
}
