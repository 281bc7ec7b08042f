import type Database from 'libsql'
import { firstIdSince, type TimedTable } from './first-id.js'
import { dropFromLists } from './history-lists.js'
import { fills, orders, trades, workingStatuses } from './history-tables.js'
import { entrySources, lastSummed } from './profit-sums.js'
import { sqlName, type Table } from './table.js'

const dayMillis = 86_400_000
/** Engine time between two looks for what has grown old. */
const lookMillis = 3_600_000
/** Rows of one table that go in one transaction. */
const chunkRows = 2048

// An order that works stays however old it is, and one that the lists have otherwise than it is now until they have it so.
const isFinished =
  ` and not status ${workingStatuses} and updated_millis < ?2` +
  ' and order_id not in (select order_id from order_changes)'

/** Removes finished orders, fills and trades that are older than `keepDays`, a chunk at a time. */
export class OldRows {
  readonly #database: Database.Database
  readonly #keepMillis: number
  readonly #tables
  #nextMillis = 0
  /** Before what time rows go that this look is at. */
  #cutMillis = 0

  /** @param keepDays 0: all are kept. */
  constructor(database: Database.Database, keepDays: number) {
    this.#database = database
    this.#keepMillis = keepDays * dayMillis
    this.#tables = [
      new OldOf(database, orders, isFinished),
      new OldOf(database, fills, ''),
      new OldOf(database, trades, ''),
    ]
  }

  /**
   * Within a transaction of the store.
   * @param nowMillis engine time.
   * @returns whether there is more to remove.
   */
  remove(nowMillis: number): boolean {
    if (this.#keepMillis === 0) return false
    if (nowMillis >= this.#nextMillis) {
      this.#nextMillis = nowMillis + lookMillis
      // The statistics of a day begin with a whole hour.
      this.#cutMillis = nowMillis - this.#keepMillis - lookMillis
      for (const table of this.#tables) table.begin(this.#database, this.#cutMillis)
    }
    let isMore = false
    for (const table of this.#tables) isMore = table.removeSome(this.#cutMillis) || isMore
    return isMore
  }
}

class OldOf {
  readonly #name: TimedTable
  readonly #last
  readonly #next
  readonly #removes
  /** The last row that sums have; null: there are none of them. */
  readonly #summed
  /** Ids between both are looked at. */
  #after = 0
  #end = 0

  /** @param more behind a condition on ids: which of them go; `?2` is the time before which. */
  constructor(database: Database.Database, table: Table, more: string) {
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
  begin(database: Database.Database, cutMillis: number): void {
    const { id } = this.#last.get() as { readonly id: number }
    this.#after = 0
    const summed = this.#summed?.get() as { readonly last: number } | undefined
    const old = Math.min(id, firstIdSince(database, this.#name, cutMillis)) - 1
    this.#end = Math.min(old, summed?.last ?? old)
  }

  /** @returns whether there may be more. */
  removeSome(cutMillis: number): boolean {
    if (this.#after >= this.#end) return false
    const found = this.#next.get(this.#after, cutMillis, this.#end)
    const { id, rows } = found as { readonly id: number | null; readonly rows: number }
    if (id !== null) for (const remove of this.#removes) remove.run(this.#after, cutMillis, id)
    this.#after = id === null || rows < chunkRows ? this.#end : id
    return rows === chunkRows
  }
}
