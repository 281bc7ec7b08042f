import { fills } from './history-tables.js'
import {
  allIds,
  type IdSource,
  type IdSpan,
  idsOf,
  type ListKey,
  listedSources,
} from './id-sources.js'
import { type HistorySource, isAmong, type Query, shown } from './select.js'
import { firstIdSince } from './stored-rows.js'
import type { Table } from './table.js'

// Queries of orders, fills and trades: they find ids first, then read the rows.

interface PageOf {
  readonly limit: number
  readonly offset: number
}

type Selecting = Pick<HistorySource, 'select'>

/** So many ids are passed over one by one. */
const nearOffset = 1024

/** Returns the ids of a page over all sources, newest first. No two sources share an id. */
export function pageOf(
  { select }: Selecting,
  table: Table,
  sources: readonly IdSource[],
  page: PageOf,
  { fromId, toId }: IdSpan = allIds,
): number[] {
  let belowId = toId
  let { offset } = page
  if (offset > nearOffset) {
    const sql =
      'select first_id as id from list_runs ' +
      'where table_name = ? and first_id >= ? and first_id < ? order by run desc'
    const firstIds = idsOf(select, sql, [table.name, fromId, toId])
    // Whole runs are passed over: twice as many each time, and half as many after a step too far.
    let [passed, isFar] = [0, false]
    for (let step = 1; step >= 1; step = isFar ? step >> 1 : 2 * step) {
      const from = firstIds[passed + step - 1]
      const count =
        from === undefined
          ? Number.POSITIVE_INFINITY
          : sources.reduce((sum, source) => sum + source.count(from, belowId, offset + 1), 0)
      isFar ||= count > offset
      if (count > offset) continue
      offset -= count
      belowId = from!
      passed += step
    }
  }
  const last = offset + page.limit
  const ids = sources.flatMap((source) => source.newest(fromId, belowId, last))
  return ids.sort((one, other) => other - one).slice(offset, last)
}

/** Returns the sources of a wallet's fills. @param keys what follows the wallet in the key. */
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
