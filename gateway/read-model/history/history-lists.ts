import type Database from 'libsql'
import { OrderPhase, orders, packedTables, workingStatuses } from './history-tables.js'
import { IdLister, ListRemover } from './id-lists.js'
import { listMistake } from './list-check.js'
import { highestId, selecting } from './row-blocks.js'
import type { Condition } from './select.js'
import { sqlName, type Table } from './table.js'

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
// An order that changes its phase once it was taken up is noted until lists take up again.

const listedTables: readonly Table[] = [orders]

/** Rows that no list has yet, from which on lists take them up. */
const pendingRowsMax = 65_536
/** Rows of a table that are taken up in one transaction. */
const chunkRows = 65_536

const listedSql = [
  'create table if not exists listed ' +
    '(name text primary key, last integer not null, first integer not null default 0) without rowid;',
  ...[...listedTables, ...packedTables].map(
    ({ name }) => `insert or ignore into listed (name, last) values ('${name}', 0);`,
  ),
].join('\n')

/** How far the lists of each table have come, and from which id on they still count. */
export function createListed(database: Database.Database): void {
  const columns = database.prepare("select name from pragma_table_info('listed')").all()
  const names = (columns as { readonly name: string }[]).map(({ name }) => name)
  if (names.length > 0 && !names.includes('first')) {
    database.exec('alter table listed add column first integer not null default 0')
  }
  database.exec(listedSql)
}

/** Indexes of stores of before, which find what the lists have not yet. */
const indexesBefore = [
  ...['orders_wallet', 'orders_client', 'orders_acked', 'orders_open', 'orders_partial'],
  ...['orders_working', 'orders_filled', 'fills_wallet'],
  ...['trades_instrument', 'trades_underlying', 'trades_time'],
]

/** SQL and values of ids, under the name `id`. */
export type Ids = Condition
type Values = readonly (string | number)[]

/** Behind a condition on a list of orders: what it says of them is still so. */
const isUnchanged = ' and order_id not in (select order_id from order_changes)'

/** Ids of rows, whether the lists have them yet or not. @param values of the list's columns, from the first on. */
export function idsBy(table: Table, list: string, values: Values): readonly Ids[] {
  const { by } = table.lists![list]!
  const terms = Object.entries(by).slice(0, values.length)
  return [
    listed(table, list, values),
    unlisted(
      table,
      terms.map(([, term], index) => [`${term} = ?`, values[index]!]),
    ),
  ]
}

/**
 * Ids of a wallet's orders.
 * @param status condition on their status, of orders in one phase; '': all.
 */
export function orderIds(wallet: string, phase: OrderPhase | null, status: string): readonly Ids[] {
  const phases = phase === null ? Object.values(OrderPhase) : [phase]
  const lists = phases.map((one) => listed(orders, 'orders_by_phase', [wallet, one]))
  const ofWallet: Condition = ['wallet = ?', wallet]
  if (status === '') return [...lists, unlisted(orders, [ofWallet])]
  const isSo: Condition = [`status ${status}`]
  const [[list, ...values]] = lists as [Ids]
  const found: Ids =
    phase === OrderPhase.Working
      ? [
          `select id from (${list}${isUnchanged}) cross join orders on order_id = id where ${isSo[0]}`,
          ...values,
        ]
      : [`${list}${isUnchanged}`, ...values]
  return [found, changed([ofWallet, isSo]), unlisted(orders, [ofWallet, isSo])]
}

function listed(table: Table, list: string, values: Values): Ids {
  const columns = Object.keys(table.lists![list]!.by)
  const conditions = values.map((_, index) => `${columns[index]} = ?`).join(' and ')
  return [`select ${keyOf(table)} as id from ${list} where ${conditions}`, ...values]
}

function unlisted(table: Table, conditions: readonly Condition[]): Ids {
  const key = keyOf(table)
  const from = `select ${key} as id from ${table.name} where ${key} > ${lastListed(table)}`
  return [from + met(conditions), ...conditions.flatMap(([, ...values]) => values)]
}

/** Orders that have changed since they were taken up, as they are now. */
function changed(conditions: readonly Condition[]): Ids {
  const from =
    'select c.order_id as id from order_changes c cross join orders o on o.order_id = c.order_id ' +
    `where c.order_id <= ${lastListed(orders)}`
  return [from + met(conditions), ...conditions.flatMap(([, ...values]) => values)]
}

function met(conditions: readonly Condition[]): string {
  return conditions.map(([sql]) => ` and ${sql}`).join('')
}

function keyOf({ key }: Table): string {
  return sqlName(key[0]!)
}

function lastListed({ name }: Table): string {
  return `(select last from listed where name = '${name}')`
}

/** Compares every list of rows with its table: each statement gives a row if they differ, of one state of the store. */
const listChecks: readonly string[] = listedTables.flatMap((table) =>
  Object.keys(table.lists!).map((list) => checkOf(table, list)),
)

/** Names of lists that say otherwise than their tables, one after the other. */
export function* listMistakes(database: Database.Database): Generator<string> {
  for (const check of listChecks) {
    const [found] = database.prepare(check).all() as { readonly name: string }[]
    if (found !== undefined) yield found.name
    else yield ''
  }
  for (const table of packedTables) yield listMistake(selecting(database), table)
}

function checkOf(table: Table, list: string): string {
  const { by, where = 'true' } = table.lists![list]!
  const key = keyOf(table)
  const isSame = Object.entries(by).map(([column, term]) => ` and ${term} = l.${column}`)
  const row = `select 1 from ${table.name} where ${key} = l.${key}${isSame.join('')}`
  const noted = list === 'orders_by_phase' ? isUnchanged : ''
  const wrong = `select 1 from ${list} l where not exists (${row})${noted}`
  const wanted = `select count(*) from ${table.name} where ${key} <= ${lastListed(table)} and ${where}`
  return (
    `select '${list}' as name where exists (${wrong}) ` +
    `or (select count(*) from ${list}) <> (${wanted})`
  )
}

