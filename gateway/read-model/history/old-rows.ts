import { DomainStatus } from '../../../schemas/domain.js'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import type { HistoryDatabase } from './history-schema.js'
import { directives, fills, isWorking, orders, trades } from './history-tables.js'
import { OldRuns } from './id-lists.js'
import { lastFillSummed, openSpan, SumRows } from './profit-sums.js'
import { profitDays, profitSpans } from './profit-tables.js'
import type { SelectAll } from './select.js'
import { firstIdSince, highestId, lowestId, selecting } from './stored-rows.js'
import { idOf, sqlName, type Table } from './table.js'
import { bucketStartMillis, theoBucketsKept } from './theo-intervals.js'
import { type PackedSums, unpackSums } from './wallet-sums.js'

const dayMillis = theoIntervalMillis['1d']
/** Engine time between two looks for what has grown old. */
const lookMillis = 3_600_000
/** Rows of one table that go in one transaction. */
const chunkRows = 2048

const hasEnded = `in (${DomainStatus.Rejected}, ${DomainStatus.Completed}, ${DomainStatus.Failed})`
/** Days that a rejected directive is read for: anybody may have as many of them as a client sends. */
const rejectedDays = 30

/** What is open is in no day yet. */
const closedBefore = `start_millis < ? and start_millis < ${openSpan}`

/** Rows that go when they are old, a chunk at a time, within transactions of the store. */
interface Aging {
  /** Another look. @param nowMillis engine time. */
  begin(nowMillis: number): void
  /** @returns whether there may be more. */
  removeSome(): boolean
}

/**
 * Removes finished orders, fills and trades, directives that have ended and sums of five minutes and days that are older
 * than `keepDays`; sums as long as historical profit may be asked for with them. What a wallet has earned in all stays.
 */
export class OldRows {
  readonly #parts: readonly Aging[]
  #nextMillis = 0

  /** @param keepDays 0: keeps everything except rejected directives. */
  constructor(database: HistoryDatabase, keepDays: number) {
    const keepMillis = keepDays * dayMillis
    const directivesThat = (are: string, millis: number) =>
      new OldByTime(database, directives, `updated_millis < ? and domain ${are}`, millis)
    const rejected = directivesThat(`= ${DomainStatus.Rejected}`, rejectedDays * dayMillis)
    // Points of an hour are made of five minutes.
    const bucketsMillis = Math.max(keepMillis, theoBucketsKept * theoIntervalMillis['1h'])
    this.#parts =
      keepDays === 0
        ? [rejected]
        : [
            rejected,
            // Working orders stay at any age. Orders stay that ended recently.
            new OldByIds(database, orders, {
              keepMillis,
              stays: `${isWorking} or updated_millis >= ?3`,
            }),
            // The sums absorb a fill before it is removed.
            new OldByIds(database, fills, { keepMillis, lastId: () => lastFillOf(database) }),
            new OldByIds(database, trades, { keepMillis }),
            directivesThat(hasEnded, keepMillis),
            new OldByTime(database, profitSpans, closedBefore, bucketsMillis),
            new OldDays(database, keepMillis),
          ]
  }

  /**
   * Within a transaction of the store.
   * @param nowMillis engine time.
   * @returns whether there is more to remove.
   */
  remove(nowMillis: number): boolean {
    if (nowMillis >= this.#nextMillis) {
      this.#nextMillis = nowMillis + lookMillis
      for (const part of this.#parts) part.begin(nowMillis)
    }
    let isMore = false
    for (const part of this.#parts) isMore = part.removeSome() || isMore
    return isMore
  }
}

interface OldOptions {
  readonly keepMillis: number
  /** SQL condition on old rows that stay and become unlisted. Its parameter is the time before which rows are old. */
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
    const goes = stays === undefined ? '?3 > 0' : `not (${stays})`
    this.#remove = database.prepare(`delete from ${table.name} where ${isWithin} and ${goes}`)
    this.#runs = new OldRuns(database, table, chunkRows)
  }

  /** The newest row stays: it has the highest number used. */
  begin(nowMillis: number): void {
    const { keepMillis, lastId } = this.#options
    // The statistics of a day begin with a whole hour.
    this.#cutMillis = nowMillis - keepMillis - lookMillis
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

/** Rows that an index or their key has by time. */
class OldByTime implements Aging {
  readonly #keepMillis: number
  readonly #remove
  #cutMillis = 0
  #isMore = false

  /** @param old condition on rows; its place is the time before which. */
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

/** Sums of days become part of one, so that all of a wallet's still add up to everything. */
class OldDays implements Aging {
  readonly #keepMillis: number
  readonly #rows: SumRows
  readonly #next
  readonly #old
  readonly #remove
  #cutMillis = 0
  /** Of the wallets in their order the last one that this look was at; null: it was at all of them. */
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

  /** Once a day: it goes through every wallet. */
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
