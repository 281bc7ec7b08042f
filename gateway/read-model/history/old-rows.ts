import { DomainStatus } from '../../../schemas/domain.js'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import type { HistoryDatabase } from './history-schema.js'
import { directives, fills, isWorking, orders, trades } from './history-tables.js'
import { OldRuns } from './id-lists.js'
import { lastFillSummed, openHour, SumRows } from './profit-sums.js'
import { profitDays, profitHours, profitSpans } from './profit-tables.js'
import type { SelectAll } from './select.js'
import { firstIdSince, highestId, lowestId, selecting } from './stored-rows.js'
import { idOf, sqlName, type Table } from './table.js'
import { bucketStartMillis, theoBucketsKept } from './theo-intervals.js'
import { type PackedSums, unpackSums } from './wallet-sums.js'

const dayMillis = theoIntervalMillis['1d']
/** Engine time between two checks for old rows. */
const checkMillis = 3_600_000
/** Maximum number of rows of one table that one transaction removes. */
const chunkRows = 2048

const hasEnded = `in (${DomainStatus.Rejected}, ${DomainStatus.Completed}, ${DomainStatus.Failed})`
/** Retention of rejected directives in days: a client can send any number of them. */
export const rejectedDays = 30

/** Condition on old sums whose hour has ended: those of the open one are not in their day yet. */
const closedBefore = `start_millis < ? and start_millis < ${openHour}`

/** Removes old rows in chunks, within transactions of the store. */
interface Aging {
  /** Starts another pass. @param nowMillis engine time. */
  begin(nowMillis: number): void
  /** Removes one chunk. @returns true if there may be more. */
  removeSome(): boolean
}

/**
 * Removes rows older than `keepDays`: finished orders, fills, trades, ended directives, and sums of intervals.
 * Sums stay longer if queries of historical profit need them. The total profit of a wallet always stays.
 */
export class OldRows {
  readonly #parts: readonly Aging[]
  #nextMillis = 0

  /** @param keepDays 0: keeps everything except rejected directives. */
  constructor(database: HistoryDatabase, keepDays: number) {
    const keepMillis = keepDays * dayMillis
    const directivesWhere = (isDomain: string, millis: number) =>
      new OldByTime(database, directives, `updated_millis < ? and domain ${isDomain}`, millis)
    const rejected = directivesWhere(`= ${DomainStatus.Rejected}`, rejectedDays * dayMillis)
    const bucketsMillis = Math.max(keepMillis, theoBucketsKept * theoIntervalMillis['1h'])
    this.#parts =
      keepDays === 0
        ? [rejected]
        : [
            rejected,
            // Working orders stay at any age, as do orders that ended recently.
            new OldByIds(database, orders, {
              keepMillis,
              stays: `${isWorking} or updated_millis >= ?3`,
            }),
            // The sums absorb a fill before it is removed.
            new OldByIds(database, fills, { keepMillis, lastId: () => lastFillOf(database) }),
            new OldByIds(database, trades, { keepMillis }),
            directivesWhere(hasEnded, keepMillis),
            new OldByTime(database, profitSpans, closedBefore, bucketsMillis),
            new OldByTime(database, profitHours, closedBefore, bucketsMillis),
            new OldDays(database, keepMillis),
          ]
  }

