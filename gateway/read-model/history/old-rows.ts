import type Database from 'libsql'
import { DomainStatus } from '../../../schemas/domain.js'
import { theoIntervalMillis } from '../../wire/parameters.js'
import { firstIdBy } from './first-id.js'
import { dropFromLists } from './history-lists.js'
import { directives, fills, orders, packedTables, workingStatuses } from './history-tables.js'
import { type ListOwner, ListRemover } from './id-lists.js'
import { lastFillSummed, openSpan, SumRows } from './profit-sums.js'
import { profitDays, profitSpans } from './profit-tables.js'
import { BlockRemover, firstBehind, highestId, lowestId, selecting } from './row-blocks.js'
import type { SelectAll } from './select.js'
import { type PackedTable, sqlName, type Table } from './table.js'
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
            new OldOrders(database, keepMillis),
            ...packedTables.map((table) => new OldPacked(database, table, keepMillis)),
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

class OldOrders implements Aging {
  readonly #select: SelectAll
  readonly #keepMillis: number
  readonly #last
  readonly #next
  readonly #removes
  /** Before what time rows go that this look is at. */
  #cutMillis = 0
  /** Ids between both are looked at. */
  #after = 0
  #end = 0

  constructor(database: Database.Database, keepMillis: number) {
    this.#select = selecting(database)
    this.#keepMillis = keepMillis
    const old = `order_id > ?1 and order_id <= ?3${isFinished}`
    this.#last = database.prepare('select coalesce(max(order_id), 0) as id from orders')
    this.#next = database.prepare(
      'select max(id) as id, count(*) as rows from (select order_id as id from orders ' +
        `where ${old} order by order_id limit ${chunkRows})`,
    )
    this.#removes = [...dropFromLists(orders, old), `delete from orders where ${old}`].map((sql) =>
      database.prepare(sql),
    )
  }

  /** The newest row stays: it tells which numbers were given. */
  begin(nowMillis: number): void {
    // The statistics of a day begin with a whole hour.
    this.#cutMillis = nowMillis - this.#keepMillis - lookMillis
    const { id } = this.#last.get() as { readonly id: number }
    this.#after = 0
    this.#end = Math.min(id, firstIdBy(this.#select, orders, this.#cutMillis)) - 1
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

/** Rows of a packed table: whole blocks, the border of them, and what lists have of them. */
class OldPacked implements Aging {
  readonly #table: PackedTable
  readonly #keepMillis: number
  readonly #select: SelectAll
  readonly #blocks: BlockRemover
  readonly #list: ListRemover
  readonly #first
  /** Ids below go that this look is at; they go from the blocks up to `#removedId`. */
  #firstId = 0
  #removedId = 0
  #owner: ListOwner | null = null
  #isMore = false

  constructor(database: Database.Database, table: PackedTable, keepMillis: number) {
    this.#table = table
    this.#keepMillis = keepMillis
    this.#select = selecting(database)
    this.#blocks = new BlockRemover(database, table)
    this.#list = new ListRemover(database, table)
    this.#first = database.prepare(
      `update listed set first = max(first, ?) where name = '${table.name}'`,
    )
  }

  /** The newest row stays: it tells which numbers were given. What the sums do not have yet stays too. */
  begin(nowMillis: number): void {
    const cutMillis = nowMillis - this.#keepMillis - lookMillis
    const highest = highestId(this.#select, this.#table)
    const old = Math.min(highest, firstIdBy(this.#select, this.#table, cutMillis))
    this.#firstId = Math.min(old, this.#summed() + 1)
    this.#removedId = lowestId(this.#select, this.#table)
    this.#owner = null
    this.#isMore = this.#removedId < this.#firstId
    if (this.#isMore) this.#first.run(this.#firstId)
  }

  removeSome(): boolean {
    if (!this.#isMore) return false
    if (this.#removedId < this.#firstId) {
      const blocks = Math.ceil(chunkRows / this.#table.blockIds)
      const step = firstBehind(this.#select, this.#table, this.#removedId, blocks)
      this.#removedId = Math.min(this.#firstId, step)
      this.#blocks.below(this.#removedId)
      return true
    }
    this.#owner = this.#list.below(this.#firstId, this.#owner, chunkRows)
    this.#isMore = this.#owner !== null
    return this.#isMore
  }

  /** The last row that the sums have, of the table that they are made of. */
  #summed(): number {
    if (this.#table.name !== fills.name) return Number.MAX_SAFE_INTEGER
    return this.#select<{ readonly last: number }>(lastFillSummed, [])[0]!.last
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
