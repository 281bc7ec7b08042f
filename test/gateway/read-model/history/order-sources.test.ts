import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, type TestContext, test } from 'node:test'
import Database from 'libsql'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { HistoryQueries } from '../../../../gateway/read-model/history/history-query.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { orders } from '../../../../gateway/read-model/history/history-tables.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { listMistakes } from '../../../../gateway/read-model/history/list-check.js'
import { selecting } from '../../../../gateway/read-model/history/stored-rows.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { OrderStatus } from '../../../../schemas/domain.js'
import { storedRows } from '../../../support/stored-rows.js'

const { Acked, Open, PartiallyFilled, Filled, Canceled } = OrderStatus
const start = Date.UTC(2026, 5, 1)
const wallet = walletOf(1)

type Updates = readonly (readonly [number: number, status: OrderStatus, clientId?: string])[]

/** A store of one wallet's orders. */
class OrderStore {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'open-orders-'))
  seq = 0

  /**
   * One run of the exchange.
   * @param steps events of one transaction each.
   * @param ends true: it ends gracefully, and the lists absorb everything; false: as after a crash.
   */
  run(steps: readonly ((script: EventScript) => void)[], ends = true): void {
    const memory = smallMemory()
    const script = new EventScript(memory, start + this.seq)
    script.seq = this.seq
    const writer = new HistoryWriter(memory, this.dataDir, engineConfigDefault, () => 0)
    try {
      writer.onStart()
      // An opened store first absorbs what is due.
      while (writer.doWork() > 0);
      for (const step of steps) {
        step(script)
        script.commit()
        while (writer.doWork() > 0);
      }
      this.seq = script.seq
      if (ends) writer.onClose()
    } finally {
      if (!ends) writer.abandon()
    }
  }

  /** Numbers of the unlisted orders in the range of the runs. */
  get unlisted(): number[] {
    return this.#use((database) => {
      assert.deepEqual([...listMistakes(database)].filter(Boolean), [])
      const sql = `select order_id / ${underlyingsMax} as n from orders where is_unlisted = 1 order by 1`
      return selecting(database)<{ n: number }>(sql, []).map(({ n }) => n)
    })
  }

  get rows() {
    return this.#use((database) => storedRows(database, orders))
  }

  /** Numbers of orders that a query returns. */
  shown(query = ''): number[] {
    const rows = this.#ask('/orders', query) as { readonly order_id: number }[]
    return rows.map((row) => row.order_id / underlyingsMax)
  }

  byClientId(clientId: string): number | null {
    const found = this.#ask('/orders/status', `&order_id=${clientId}`)
    return found === null ? null : found.order_id / underlyingsMax
  }

  #ask(path: string, query: string) {
    const queries = new HistoryQueries(this.dataDir)
    try {
      return JSON.parse(queries.answer({ path, query: `wallet=${wallet}${query}` }).body).data
    } finally {
      queries.close()
    }
  }

  #use<T>(work: (database: Database.Database) => T): T {
    const database = openHistory(this.dataDir)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
}

function openStore(context: TestContext): OrderStore {
  const store = new OrderStore()
  context.after(() => rmSync(store.dataDir, { recursive: true }))
  return store
}

function tell(updates: Updates) {
  return (script: EventScript) => {
    for (const [number, status, clientId = `c${number}`] of updates) {
      const order = { orderId: number * underlyingsMax, wallet, account: 0, instrument: 0 }
      script.order({ ...order, status, clientId })
    }
  }
}

/** Working orders as a start publishes them. */
function emitWorking(updates: Updates) {
  return (script: EventScript) => {
    script.bootstrapBegin()
    tell(updates)(script)
    script.bootstrapEnd()
  }
}

/** The wallet's orders by status. */
function byStatus(store: OrderStore) {
  return {
    open: store.shown('&status=open'),
    filled: store.shown('&status=filled'),
    canceled: store.shown('&status=canceled'),
  }
}

function listed(script: EventScript): void {
  script.instrument(0, 'BTC-20260925-110000-C', 0, start + 1e10)
}

test('the lists contain an ended order once they absorb it', (context) => {
  const store = openStore(context)
  const inOne: Updates = [
    [1, Acked],
    [1, Open],
    [1, Filled],
    [2, Acked],
  ]
  store.run([listed, tell(inOne), tell([[2, Canceled]])])
  assert.deepEqual(store.unlisted, [])
  assert.deepEqual(byStatus(store), { open: [], filled: [1], canceled: [2] })
  assert.deepEqual(store.shown(), [2, 1])
})

test('an order that still works then stays unlisted, and is found after each change', (context) => {
  const store = openStore(context)
  store.run([
    listed,
    tell([
      [1, Open],
      [2, Open],
      [3, Filled],
      [4, Acked],
    ]),
  ])
  assert.deepEqual(store.unlisted, [1, 2, 4])
  store.run(
    [
      tell([[1, PartiallyFilled]]),
      tell([
        [1, Filled],
        [4, PartiallyFilled],
      ]),
    ],
    false,
  )
  assert.deepEqual(store.unlisted, [1, 2, 4])
  assert.deepEqual(byStatus(store), { open: [4, 2], filled: [3, 1], canceled: [] })
  assert.deepEqual(store.shown('&status=partially_filled'), [4])
  assert.deepEqual(store.shown(), [4, 3, 2, 1])
  store.run([])
  assert.deepEqual(store.unlisted, [1, 2, 4])
  assert.deepEqual(byStatus(store), { open: [4, 2], filled: [3, 1], canceled: [] })
  assert.deepEqual(store.shown('&status=partially_filled'), [4])
  assert.deepEqual(store.shown('&limit=2&offset=1'), [3, 2])
})