  /**
   * Removes one chunk of each table, within a transaction of the store.
   * @param nowMillis engine time.
   * @returns true if there is more to remove.
   */
  remove(nowMillis: number): boolean {
    if (nowMillis >= this.#nextMillis) {
      this.#nextMillis = nowMillis + checkMillis
      for (const part of this.#parts) part.begin(nowMillis)
    }
    let isMore = false
    for (const part of this.#parts) isMore = part.removeSome() || isMore
    return isMore
  }
}

interface OldOptions {
  readonly keepMillis: number
  /** SQL condition on old rows that stay and become unlisted. Rows before time ?3 are old. */
  readonly stays?: string
  /** Highest id to remove; left out: no limit. */
  readonly lastId?: () => number
}

/** Rows of a table whose ids rise with time, and their entries in lists. */
class OldByIds implements Aging {
  readonly #table: Table
  readonly #options: OldOptions
  readonly #select: SelectAll
  readonly #step
  readonly #unlist
  readonly #remove
  readonly #runs: OldRuns
  #cutMillis = 0
  /** Range of ids that is being removed. */
  #from = 0
  #end = 0

  constructor(database: HistoryDatabase, table: Table, options: OldOptions) {
    const id = idOf(table)
    const { stays } = options
    const isWithin = `${id} >= ?1 and ${id} < ?2`
    this.#table = table
    this.#options = options
    this.#select = selecting(database)
    this.#step = database.prepare(
      `select ${id} as id from ${table.name} where ${id} >= ? order by ${id} limit 1 offset ${chunkRows}`,
    )
    this.#unlist =
      stays === undefined
        ? null
        : database.prepare(
            `update ${table.name} set is_unlisted = 1 where ${isWithin} and is_unlisted = 0 and (${stays})`,
          )
    const isOld = stays === undefined ? '?3 > 0' : `not (${stays})`
    this.#remove = database.prepare(`delete from ${table.name} where ${isWithin} and ${isOld}`)
    this.#runs = new OldRuns(database, table, chunkRows)
  }

  /** Starts a pass. The newest row always stays, because it has the highest id used. */
  begin(nowMillis: number): void {
    const { keepMillis, lastId } = this.#options
    // The 24-hour statistics begin on a full hour.
    this.#cutMillis = nowMillis - keepMillis - checkMillis
    const old = firstIdSince(this.#select, this.#table, this.#cutMillis)
    const highest = highestId(this.#select, this.#table)
    this.#end = Math.min(highest, old, (lastId?.() ?? highest) + 1)
    this.#from = lowestId(this.#select, this.#table)
  }

  removeSome(): boolean {
    if (this.#from >= this.#end) return this.#runs.removeSome()
    const next = this.#step.get(this.#from) as { readonly id: number } | undefined
    const values = [this.#from, Math.min(this.#end, next?.id ?? this.#end), this.#cutMillis]
    this.#unlist?.run(values)
    this.#remove.run(values)
    this.#from = values[1]!
    this.#runs.passBelow(this.#from)
    return true
  }
}

/** Returns the id of the last fill in the sums. */
function lastFillOf(database: HistoryDatabase): number {
  return (database.prepare(lastFillSummed).get() as { readonly last: number }).last
}

/** Rows with an index or key by time. */
class OldByTime implements Aging {
  readonly #keepMillis: number
  readonly #remove
  #cutMillis = 0
  #isMore = false

  /** @param old SQL condition on old rows. Its parameter is the time before which rows are old. */
  constructor(
    database: HistoryDatabase,
    { name, key }: Pick<Table, 'name'> & { readonly key: readonly string[] },
    old: string,
    keepMillis: number,
  ) {
    this.#keepMillis = keepMillis
    const names = key.map(sqlName).join(', ')
    this.#remove = database.prepare(
      `delete from ${name} where (${names}) in (select ${names} from ${name} where ${old} limit ${chunkRows})`,
    )
  }

  begin(nowMillis: number): void {
    this.#cutMillis = bucketStartMillis(nowMillis - this.#keepMillis, theoIntervalMillis['5m'])
    this.#isMore = true
  }

  removeSome(): boolean {
    if (this.#isMore) this.#isMore = this.#remove.run(this.#cutMillis).changes === chunkRows
    return this.#isMore
  }
}

interface PackedDay {
  readonly wallet: string
  readonly sums: PackedSums
}

/** Merges old sums of days into one, so that a wallet's sums still add up to its total. */
class OldDays implements Aging {
  readonly #keepMillis: number
  readonly #rows: SumRows
  readonly #next
  readonly #old
  readonly #remove
  #cutMillis = 0
  /** Last wallet that this pass has handled, in order of address; null: the pass is complete. */
  #after: string | null = null

  constructor(database: HistoryDatabase, keepMillis: number) {
    this.#keepMillis = Math.max(keepMillis, theoBucketsKept * dayMillis)
    this.#next = database.prepare(
      'select max(wallet) as wallet from ' +
        `(select wallet from ${profitDays.name} where wallet > ? order by wallet limit ${chunkRows})`,
    )
    const old = 'wallet > ? and wallet <= ? and start_millis > 0 and start_millis < ?'
    this.#rows = new SumRows(database)
    this.#old = database.prepare(`select wallet, sums from ${profitDays.name} where ${old}`)
    this.#remove = database.prepare(`delete from ${profitDays.name} where ${old}`)
  }

  /** Starts a pass over all wallets, at most once a day. */
  begin(nowMillis: number): void {
    const cutMillis = bucketStartMillis(nowMillis - this.#keepMillis, dayMillis)
    if (cutMillis <= this.#cutMillis) return
    this.#cutMillis = cutMillis
    this.#after = ''
  }

  removeSome(): boolean {
    const after = this.#after
    if (after === null) return false
    this.#after = (this.#next.get(after) as { readonly wallet: string | null }).wallet
    if (this.#after === null) return false
    const values = [after, this.#after, this.#cutMillis]
    for (const { wallet, sums } of this.#old.all(values) as PackedDay[]) {
      this.#rows.addToDay(0, wallet, new Map(unpackSums(sums).map((row) => [row.about, row])))
    }
    this.#remove.run(values)
    return true
  }
}