/** SQL that takes rows out of a table's lists, before they leave the table. @param which condition on them. */
export function dropFromLists(table: Table, which: string): readonly string[] {
  const key = keyOf(table)
  return Object.entries(table.lists!).map(([list, { by }]) => {
    const [columns, terms] = [
      [...Object.keys(by), key],
      [...Object.values(by), key],
    ]
    const rows = `select ${terms.join(', ')} from ${table.name} where ${which}`
    return `delete from ${list} where (${columns.join(', ')}) in (${rows})`
  })
}

/** Rows behind an id have gone: the lists have none of them any more. */
export function dropListed(database: Database.Database): void {
  for (const table of listedTables) {
    const key = keyOf(table)
    const highest = `(select coalesce(max(${key}), 0) from ${table.name})`
    for (const list of Object.keys(table.lists!)) {
      database.exec(`delete from ${list} where ${key} > ${highest}`)
    }
    database.exec(`update listed set last = min(last, ${highest}) where name = '${table.name}'`)
  }
  database.exec('delete from order_changes where order_id not in (select order_id from orders)')
  const select = selecting(database)
  for (const table of packedTables) {
    const highest = highestId(select, table)
    new ListRemover(database, table).above(highest)
    database
      .prepare(`update listed set last = min(last, ?) where name = '${table.name}'`)
      .run(highest)
  }
}

/** SQL that lists the orders that have changed under what they are now. */
const takeUpChanges = [
  `delete from orders_by_phase where phase = ${OrderPhase.Working} and (wallet, order_id) in (` +
    'select o.wallet, o.order_id from order_changes c cross join orders o on o.order_id = c.order_id ' +
    `where not o.status ${workingStatuses})`,
  ...Object.keys(orders.lists!).map((list) =>
    insertInto(orders, list, 'order_id in (select order_id from order_changes)'),
  ),
  'delete from order_changes',
].join(';\n')

const listAgain =
  `update or replace orders_by_phase set phase = ${OrderPhase.Working} ` +
  `where phase in (${OrderPhase.Filled}, ${OrderPhase.Canceled}) and order_id = ? ` +
  'and wallet = (select wallet from orders where order_id = ?)'

function insertInto(table: Table, list: string, which: string): string {
  const { by, where } = table.lists![list]!
  const columns = [...Object.values(by), keyOf(table)].join(', ')
  const and = where === undefined ? '' : ` and ${where}`
  const order = [...Object.keys(by), keyOf(table)].map((_, index) => index + 1).join(', ')
  return `insert or ignore into ${list} select ${columns} from ${table.name} where ${which}${and} order by ${order}`
}

/** Takes rows up into the lists, for the store's writer and within its transactions. */
export class ListKeeper {
  readonly #database: Database.Database
  readonly #tables
  readonly #packed: readonly IdLister[]
  readonly #listAgain
  /** Rows and changes since; whatever a store has left from before counts as enough. */
  #pendingRows = pendingRowsMax
  #ordersListed: number
  #hasIndexes = true

  constructor(database: Database.Database) {
    this.#database = database
    this.#listAgain = database.prepare(listAgain)
    this.#packed = packedTables.map((table) => new IdLister(database, table))
    this.#tables = listedTables.map((table) => {
      const { name, lists } = table
      const key = keyOf(table)
      return {
        name,
        last: database.prepare(`select last from listed where name = '${name}'`),
        next: database.prepare(
          `select max(id) as id, count(*) as rows from (select ${key} as id from ${name} ` +
            `where ${key} > ? order by ${key} limit ${chunkRows})`,
        ),
        inserts: Object.keys(lists!).map((list) =>
          database.prepare(insertInto(table, list, `${key} > ? and ${key} <= ?`)),
        ),
        progress: database.prepare(`update listed set last = ? where name = '${name}'`),
      }
    })
    this.#ordersListed = this.#lastOf(this.#tables[0]!)
  }

  /** Whether a change of this order has to be noted. */
  hasOrder(orderId: number): boolean {
    return orderId <= this.#ordersListed
  }

  /** An order whose end was lost works again. */
  listAgain(orderId: number): void {
    if (this.hasOrder(orderId)) this.#listAgain.run(orderId, orderId)
  }

  /** Rows were written, or changes noted. */
  addPending(rows: number): void {
    this.#pendingRows += rows
  }

  get isDue(): boolean {
    return this.#pendingRows >= pendingRowsMax
  }

  /** Takes up a chunk of each table; it stays due while there is more. */
  takeUp(): void {
    let isWhole = true
    for (const table of this.#tables) {
      const last = this.#lastOf(table)
      const next = table.next.get(last) as { readonly id: number | null; readonly rows: number }
      if (next.id === null) continue
      for (const insert of table.inserts) insert.run(last, next.id)
      table.progress.run(next.id)
      if (next.rows === chunkRows) isWhole = false
    }
    for (const lister of this.#packed) isWhole = lister.takeUp() && isWhole
    this.#database.exec(takeUpChanges)
    this.#ordersListed = this.#lastOf(this.#tables[0]!)
    if (!isWhole) return
    this.#pendingRows = 0
    if (this.#hasIndexes) this.#dropIndexes()
  }

  /** The lists have everything that these have. */
  #dropIndexes(): void {
    for (const index of indexesBefore) this.#database.exec(`drop index if exists ${index}`)
    this.#hasIndexes = false
  }

  #lastOf({ last }: { readonly last: Database.Statement }): number {
    return (last.get() as { readonly last: number }).last
  }
}
