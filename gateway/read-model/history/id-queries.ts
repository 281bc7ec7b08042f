import { nearOf } from './far-pages.js'
import { fills } from './history-tables.js'
import { allIds, type IdSource, type IdSpan, listedSources } from './id-sources.js'
import { type Condition, type HistorySource, isAmong, type Query, shown } from './select.js'
import { firstIdSince, highestId } from './stored-rows.js'
import type { Table } from './table.js'

// Queries of orders, fills and trades: they find ids first, then read the rows.

interface PageOf {
  readonly limit: number
  readonly offset: number
}

type Selecting = Pick<HistorySource, 'select'>

/** Returns the ids of a page over all sources, newest first. No two sources share an id. */
export function pageOf(
  { select }: Selecting,
  table: Table,
  sources: readonly IdSource[],
  page: PageOf,
  { fromId, toId }: IdSpan = allIds,
): number[] {
  const end = Math.min(toId, highestId(select, table) + 1)
  const { belowId, offset } = nearOf(
    { offset: page.offset, firstId: fromId, toId: end },
    (from, below) => sources.reduce((sum, source) => sum + source.count(from, below), 0),
    (id) => sources.reduce((border, source) => Math.min(border, source.borderAt?.(id) ?? id), id),
  )
  const last = offset + page.limit
  const ids = sources.flatMap((source) => source.newest(fromId, belowId, last))
  return ids.sort((one, other) => other - one).slice(offset, last)
}

/** Returns the sources of the fills of wallets. @param instruments null: all. */
export function fillSources(
  { select }: Selecting,
  wallets: readonly string[],
  instruments: readonly number[] | null,
  span: IdSpan = allIds,
): readonly IdSource[] {
  const [only, ...others] = wallets
  const isTheirs: Condition =
    only !== undefined && others.length === 0 ? ['wallet = ?', only] : isAmong('wallet', wallets)
  const conditions = [isTheirs]
  if (instruments !== null) conditions.push(isAmong('instrument', instruments))
  return listedSources(select, fills, 'fill_ids', conditions, span)
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