test('an order whose end was lost works again, listed or not', (context) => {
  const store = openStore(context)
  store.run([
    listed,
    tell([
      [1, Filled],
      [2, Open],
      [3, Open],
      [4, Filled],
    ]),
  ])
  store.run([tell([[2, Canceled]])])
  store.run(
    [
      tell([
        [3, Canceled],
        [5, Filled],
      ]),
    ],
    false,
  )
  assert.deepEqual(store.unlisted, [2, 3])
  store.run(
    [
      emitWorking([
        [1, Open],
        [2, Open],
        [3, Open],
        [5, Acked],
      ]),
    ],
    false,
  )
  assert.deepEqual(byStatus(store), { open: [5, 3, 2, 1], filled: [4], canceled: [] })
  assert.deepEqual(store.shown(), [5, 4, 3, 2, 1])
  store.run([
    tell([
      [1, Canceled],
      [5, Filled],
    ]),
  ])
  assert.deepEqual(store.unlisted, [2, 3])
  assert.deepEqual(byStatus(store), { open: [3, 2], filled: [5, 4], canceled: [1] })
})

test('a start that publishes working orders unchanged changes no row', (context) => {
  const store = openStore(context)
  store.run([
    listed,
    tell([
      [1, Open],
      [2, Filled],
    ]),
  ])
  const { rows } = store
  store.run([emitWorking([[1, Open]])])
  assert.deepEqual(store.rows, rows)
  assert.deepEqual(store.unlisted, [1])
})

test('an order that is published after orders with higher numbers is found like them', (context) => {
  const store = openStore(context)
  store.run([
    listed,
    tell([
      [1, Open],
      [9, Filled],
    ]),
  ])
  store.run(
    [
      tell([
        [5, Filled],
        [6, Acked],
      ]),
    ],
    false,
  )
  assert.deepEqual(store.shown(), [9, 6, 5, 1])
  assert.deepEqual(byStatus(store), { open: [6, 1], filled: [9, 5], canceled: [] })
  assert.deepEqual(
    ['c1', 'c5', 'c6', 'c9', 'c7'].map((id) => store.byClientId(id)),
    [1, 5, 6, 9, null],
  )
  store.run([tell([[6, Canceled]])])
  assert.deepEqual(store.unlisted, [1, 5, 6])
})

test('an update that is published again after a crash changes nothing', (context) => {
  const store = openStore(context)
  store.run([
    listed,
    tell([
      [1, Open],
      [2, Filled],
    ]),
  ])
  const { rows } = store
  store.seq--
  store.run([tell([[2, Filled]])])
  assert.deepEqual(
    store.rows.map(({ orderId, status }) => [orderId, status]),
    rows.map(({ orderId, status }) => [orderId, status]),
  )
  assert.deepEqual(store.unlisted, [1])
  assert.deepEqual(store.shown(), [2, 1])
})

test('a transaction cut by a crash leaves the store unchanged, and its events arrive again', (context) => {
  const store = openStore(context)
  store.run([
    listed,
    tell([
      [1, Open],
      [2, Open],
    ]),
  ])
  const { rows, seq } = store
  const { exec } = Database.prototype
  const spy = mock.method(
    Database.prototype,
    'exec',
    function (this: Database.Database, sql: string) {
      if (sql === 'commit') throw new Error('no space left')
      return exec.call(this, sql)
    },
  )
  const steps = [
    tell([
      [1, Filled],
      [3, Open],
    ]),
  ]
  assert.throws(() => store.run(steps, false), /no space left/)
  spy.mock.restore()
  assert.deepEqual(store.rows, rows)
  assert.deepEqual(store.unlisted, [1, 2])
  store.seq = seq
  store.run(steps)
  assert.deepEqual(store.unlisted, [1, 2, 3])
  assert.deepEqual(byStatus(store), { open: [3, 2], filled: [1], canceled: [] })
})

test('the latest of many orders with one client id is found, listed or not', (context) => {
  const store = openStore(context)
  const orders = (first: number, count: number, clientId: string) =>
    Array.from({ length: count }, (_, i) => [first + i, Filled, clientId] as const)
  const latest = (...ids: readonly string[]) => ids.map((id) => store.byClientId(id))
  store.run([listed, tell([...orders(1, 50, 'a'), ...orders(52, 10, 'b')])], false)
  assert.deepEqual(latest('a', 'b', 'c'), [50, 61, null])
  store.run([])
  assert.deepEqual(latest('a', 'b', 'c'), [50, 61, null])
  assert.deepEqual(store.unlisted, [])
  store.run([tell([[62, Open, 'a']])], false)
  assert.deepEqual(latest('a', 'b'), [62, 61])
  store.run([])
  store.run([
    tell([
      [51, Filled, 'd'],
      [63, Filled, ''],
    ]),
  ])
  assert.deepEqual(latest('a', 'b', 'd'), [62, 61, 51])
  assert.deepEqual(store.shown('&limit=3'), [63, 62, 61])
})
