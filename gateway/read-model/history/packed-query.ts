import { firstIdBy } from './first-id.js'
import { fills, instruments } from './history-tables.js'
import { pageOfIds } from './id-pages.js'
import { type IdSource, sourcesOf, type Wanted } from './id-sources.js'
import { highestId, rowsOfIds } from './row-blocks.js'
import type { HistorySource, SelectAll, WithInstrument } from './select.js'
import { type PackedTable, type Row, sqlName } from './table.js'

// Rows of packed tables as answers show them: ids first, then their rows, then what is said of their instruments.

type InstrumentColumn = keyof Row<typeof instruments>

export interface PackedQuery<T extends PackedTable, Shown> {
  readonly table: T
  readonly ofInstrument: readonly InstrumentColumn[]
  readonly show: (row: never) => Shown
}

interface PageOf {
  readonly limit: number
  readonly offset: number
}

/** Every id. */
export const allIds = { fromId: 0, toId: Number.MAX_SAFE_INTEGER } as const
type IdSpan = Pick<Wanted, 'fromId' | 'toId'>

/** All columns of a table, and some of the instrument of each row. */
export function packedQuery<T extends PackedTable, Name extends InstrumentColumn, Shown>(
  table: T,
  ofInstrument: readonly Name[],
  show: (row: WithInstrument<T, Name>) => Shown,
): PackedQuery<T, Shown> {
  return { table, ofInstrument, show }
}

/** Ids of a page of what is wanted, the newest first. */
export function wantedIds(
  { select }: Pick<HistorySource, 'select'>,
  table: PackedTable,
  wanted: Omit<Wanted, keyof IdSpan>,
  page: PageOf,
  span: IdSpan = allIds,
): number[] {
  const within = idsWithin(select, table, span)
  return pageOfIds(sourcesOf(select, table, { ...wanted, ...within }), page, within)
}

/** The same of any sources. */
export function pageOf(
  { select }: Pick<HistorySource, 'select'>,
  table: PackedTable,
  sources: readonly IdSource[],
  page: PageOf,
): number[] {
  return pageOfIds(sources, page, idsWithin(select, table, allIds))
}

function idsWithin(select: SelectAll, table: PackedTable, { fromId, toId }: IdSpan): IdSpan {
  return { fromId, toId: Math.min(toId, highestId(select, table) + 1) }
}

/** Ids of the fills of a span of time. @param toMillis the first millisecond behind it. */
export function fillIdsBetween(
  { select }: Pick<HistorySource, 'select'>,
  fromMillis: number | null,
  toMillis: number | null,
): IdSpan {
  return {
    fromId: fromMillis === null ? allIds.fromId : firstIdBy(select, fills, fromMillis),
    toId: toMillis === null ? allIds.toId : firstIdBy(select, fills, toMillis),
  }
}

/** Rows of ids, in their order. */
export function shownOfIds<T extends PackedTable, Shown>(
  { select }: Pick<HistorySource, 'select'>,
  query: PackedQuery<T, Shown>,
  ids: readonly number[],
): Shown[] {
  return shownRows(select, query, rowsOfIds(select, query.table, ids))
}

/** Those whose instruments are known. */
export function shownRows<T extends PackedTable, Shown>(
  select: SelectAll,
  { ofInstrument, show }: PackedQuery<T, Shown>,
  rows: readonly Row<T>[],
): Shown[] {
  const ids = [...new Set(rows.map(instrumentOf))]
  const columns = ofInstrument.map((column) => `${sqlName(column)} as ${column}`).join(', ')
  const sql =
    `select instrument_id as id, ${columns} from ${instruments.name} ` +
    'where instrument_id in (select value from json_each(?))'
  const found = select<{ readonly id: number }>(sql, [JSON.stringify(ids)])
  const byId = new Map(found.map((instrument) => [instrument.id, instrument]))
  return rows.flatMap((row) => {
    const instrument = byId.get(instrumentOf(row))
    return instrument === undefined ? [] : [show({ ...row, ...instrument } as never)]
  })
}

function instrumentOf(row: Row<PackedTable>): number {
  return (row as unknown as { readonly instrument: number }).instrument
}
