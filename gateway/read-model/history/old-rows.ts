import type Database from 'libsql'
import { DomainStatus } from '../../../schemas/domain.js'
import { theoIntervalMillis } from '../../../schemas/interface/parameter.js'
import { firstIdBy } from './first-id.js'
import {
  directives,
  endedOrders,
  fills,
  keptClientIds,
  orders,
  trades,
  workingStatuses,
} from './history-tables.js'
import { type ListOwner, ListRemover, listsOf } from './id-lists.js'
import { listedOf } from './id-sources.js'
import { NumberField, RowUnpacker } from './packed-rows.js'
import { lastFillSummed, openSpan, SumRows } from './profit-sums.js'
import { profitDays, profitSpans } from './profit-tables.js'
import { BlockRemover, firstBehind, highestId, lowestId, selecting } from './row-blocks.js'
import type { SelectAll } from './select.js'
import { insertSql, type PackedTable, sqlName, type Table } from './table.js'
import { bucketStartMillis, theoBucketsKept } from './theo-intervals.js'
import { type PackedSums, unpackSums } from './wallet-sums.js'

const dayMillis = theoIntervalMillis['1d']
/** Engine time between two looks for what has grown old. */
const lookMillis = 3_600_000
/** Rows of one table that go in one transaction. */
const chunkRows = 2048
const rowsOfBlock = 64
const working: ReadonlySet<number> = new Set(workingStatuses)

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

  /** @param keepDays 0: all are kept but rejected directives. @param takeUp has lists take up what they have not yet. */
  constructor(database: Database.Database, keepDays: number, takeUp: () => void) {
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
            new OldOrders(database, keepMillis, takeUp),
            ...[fills, trades].map((table) => new OldPacked(database, table, keepMillis)),
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

/**
 * Orders that have ended. One that works stays however old it is, and so does what has ended lately of a time whose orders
 * go: then the lists end, so both stand in tables of their own from then on.
 */
class OldOrders implements Aging {
  readonly #select: SelectAll
  readonly #keepMillis: number
  readonly #blocks: BlockRemover
  readonly #kept: KeptOrders
  readonly #lists: readonly ListRemover[]
  readonly #first
  /** Before what time orders go that this look is at. */
  #cutMillis = 0
  /** Ids between both are looked at; then the lists, from an owner on. */
  #from = 0
  #end = 0
  #list = 0
  #owner: ListOwner | null = null
  readonly #takeUp: () => void

  constructor(database: Database.Database, keepMillis: number, takeUp: () => void) {
    this.#takeUp = takeUp
    this.#select = selecting(database)
    this.#keepMillis = keepMillis
    this.#blocks = new BlockRemover(database, orders)
    this.#kept = new KeptOrders(database)
    this.#lists = listsOf(orders).map((list) => new ListRemover(database, list))
    this.#first = database.prepare(
      `update listed set first = max(first, ?) where name = '${orders.name}'`,
    )
    this.#list = this.#lists.length
  }

  /** The newest row stays: it tells which numbers were given. What no list has yet stays too. */
  begin(nowMillis: number): void {
    // The statistics of a day begin with a whole hour.
    this.#cutMillis = nowMillis - this.#keepMillis - lookMillis
    const select = this.#select
    const old = firstIdBy(select, orders, this.#cutMillis)
    // Where few trade, lists would take nothing up for a long time.
    if (old > listedOf(select, orders).last + 1) this.#takeUp()
    this.#end = Math.min(highestId(select, orders), old, listedOf(select, orders).last + 1)
    this.#from = lowestId(select, orders)
    this.#list = this.#from < this.#end ? 0 : this.#lists.length
    this.#owner = null
  }

  removeSome(): boolean {
    if (this.#from < this.#end) this.#removeOrders()
    else if (this.#list < this.#lists.length) this.#shortenList()
    return this.#list < this.#lists.length
  }

  #removeOrders(): void {
    const from = this.#from
    const step = firstBehind(this.#select, orders, from, Math.ceil(chunkRows / rowsOfBlock))
    this.#from = Math.min(this.#end, step)
    const { first } = listedOf(this.#select, orders)
    this.#kept.begin()
    this.#blocks.between(from, this.#from, (bytes, at, id) =>
      this.#kept.hasGone({ bytes, at, id, isListed: id >= first }, this.#cutMillis),
    )
    this.#first.run(this.#from)
  }

  #shortenList(): void {
    this.#owner = this.#lists[this.#list]!.below(this.#end, this.#owner, chunkRows)
    if (this.#owner === null) this.#list++
  }
}

/** Where an order stands in a block. */
interface OrderPlace {
  readonly bytes: Uint8Array
  readonly at: number
  readonly id: number
  /** Whether the lists have had it until now. */
  readonly isListed: boolean
}

/** Orders of blocks whose others go. */
class KeptOrders {
  readonly #select: SelectAll
  readonly #status = new NumberField(orders, 'status')
  readonly #updated = new NumberField(orders, 'updatedMillis')
  readonly #row = new RowUnpacker(orders)
  readonly #keepEnded
  readonly #keepClientId
  readonly #dropEnded
  readonly #dropClientId
  /** The lists have them otherwise than they are now: until that is so no more they stay. */
  #changed: ReadonlySet<number> = new Set()

  constructor(database: Database.Database) {
    this.#select = selecting(database)
    this.#keepEnded = database.prepare(insertSql(endedOrders, 1))
    this.#keepClientId = database.prepare(insertSql(keptClientIds, 1))
    this.#dropEnded = database.prepare(
      'delete from ended_orders where wallet = ? and status = ? and order_id = ?',
    )
    this.#dropClientId = database.prepare(
      'delete from kept_client_ids where wallet = ? and client_id = ? and order_id = ?',
    )
  }

  begin(): void {
    const sql = 'select order_id as id from changed_orders'
    this.#changed = new Set(this.#select<{ readonly id: number }>(sql, []).map(({ id }) => id))
  }

  /** Whether an order has ended before a time; it then leaves the tables that may have it, or enters them. */
  hasGone({ bytes, at, id, isListed }: OrderPlace, cutMillis: number): boolean {
    const status = this.#status.read(bytes, at)
    const isOpen = working.has(status) || this.#changed.has(id)
    const { wallet, clientId } = this.#row.rowAt(bytes, at, id)
    if (!isOpen && this.#updated.read(bytes, at) < cutMillis) {
      this.#dropEnded.run(wallet, status, id)
      if (clientId !== '') this.#dropClientId.run(wallet, clientId, id)
      return true
    }
    if (!isListed) return false
    if (!isOpen) this.#keepEnded.run(wallet, status, id)
    if (clientId !== '') this.#keepClientId.run(wallet, clientId, id)
    return false
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
    this.#list = new ListRemover(database, listsOf(table)[0])
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
      const blocks = Math.ceil(chunkRows / rowsOfBlock)
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
