import type Database from 'libsql'
import { DomainStatus } from '../../../schemas/domain.js'
import { theoIntervalMillis } from '../../wire/parameters.js'
import { firstIdSince, type TimedTable } from './first-id.js'
import { dropFromLists } from './history-lists.js'
import { directives, fills, orders, trades, workingStatuses } from './history-tables.js'
import { entrySources, lastSummed, openSpan, SumRows } from './profit-sums.js'
import { profitDays, profitSpans } from './profit-tables.js'
import { sqlName, type Table } from './table.js'
import { bucketStartMillis, theoBucketsKept } from './theo-intervals.js'
import { type PackedSums, unpackSums } from './wallet-sums.js'

const dayMillis = theoIntervalMillis['1d']
/** Engine time between two looks for what has grown old. */
const lookMillis = 3_600_000
/** Rows of one table that go in one transaction. */
const chunkRows = 2048

// An order that works stays however old it is, and one that the lists have otherwise than it is now until they have it so.
const isFinished =
  ` and not status ${workingStatuses} and updated_millis < ?2` +
  ' and order_id not in (select order_id from order_changes)'

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

  /** @param keepDays 0: all are kept but rejected directives. */
  constructor(database: Database.Database, keepDays: number) {
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
            new OldOf(database, orders, isFinished, keepMillis),
            new OldOf(database, fills, '', keepMillis),
            new OldOf(database, trades, '', keepMillis),
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

class OldOf implements Aging {
  readonly #database: Database.Database
  readonly #keepMillis: number
  readonly #name: TimedTable
  readonly #last
  readonly #next
  readonly #removes
  /** The last row that sums have; null: there are none of them. */
  readonly #summed
  /** Before what time rows go that this look is at. */
  #cutMillis = 0
  /** Ids between both are looked at. */
  #after = 0
  #end = 0

  /** @param more behind a condition on ids: which of them go; `?2` is the time before which. */
  constructor(database: Database.Database, table: Table, more: string, keepMillis: number) {
    this.#database = database
    this.#keepMillis = keepMillis
    this.#name = table.name as TimedTable
    const key = sqlName(table.key[0]!)
    const old = `${key} > ?1 and ${key} <= ?3${more}`
    const time = more === '' ? ' and ?2 = ?2' : ''
    this.#last = database.prepare(`select coalesce(max(${key}), 0) as id from ${table.name}`)
    this.#next = database.prepare(
      `select max(id) as id, count(*) as rows from (select ${key} as id from ${table.name} ` +
        `where ${old}${time} order by ${key} limit ${chunkRows})`,
    )
    const source = entrySources.find((one) => one.table === table.name)
    this.#summed =
      source === undefined ? null : database.prepare(`select ${lastSummed(source)} as last`)
    this.#removes = [
      ...dropFromLists(table, old + time),
      `delete from ${table.name} where ${old}${time}`,
    ].map((sql) => database.prepare(sql))
  }

  /** The newest row stays: it tells which numbers were given. */
  begin(nowMillis: number): void {
    // The statistics of a day begin with a whole hour.
    this.#cutMillis = nowMillis - this.#keepMillis - lookMillis
    const { id } = this.#last.get() as { readonly id: number }
    this.#after = 0
    const summed = this.#summed?.get() as { readonly last: number } | undefined
    const old = Math.min(id, firstIdSince(this.#database, this.#name, this.#cutMillis)) - 1
    this.#end = Math.min(old, summed?.last ?? old)
  }

  removeSome(): boolean {
    if (this.#after >= this.#end) return false
    const found = this.#next.get(this.#after, this.#cutMillis, this.#end)
    const { id, rows } = found as { readonly id: number | null; readonly rows: number }
    if (id !== null)
      for (const remove of this.#removes) remove.run(this.#after, this.#cutMillis, id)
    this.#after = id === null || rows < chunkRows ? this.#end : id
    return rows === chunkRows
  }
}

/** Rows that an index or their key has by time. */
class OldByTime implements Aging {
  readonly #keepMillis: number
  readonly #remove
  #cutMillis = 0
  #isMore = false

  /** @param old condition on rows; its place is the time before which. */
  constructor(
    database: Database.Database,
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

  constructor(database: Database.Database, keepMillis: number) {
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
