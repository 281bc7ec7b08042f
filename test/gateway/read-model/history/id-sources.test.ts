import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { HistoryQueries } from '../../../../gateway/read-model/history/history-query.js'
import {
  type HistoryDatabase,
  openHistory,
} from '../../../../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { listMistakes } from '../../../../gateway/read-model/history/list-check.js'
import { readTradeSeed } from '../../../../gateway/read-model/history/trade-seed.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { InstrumentState, OrderStatus } from '../../../../schemas/domain.js'
import { InstrumentChange } from '../../../../schemas/record-values.js'
import { isLongRun } from '../../../support/long-test.js'

const start = Date.UTC(2026, 5, 1)
const expiry = Date.UTC(2026, 8, 25, 8)
const symbols = ['BTC-20260925-110000-C', 'BTC-20260925-90000-P', 'ETH-20260925-4000-C']
const wallets = [1, 2, 3].map(walletOf)
const statuses = [OrderStatus.Open, OrderStatus.Filled, OrderStatus.Canceled]
/** Wallets whose rows the lists absorb when the run ends. */
const ordersPerRun = 7000

/** A store whose lists have some of its rows; other rows and some changes are pending. */
class ListedStore {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  #seq = 0
  #orders = 0
  #trades = 0

  /** One run of the exchange. @param ends true: it ends gracefully; false: as after a crash. */
  run(orders: number, ends: boolean): void {
    const memory = smallMemory(1, 1 << 25)
    const script = new EventScript(memory, start + this.#orders)
    script.seq = this.#seq
    const writer = new HistoryWriter(memory, this.dataDir, engineConfigDefault, () => 0)
    writer.onStart()
    if (this.#orders === 0) this.#list(script)
    const first = this.#orders
    // Orders that still work from an earlier run.
    for (let i = 10; i < first; i += 20) this.#update(script, i, OrderStatus.Filled)
    for (let i = 15; i < first; i += 20) this.#update(script, i, OrderStatus.PartiallyFilled)
    for (let i = 0; i < orders; i++) this.#order(script, first + i)
    // Orders that worked when their run was built are filled later.
    for (let i = first; i < first + orders; i += 20) this.#update(script, i, OrderStatus.Filled)
    this.#orders += orders
    script.commit()
    while (writer.doWork() > 0);
    for (let i = 5; i < this.#orders; i += 20) this.#update(script, i, OrderStatus.Canceled)
    script.commit()
    while (writer.doWork() > 0);
    this.#seq = script.seq
    if (ends) writer.onClose()
    else writer.abandon()
  }

  use<T>(work: (database: HistoryDatabase, queries: HistoryQueries) => T): T {
    const database = openHistory(this.dataDir)
    const queries = new HistoryQueries(this.dataDir)
    try {
      return work(database, queries)
    } finally {
      queries.close()
      database.close()
    }
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true })
  }

  #list(script: EventScript): void {
    for (const [id, symbol] of symbols.entries()) {
      const state = InstrumentState.Active
      script.instrument(id, symbol, id >> 1, expiry, InstrumentChange.Created, state)
    }
  }

  #order(script: EventScript, number: number): void {
    const [wallet, other] = [wallets[number % 3]!, wallets[(number + 1) % 3]!]
    this.#update(script, number, statuses[number % 5 === 0 ? 0 : 1 + (number % 2)]!)
    if (number % 2 === 1) return
    this.#trades++
    const facts = { tradeId: this.#trades, orderId: (number + 1) * underlyingsMax }
    const instrument = (number % 7) % 3
    script.trade(this.#trades, instrument, other, wallet)
    for (const [side, owner] of [other, wallet].entries()) {
      const fillId = 2 * this.#trades + side
      script.fill({ ...facts, fillId, wallet: owner, account: 0, instrument })
    }
  }

  #update(script: EventScript, number: number, status: OrderStatus): void {
    const clientId = number % 4 === 0 ? `c${number % 100}` : ''
    const orderId = (number + 1) * underlyingsMax
    const wallet = wallets[number % 3]!
    script.order({ orderId, wallet, account: 0, instrument: number % 3, status, clientId })
  }
}

interface Search {
  readonly path: string
  readonly id: string
  /** Ids by SQL without lists, newest first. */
  readonly sql: string
}

const working = `in (${OrderStatus.Acked}, ${OrderStatus.Open}, ${OrderStatus.PartiallyFilled})`
const conditions = [
  ['open', working],
  ['acked', `= ${OrderStatus.Acked}`],
  ['partially_filled', `= ${OrderStatus.PartiallyFilled}`],
  ['filled', `= ${OrderStatus.Filled}`],
  ['canceled', `= ${OrderStatus.Canceled}`],
  ['rejected', `= ${OrderStatus.Rejected}`],
] as const

function ordersOf(wallet: string): Search[] {
  const of = `select order_id as id from orders where wallet = '${wallet}'`
  const order = 'order by id desc'
  return [
    { path: `/orders?wallet=${wallet}`, id: 'order_id', sql: `${of} ${order}` },
    ...conditions.map(([name, condition]) => ({
      path: `/orders?wallet=${wallet}&status=${name}`,
      id: 'order_id',
      sql: `${of} and status ${condition} ${order}`,
    })),
  ]
}

function tradesOf(query: string, condition: string): Search {
  const sql = `select trade_id as id from trades where ${condition} order by 1 desc`
  return { path: `/trades?${query}`, id: 'trade_id', sql }
}

