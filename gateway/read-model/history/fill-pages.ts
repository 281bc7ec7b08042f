import { firstIdBy } from './first-id.js'
import { idsBy } from './history-lists.js'
import { fillRunIds, fills } from './history-tables.js'
import { type Condition, type HistorySource, isOneOf } from './select.js'

// A wallet's fills in some instruments: `fills_by_run` has them together within each run of ids, so they are counted run
// by run, the newest first, until the page begins.
//
//      run 2 | wallet 1 | call: 70,001  put: 66,120, 69,004 |      ids above `listed.last` are looked at one by one
//      run 1 | wallet 1 | call: 33,500, 41,002              |
//      run 0 | wallet 1 | put: 17                           |

/** Runs that one look counts at most; the first one counts one, which is often enough, and each twice as many. */
const runsPerLookMax = 64
/** With more of them each run is read as the wallet's whole. */
const instrumentsSought = 8

/** Which of a wallet's fills. */
interface FillFilter {
  readonly wallet: string
  /** Null: in any. */
  readonly instruments: readonly number[] | null
  /** The first id, and the first one behind the last. */
  readonly fromId: number
  readonly toId: number
}

interface PageOf {
  readonly limit: number
  readonly offset: number
}

/** Every id. */
export const allIds = { fromId: 0, toId: Number.MAX_SAFE_INTEGER } as const

/** Ids of the fills of a span of time. @param toMillis the first millisecond behind it. */
export function idsBetween(
  { select }: Pick<HistorySource, 'select'>,
  fromMillis: number | null,
  toMillis: number | null,
): Pick<FillFilter, 'fromId' | 'toId'> {
  return {
    fromId: fromMillis === null ? allIds.fromId : firstIdBy(select, 'fills', fromMillis),
    toId: toMillis === null ? allIds.toId : firstIdBy(select, 'fills', toMillis),
  }
}

/** Parts that have the ids of a page of them, the newest first: the page begins at the first of these. */
export function fillPage(
  source: HistorySource,
  filter: FillFilter,
  page: PageOf,
): { readonly parts: readonly Condition[]; readonly page: PageOf } {
  const { fromId, toId, instruments, wallet } = filter
  const isMet = ['fill_id >= ? and fill_id < ?', fromId, toId] as const
  if (instruments === null) {
    return {
      parts: idsBy(fills, 'fills_by_wallet', [wallet]).map((part) => and(part, isMet)),
      page,
    }
  }
  if (instruments.length === 0) return { parts: [], page }
  const named = isOneOf('instrument', instruments)
  const [, unlisted] = idsBy(fills, 'fills_by_wallet', [wallet])
  const pending = and(and(unlisted!, isMet), named)
  const counted = source.select<{ count: number }>(
    `select count(*) as count from (${pending[0]})`,
    valuesOf(pending),
  )[0]!.count
  const { runs, before } = runsOf(source, filter, {
    ...page,
    offset: Math.max(0, page.offset - counted),
  })
  const isBehindPending = page.offset >= counted
  return {
    parts: [
      ...(isBehindPending ? [] : [pending]),
      ...(runs.length === 0 ? [] : [and(and(inRuns(runs, wallet), isMet), sought(instruments))]),
    ],
    page: isBehindPending ? { limit: page.limit, offset: page.offset - counted - before } : page,
  }
}

function inRuns(runs: readonly number[], wallet: string): Condition {
  const [isOne, ...values] = isOneOf('run', runs)
  return [`select fill_id as id from fills_by_run where ${isOne} and wallet = ?`, ...values, wallet]
}

/** Runs that have the page, and how many of the ids stand in newer ones. */
function runsOf(
  source: HistorySource,
  filter: FillFilter,
  { limit, offset }: PageOf,
): { readonly runs: readonly number[]; readonly before: number } {
  const { fromId, toId, instruments, wallet } = filter
  const [isNamed, ...names] = sought(instruments!)
  const sql =
    'with recursive runs (run) as (select ?1 union all select run - 1 from runs where run > ?2) ' +
    'select runs.run as run, count(*) as count from runs cross join fills_by_run l ' +
    `on l.run = runs.run and l.wallet = ?3 where fill_id >= ?4 and fill_id < ?5 and ${isNamed} ` +
    'group by runs.run order by runs.run desc'
  const highest = source.select<{ run: number | null }>(
    'select max(run) as run from fills_by_run',
    [],
  )[0]!.run
  const last = Math.floor(fromId / fillRunIds)
  let run = Math.min(highest ?? -1, Math.floor(toId / fillRunIds))
  const runs: number[] = []
  let before = 0
  let found = 0
  for (
    let looked = 1;
    run >= last && found < limit;
    looked = Math.min(2 * looked, runsPerLookMax)
  ) {
    const end = Math.max(last, run - looked + 1)
    for (const one of source.select<{ run: number; count: number }>(sql, [
      ...[run, end, wallet, fromId, toId],
      ...names,
    ])) {
      if (found >= limit) break
      if (runs.length === 0 && before + one.count <= offset) {
        before += one.count
        continue
      }
      found += runs.length === 0 ? before + one.count - offset : one.count
      runs.push(one.run)
    }
    run = end - 1
  }
  return { runs, before }
}

/** A condition on the instrument; many are not sought one by one. */
function sought(instruments: readonly number[]): Condition {
  return isOneOf(instruments.length > instrumentsSought ? '+instrument' : 'instrument', instruments)
}

function and([sql, ...values]: Condition, [more, ...others]: Condition): Condition {
  return [`${sql} and ${more}`, ...values, ...others]
}

function valuesOf([, ...values]: Condition): readonly (string | number)[] {
  return values
}
