import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { readHistoryEnd } from '../../../../gateway/read-model/history/history-end.js'
import { HistoryQueries } from '../../../../gateway/read-model/history/history-query.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { listMistakes } from '../../../../gateway/read-model/history/list-check.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { OrderStatus } from '../../../../schemas/domain.js'

const start = Date.UTC(2026, 5, 1)
const dayMillis = 86_400_000
const [maker, taker] = [walletOf(1), walletOf(2)]
/** More than go in one transaction. */
const ordersPerDay = 3000

/** Store that the exchange fills for some days, in one run per day. */
class DailyStore {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'history-'))
  #seq = 0
  #orders = 0
  #days = 0

  /**
   * Writes the events of one day. One order in a hundred still works when the day ends.
   * @param ends true for a graceful end, at which the lists absorb their pending rows.
   * @param turns number of turns of the writer; with fewer than it needs, the day ends like a crash.
   */
  day(keepDays: number, orders = ordersPerDay, ends = true, turns = 1e9): void {
    const memory = smallMemory(1, 1 << 25)
    const script = new EventScript(memory, start + dayMillis * this.#days++)
    script.seq = this.#seq
    const { dataDir } = this
    const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0, keepDays)
    writer.onStart()
    if (this.#orders === 0)
      script.instrument(0, 'BTC-20260925-110000-C', 0, start + 200 * dayMillis)
    for (let i = 0; i < orders; i++) this.#order(script, ++this.#orders)
    script.remarked(0)
    script.commit()
    for (let turn = 0; turn < turns && writer.doWork() > 0; turn++);
    this.#seq = script.seq
    if (ends) writer.onClose()
    else writer.abandon()
  }

  /** An order that worked goes, so many days after it came. */
  cancel(number: number): void {
    const memory = smallMemory()
    const script = new EventScript(memory, start + dayMillis * this.#days)
    script.seq = this.#seq
    const writer = new HistoryWriter(memory, this.dataDir, engineConfigDefault, () => 0, 0)
    this.#update(script, number, OrderStatus.Canceled)
    script.commit()
    writer.doWork()
    this.#seq = script.seq
    writer.onClose()
  }

  /** Numbers of the wallet's orders, as a query shows them. */
  shown(query: string): number[] {
    const queries = new HistoryQueries(this.dataDir)
    try {
      const { body } = queries.answer({ path: '/orders', query: `wallet=${maker}${query}` })
      const rows = JSON.parse(body).data as { order_id: number }[]
      return rows.map((row) => row.order_id / underlyingsMax)
    } finally {
      queries.close()
    }
  }

  /** Number of the latest order of the client id that all have. */
  latest(): number {
    const queries = new HistoryQueries(this.dataDir)
    try {
      const query = `wallet=${maker}&order_id=c`
      const { body } = queries.answer({ path: '/orders/status', query })
      return JSON.parse(body).data.order_id / underlyingsMax
    } finally {
      queries.close()
    }
  }

  /** Numbers of rows by a column of the store. */
  numbers(sql: string): number[] {
    const database = openHistory(this.dataDir)
    try {
      assert.deepEqual([...listMistakes(database)].filter(Boolean), [])
      return (database.prepare(sql).all() as { n: number }[]).map(({ n }) => n)
    } finally {
      database.close()
    }
  }

  /** Ids of one page of the wallet's fills. */
  fillPage(queries: HistoryQueries, offset: number): number[] {
    const query = `wallet=${maker}&limit=100&offset=${offset}`
    const { body } = queries.answer({ path: '/fills', query })
    return JSON.parse(body).data.map(({ fill_id }: { fill_id: number }) => fill_id)
  }

  remove(): void {
    rmSync(this.dataDir, { recursive: true })
  }

  #order(script: EventScript, number: number): void {
    this.#update(script, number, number % 100 === 0 ? OrderStatus.Open : OrderStatus.Filled)
    if (number % 10 !== 0) return
    const tradeId = number / 10
    script.trade(tradeId, 0, maker, taker)
    const facts = { tradeId, orderId: number * underlyingsMax, account: 0, instrument: 0 }
    script.fill({ ...facts, fillId: 2 * tradeId, wallet: maker })
    script.fill({ ...facts, fillId: 2 * tradeId + 1, wallet: taker })
  }

  #update(script: EventScript, number: number, status: OrderStatus): void {
    const orderId = number * underlyingsMax
    script.order({ orderId, wallet: maker, account: 0, instrument: 0, status, clientId: 'c' })
  }
}

function withStore(use: (store: DailyStore) => void): void {
  const store = new DailyStore()
  try {
    use(store)
  } finally {
    store.remove()
  }
}

const orderNumbers = `select order_id / ${underlyingsMax} as n from orders`
const counts = [
  'select count(*) as n from orders',
  'select count(*) as n from fills',
  'select count(*) as n from trades',
]

