import type Database from 'libsql'
import { OutcomeEvent } from '../../../schemas/generated/events.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { formatAddress, parseAddress } from '../../../schemas/wallet.js'
import {
  changedOrders,
  endedOrders,
  keptClientIds,
  orders,
  workingOrders,
  workingStatuses,
} from './history-tables.js'
import { ListRemover, listsOf } from './id-lists.js'
import { RowBatch } from './row-batch.js'
import { rowsOfIds, selecting } from './row-blocks.js'
import type { SelectAll } from './select.js'
import { insertSql } from './table.js'

// A packed list takes an order up once, with the status that it ends with. Most orders have ended by then. One that works
// stands in a table of such orders, and when it ends among those that have ended later:
//
//      taken up as ended    ---> order_ids                              packed, nothing of it changes
//      taken up as working  ---> working_orders ---> ended_orders       a row each; moved when lists take up
//                                      |
//                                 changed_orders                        how they are now, until then

const working: ReadonlySet<number> = new Set(workingStatuses)
const isWorking = `in (${workingStatuses.join(', ')})`

/** SQL that brings orders that have changed to where they belong now. */
const takeUpChanges = [
  'insert or ignore into ended_orders (wallet, status, order_id) ' +
    `select wallet, status, order_id from changed_orders where not status ${isWorking}`,
  'delete from working_orders where (wallet, order_id) in ' +
    `(select wallet, order_id from changed_orders where not status ${isWorking})`,
  'insert or replace into working_orders (wallet, order_id, status) ' +
    `select wallet, order_id, status from changed_orders where status ${isWorking}`,
  'delete from changed_orders',
].join(';\n')

/** Orders behind an id have gone. */
export function dropOpenOrders(database: Database.Database, lastId: number): void {
  for (const { name } of [workingOrders, endedOrders, changedOrders, keptClientIds]) {
    database.prepare(`delete from ${name} where order_id > ?`).run(lastId)
  }
}

/** Keeps the orders that the packed list has not, for the store's writer and within its transactions. */
export class OpenOrders {
  readonly #database: Database.Database
  readonly #select: SelectAll
  /** Those of `working_orders`. */
  readonly #ids = new Set<number>()
  readonly #changes: RowBatch
  readonly #takeWorking
  readonly #takeEnded
  readonly #takeClientId
  readonly #dropEnded
  readonly #ended
  readonly #list: ListRemover
  readonly #update = new OutcomeEvent()

  constructor(database: Database.Database) {
    this.#database = database
    this.#select = selecting(database)
    this.#changes = new RowBatch(database, changedOrders)
    this.#takeWorking = database.prepare(insertSql(workingOrders, 1))
    this.#takeEnded = database.prepare(insertSql(endedOrders, 1))
    this.#takeClientId = database.prepare(insertSql(keptClientIds, 1))
    this.#dropEnded = database.prepare(
      'delete from ended_orders where wallet = ? and status = ? and order_id = ?',
    )
    this.#ended = database.prepare(
      `select order_id as id from changed_orders where not status ${isWorking}`,
    )
    this.#list = new ListRemover(database, listsOf(orders)[0])
    const ids = database.prepare('select order_id as id from working_orders').all()
    for (const { id } of ids as { readonly id: number }[]) this.#ids.add(id)
  }

  /** Takes up one that works. */
  take(orderId: number, wallet: string, status: number): void {
    this.#takeWorking.run(wallet, orderId, status)
    this.#ids.add(orderId)
  }

  /** Notes what an update says of an order that lists have taken up, before its row is written. */
  note(views: RecordViews, at: number): void {
    const { facts } = this.#update.over(views, at)
    if (this.#ids.has(facts.orderId)) this.#changes.addEvent(views, at)
    else this.#amend()
  }

  /**
   * What lists have otherwise, or not at all: an order whose end was lost works again, and one may be told behind others
   * with higher numbers. An update that is told again changes nothing.
   */
  #amend(): void {
    const { orderId, status, clientIdText, u8, walletAt } = this.#update.facts
    const wallet = formatAddress(u8, walletAt)
    const [row] = rowsOfIds(this.#select, orders, [orderId])
    if (row === undefined) {
      if (clientIdText !== '') this.#takeClientId.run(wallet, clientIdText, orderId)
      if (!working.has(status)) this.#takeEnded.run(wallet, status, orderId)
    } else if (working.has(status)) {
      const { changes } = this.#dropEnded.run(wallet, row.status, orderId)
      if (changes === 0) this.#list.one(parseAddress(wallet)!, orderId)
    }
    if (working.has(status)) this.take(orderId, wallet, status)
  }

  flush(): void {
    this.#changes.flush()
  }

  /** What has changed stands where it belongs afterwards. */
  takeUp(): void {
    for (const { id } of this.#ended.all() as { readonly id: number }[]) this.#ids.delete(id)
    this.#database.exec(takeUpChanges)
  }
}
