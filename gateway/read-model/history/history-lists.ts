import type Database from 'libsql'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { orders, packedTables } from './history-tables.js'
import { IdLister, ListRemover, listsOf, type OnOpen } from './id-lists.js'
import { listMistakesOf } from './list-check.js'
import { dropOpenOrders, type OpenOrders } from './open-orders.js'
import { highestId, selecting } from './row-blocks.js'

// A row that comes with every order is found by wallet or instrument through lists of ids. An index would touch a page
// for nearly every row, wherever in the index its wallet stands; a list takes up thousands of rows at once, in its own
// order, for a fraction of that. Rows behind the last one that was taken up are few, and looked at one by one:
//
//      list, by wallet                          table, by id
//      +------------------------------+         +--------------- ... --------------+-----------------+
//      | wallet 1: 3, 9, 12           |         | taken up                         | not yet         |
//      | wallet 2: 4, 5, 11           |         +--------------- ... --------------+-----------------+
//      +------------------------------+         1                                  ^ `listed.last`
//
// An order that works when it is taken up, and so may change, stands elsewhere (`open-orders.ts`). Most that come to work do
// so for a short time: the newest orders are left to the next take-up.

/** Rows that no list has yet, from which on lists take them up: a search looks at so many. */
const pendingRowsMax = 131_072
/** The newest orders that are left, by their numbers. */
const ordersLeft = 8192

const listedSql = [
  'create table if not exists listed ' +
    '(name text primary key, last integer not null, first integer not null default 0) without rowid;',
  ...packedTables.map(
    ({ name }) => `insert or ignore into listed (name, last) values ('${name}', 0);`,
  ),
].join('\n')

/** How far the lists of each table have come, and from which id on they still count. */
export function createListed(database: Database.Database): void {
  database.exec(listedSql)
}

/** Names of lists that say otherwise than their tables, one after the other; of one state of the store each. */
export function* listMistakes(database: Database.Database): Generator<string> {
  const select = selecting(database)
  for (const table of packedTables) {
    const isOwn = !database.inTransaction
    if (isOwn) database.exec('begin')
    const mistakes = listMistakesOf(select, table)
    if (isOwn) database.exec('commit')
    yield* mistakes
  }
}

/** Rows behind an id have gone: the lists have none of them any more. */
export function dropListed(database: Database.Database): void {
  const select = selecting(database)
  for (const table of packedTables) {
    const highest = highestId(select, table)
    for (const list of listsOf(table)) new ListRemover(database, list).above(highest)
    database
      .prepare(`update listed set last = min(last, ?) where name = '${table.name}'`)
      .run(highest)
  }
  dropOpenOrders(database, highestId(select, orders))
}

/** Takes what rows of a table are open, if they may be. */
export function openTaker(openOrders: OpenOrders): OnOpen {
  return (id, owner, status) => {
    const wallet = formatAddress(Buffer.from(owner as string, 'latin1'), 0)
    openOrders.take(id, wallet, status)
  }
}

/** Takes rows up into the lists, for the store's writer and within its transactions. */
export class ListKeeper {
  readonly #listers: readonly IdLister[]
  readonly #orders: IdLister
  readonly #openOrders: OpenOrders
  /** Rows and changes since; whatever a store has left from before counts as enough. */
  #pendingRows = pendingRowsMax
  /** Whose turn it is among the tables. */
  #turn = 0
  #ordersListed: number

  constructor(database: Database.Database, openOrders: OpenOrders) {
    this.#openOrders = openOrders
    this.#orders = new IdLister(database, orders, openTaker(openOrders))
    const others = packedTables.filter((table) => table !== orders)
    this.#listers = [...others.map((table) => new IdLister(database, table)), this.#orders]
    this.#ordersListed = this.#orders.last
  }

  /** Whether lists have come to this order. */
  hasOrder(orderId: number): boolean {
    return orderId <= this.#ordersListed
  }

  /** Rows were written, or changes noted. */
  addPending(rows: number): void {
    this.#pendingRows += rows
  }

  get isDue(): boolean {
    return this.#pendingRows >= pendingRowsMax
  }

  /** Takes up a chunk of one table, so that no transaction is long; it stays due while there is more. */
  takeUp(): void {
    const lister = this.#listers[this.#turn]!
    if (!this.#takeUpOf(lister, lister === this.#orders ? ordersLeft * underlyingsMax : 0)) return
    this.#turn = (this.#turn + 1) % this.#listers.length
    if (this.#turn === 0) this.#pendingRows = 0
  }

  /** Takes up a chunk of each table, the newest orders too. */
  takeUpRest(): void {
    for (const lister of this.#listers) this.#takeUpOf(lister, 0)
  }

  /** @returns whether there is no more. */
  #takeUpOf(lister: IdLister, idsLeft: number): boolean {
    const isWhole = lister.takeUp(idsLeft)
    if (lister === this.#orders) {
      this.#openOrders.takeUp()
      this.#ordersListed = lister.last
    }
    return isWhole
  }
}