test('finished orders, fills and trades older than the stored days are removed, and working orders stay', () => {
  withStore((store) => {
    for (let day = 0; day < 4; day++) store.day(2)
    const perDay = ordersPerDay
    const working = perDay / 100
    const [orders] = store.numbers(counts[0]!)
    assert.equal(orders, 3 * perDay + working)
    assert.deepEqual(store.numbers(counts[1]!), [(3 * perDay * 2) / 10])
    assert.deepEqual(store.numbers(counts[2]!), [(3 * perDay) / 10])
    const oldest = store.numbers(`${orderNumbers} order by 1 limit 2`)
    assert.deepEqual(oldest, [100, 200])
  })
})

test('an order that worked longer than the stored days is removed that time after its end', () => {
  withStore((store) => {
    store.day(0, 300)
    store.day(0, 300)
    store.cancel(200)
    const first = `${orderNumbers} where status = ${OrderStatus.Canceled} or order_id < 300000`
    for (let day = 0; day < 2; day++) store.day(2, 300)
    assert.deepEqual(store.numbers(`${first} order by 1`), [100, 200])
    assert.deepEqual(store.shown('&status=canceled'), [200])
    for (let day = 0; day < 2; day++) store.day(2, 300)
    assert.deepEqual(store.numbers(`${first} order by 1`), [100])
    assert.deepEqual(store.shown('&status=canceled'), [])
    assert.equal(store.shown('&status=open').at(-1), 100)
  })
})

test('unlisted orders are removed in the same way', () => {
  withStore((store) => {
    for (let day = 0; day < 4; day++) store.day(2, 300, false)
    assert.deepEqual(store.numbers(counts[0]!), [3 * 300 + 3])
    assert.deepEqual(store.shown('&status=open').slice(-3), [300, 200, 100])
  })
})

test('an old order that ended recently stays, although it had ended when lists absorbed it', () => {
  withStore((store) => {
    store.day(0, 300, false)
    for (let day = 0; day < 4; day++) store.day(0, 0, false)
    store.cancel(200)
    for (let day = 0; day < 2; day++) store.day(2, 0)
    assert.deepEqual(store.numbers(orderNumbers), [100, 200, 300])
    assert.deepEqual(store.shown(''), [300, 200, 100])
    assert.deepEqual(store.shown('&status=canceled'), [200])
    assert.equal(store.latest(), 300)
    store.cancel(300)
    assert.equal(store.latest(), 300)
    for (let day = 0; day < 4; day++) store.day(2, 0)
    assert.deepEqual(store.shown(''), [300, 100])
  })
})

test('without a number of days everything stays, and the newest row stays in any case', () => {
  withStore((store) => {
    for (let day = 0; day < 3; day++) store.day(0, 300)
    assert.deepEqual(
      counts.flatMap((sql) => store.numbers(sql)),
      [900, 180, 90],
    )
    const { tradeCount, orderCount } = readHistoryEnd(store.dataDir)
    for (let day = 0; day < 9; day++) store.day(1, 0)
    assert.deepEqual(store.numbers('select trade_id as n from trades'), [90])
    const end = readHistoryEnd(store.dataDir)
    assert.deepEqual([end.tradeCount, end.orderCount], [tradeCount, orderCount])
  })
})

test('a crash during the removal leaves lists and tables in agreement, and the rest is removed later', () => {
  withStore((store) => {
    for (let day = 0; day < 3; day++) store.day(0)
    for (let turns = 1; turns <= 4; turns++) {
      store.day(1, 0, false, turns)
      // Every page is there, whatever was removed.
      const { length } = store.numbers('select fill_id as n from fills where fill_id % 2 = 0')
      const queries = new HistoryQueries(store.dataDir)
      const pages = Array.from({ length: 10 }, (_, i) => store.fillPage(queries, 100 * i)).flat()
      queries.close()
      assert.equal(pages.length, length)
    }
    store.day(1, 0)
    assert.deepEqual(store.numbers(counts[2]!), [1])
    // The newest run stays, so that its number is not used again.
    assert.deepEqual(store.numbers('select distinct run as n from order_ids'), [3])
  })
})

test('a store that removes rows daily equals one that is filled at once', () => {
  withStore((daily) => {
    withStore((filled) => {
      for (let day = 0; day < 5; day++) {
        daily.day(2, 300)
        filled.day(day < 4 ? 0 : 2, 300, day === 4)
      }
      for (const sql of [orderNumbers, 'select fill_id as n from fills']) {
        assert.deepEqual(filled.numbers(`${sql} order by 1`), daily.numbers(`${sql} order by 1`))
      }
    })
  })
})

test('pages of a reader follow each other while old rows are removed', () => {
  withStore((store) => {
    for (let day = 0; day < 4; day++) store.day(0, 1500)
    const queries = new HistoryQueries(store.dataDir)
    const pages = [store.fillPage(queries, 0)]
    store.day(2, 0)
    for (let offset = 100; offset < 600; offset += 100) pages.push(store.fillPage(queries, offset))
    queries.close()
    const kept = store.numbers(
      'select fill_id as n from fills where fill_id % 2 = 0 order by 1 desc',
    )
    assert.ok(kept.length < 600)
    assert.deepEqual(pages.flat(), kept)
  })
})