const [call, put] = symbols
const ofAlice = `(maker = '${wallets[0]}' or taker = '${wallets[0]}')`
const searches: readonly Search[] = [
  ...wallets.flatMap(ordersOf),
  ...wallets.map((wallet) => ({
    path: `/fills?wallet=${wallet}`,
    id: 'fill_id',
    sql: `select fill_id as id from fills where wallet = '${wallet}' order by 1 desc`,
  })),
  tradesOf('', 'true'),
  tradesOf(`option_id=${call}`, 'instrument = 0'),
  tradesOf('underlying=BTC', 'underlying_index = 0'),
  tradesOf(`underlying=BTC&option_id=${put}`, 'instrument = 1'),
  tradesOf(`underlying=ETH&option_id=${put}`, 'false'),
  tradesOf('option_id=BTC-20260925-1-C', 'false'),
  tradesOf(`account=${wallets[0]}`, ofAlice),
  tradesOf(`account=${wallets[0]}&option_id=${put}`, `${ofAlice} and instrument = 1`),
  tradesOf(`account=${wallets[0]}&underlying=ETH`, `${ofAlice} and underlying_index = 1`),
]

type Ids = { readonly id: number }[]

/** Pages of each search, also the last one. */
function comparePages(database: HistoryDatabase, queries: HistoryQueries): void {
  for (const { path, id, sql } of searches) {
    const wanted = (database.prepare(sql).all() as Ids).map((row) => row.id)
    for (const offset of [0, 7, Math.max(0, wanted.length - 3), wanted.length]) {
      const [route, query] = path.split('?') as [string, string]
      const page = `limit=20&offset=${offset}`
      const { body } = queries.answer({
        path: route,
        query: query === '' ? page : `${query}&${page}`,
      })
      const shown = JSON.parse(body).data.map((row: Record<string, number>) => row[id])
      assert.deepEqual(shown, wanted.slice(offset, offset + 20), `${path} from ${offset} on`)
    }
  }
}

/** Findings of the store's check. */
function mistakesOf(database: HistoryDatabase): unknown[] {
  return [...listMistakes(database)].filter(Boolean)
}

function listedOf(database: HistoryDatabase, table: string): number {
  const row = database
    .prepare('select max(last_id) as last from list_runs where table_name = ?')
    .get(table)
  return (row as { readonly last: number }).last
}

test('pages by wallet, status and instrument equal a plain search, however many rows are listed', () => {
  const store = new ListedStore()
  try {
    for (const ends of isLongRun ? [false, true, false] : [true, false]) {
      store.run(ordersPerRun, ends)
      store.use((database, queries) => {
        assert.deepEqual(mistakesOf(database), [])
        comparePages(database, queries)
      })
    }
  } finally {
    store.remove()
  }
})

test('the latest order of a client id is found, listed or not', () => {
  const store = new ListedStore()
  try {
    for (const orders of [ordersPerRun, 50]) {
      store.run(orders, false)
      store.use((database, queries) => {
        for (const wallet of wallets) {
          const sql = 'select max(order_id) as id from orders where wallet = ? and client_id = ?'
          const [{ id }] = database.prepare(sql).all(wallet, 'c8') as Ids as [{ id: number }]
          const query = `wallet=${wallet}&order_id=c8`
          const { body } = queries.answer({ path: '/orders/status', query })
          assert.equal(JSON.parse(body).data.order_id, id)
        }
      })
    }
  } finally {
    store.remove()
  }
})

test('the last price of each instrument is found, with its trade listed or not', () => {
  const store = new ListedStore()
  try {
    for (const ends of [false, true]) {
      store.run(ordersPerRun / 2, ends)
      const { lasts, hours } = readTradeSeed(store.dataDir, start)
      assert.deepEqual(lasts.map(({ instrument }) => instrument).sort(), [0, 1, 2])
      const lots = hours.reduce((sum, { volumeLots }) => sum + volumeLots, 0)
      store.use((database) => {
        const row = database.prepare('select sum(size_lots) as lots from trades').get()
        assert.equal(lots, (row as { lots: number }).lots)
      })
    }
  } finally {
    store.remove()
  }
})

test('the check finds a list that differs from its table', () => {
  const first = (list: string) => `(run, wallet) in (select run, wallet from ${list} limit 1)`
  const changes = [
    `update fill_ids set wallet = wallet || '1' where ${first('fill_ids')}`,
    'delete from fill_ids where run = 1 and fill_id = (select min(fill_id) from fill_ids)',
    'update fill_ids set fill_id = fill_id + 1000000 where fill_id = (select max(fill_id) from fill_ids)',
    'update fill_ids set place = place + 1 where run = 1 and place > 7',
    'insert into fill_ids select 99, wallet, underlying_index, instrument, fill_id, place from fill_ids limit 1',
    'delete from fills where fill_id = (select min(fill_id) from fills)',
    'delete from order_ids where order_id = (select max(order_id) from order_ids)',
    `update order_ids set status = 9 where ${first('order_ids')}`,
    `update order_client_ids set client_id = 'none' where ${first('order_client_ids')}`,
  ]
  const store = new ListedStore()
  try {
    for (const orders of [ordersPerRun, 20]) store.run(orders, true)
    store.use((database) => {
      assert.ok(listedOf(database, 'fills') > 0)
      for (const change of changes) {
        database.exec(`begin; ${change}`)
        assert.equal(mistakesOf(database).length, 1, change)
        database.exec('rollback')
      }
    })
  } finally {
    store.remove()
  }
})
