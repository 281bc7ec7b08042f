import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import Database from 'libsql'
import { listMistakes } from '../../../../gateway/read-model/history/history-lists.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { fills, orders, trades } from '../../../../gateway/read-model/history/history-tables.js'
import { pageOfIds } from '../../../../gateway/read-model/history/id-pages.js'
import {
  latestByClientId,
  orderSources,
} from '../../../../gateway/read-model/history/order-sources.js'
import { selecting } from '../../../../gateway/read-model/history/row-blocks.js'
import type { Row } from '../../../../gateway/read-model/history/table.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { OrderStatus, Side } from '../../../../schemas/domain.js'
import { walletOf } from '../../../support/events.js'
import { asOrderRows, asRowTables, putRows, storedRows } from '../../../support/packed-rows.js'

const [maker, taker] = [walletOf(1), walletOf(2)]
/** More than are read at once. */
const count = 9000

/** A store of before blocks, and what stood in it. */
function oldStore(use: (folder: string, rows: readonly [unknown[], unknown[]]) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'old-tables-'))
  try {
    const database = openHistory(folder)
    const numbers = Array.from({ length: count }, (_, i) => i + 1)
    putRows(
      database,
      trades,
      numbers.map((tradeId) => ({
        tradeId,
        instrument: tradeId % 9,
        maker,
        taker,
        millis: tradeId,
      })),
    )
    putRows(
      database,
      fills,
      numbers.map((tradeId) => ({
        ...{ fillId: 2 * tradeId, tradeId, wallet: maker, side: Side.Sell, costMicros: -tradeId },
        ...(tradeId % 5 === 0 ? { builder: taker, rfqId: 'r', quoteId: 'q' } : {}),
      })),
    )
    const rows = [storedRows(database, fills), storedRows(database, trades)] as const
    asRowTables(database)
    database.close()
    use(folder, [[...rows[0]], [...rows[1]]])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a store of before blocks has every row in them, once it was opened', () => {
  oldStore((folder, [filled, traded]) => {
    for (let start = 0; start < 2; start++) {
      const database = openHistory(folder)
      assert.deepEqual(storedRows(database, fills), filled)
      assert.deepEqual(storedRows(database, trades), traded)
      const old =
        "select name from sqlite_schema where name in ('fills', 'trades', 'fills_by_wallet')"
      assert.deepEqual(database.prepare(old).all(), [])
      database.close()
    }
  })
})

test('a start that fails on the way leaves the store as it was, for the next one', () => {
  oldStore((folder, [filled]) => {
    const { exec } = Database.prototype
    const spy = mock.method(
      Database.prototype,
      'exec',
      function (this: Database.Database, sql: string) {
        if (sql === 'drop table trades') throw new Error('no space left')
        return exec.call(this, sql)
      },
    )
    assert.throws(() => openHistory(folder), /no space left/)
    spy.mock.restore()
    const database = openHistory(folder)
    assert.deepEqual(storedRows(database, fills), filled)
    database.close()
  })
})

/** A store of before orders stood in blocks, every ninth of which works, and what stood in it. */
function oldOrders(use: (folder: string, rows: readonly Row<typeof orders>[]) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'old-tables-'))
  try {
    const database = openHistory(folder)
    const numbers = Array.from({ length: count }, (_, i) => i + 1)
    const rows = numbers.map((number) => ({
      ...{ orderId: number * underlyingsMax, wallet: number % 2 === 0 ? maker : taker },
      status: number % 9 === 0 ? OrderStatus.Open : OrderStatus.Filled,
      clientId: number % 3 === 0 ? `c${number % 100}` : '',
      ...(number % 5 === 0 ? { builder: taker } : {}),
    }))
    putRows(database, orders, rows)
    putRows(database, fills, [{ fillId: 2, wallet: maker }])
    const stored = storedRows(database, orders)
    asOrderRows(database)
    database.close()
    use(folder, stored)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a store of before orders stood in blocks has every one in them and in lists, once it was opened', () => {
  oldOrders((folder, stored) => {
    for (let start = 0; start < 2; start++) {
      const database = openHistory(folder)
      assert.deepEqual(storedRows(database, orders), stored)
      assert.equal(storedRows(database, fills).length, 1)
      assert.deepEqual([...listMistakes(database)].filter(Boolean), [])
      const sql =
        "select name from sqlite_schema where name like 'orders%' or name = 'order_changes'"
      assert.deepEqual(database.prepare(sql).all(), [])
      const select = selecting(database)
      const idsOf = (status: number) => {
        const sources = orderSources(select, maker, [status])
        return pageOfIds(sources, { limit: 50, offset: 100 }, { fromId: 0, toId: 1e12 })
      }
      for (const status of [OrderStatus.Open, OrderStatus.Filled]) {
        const theirs = stored.filter((row) => row.wallet === maker && row.status === status)
        const wanted = theirs.map(({ orderId }) => orderId).reverse()
        assert.deepEqual(idsOf(status), wanted.slice(100, 150))
      }
      const latest = stored.findLast((row) => row.wallet === maker && row.clientId === 'c42')!
      assert.deepEqual(latestByClientId(select, maker, 'c42'), latest)
      database.close()
    }
  })
})

test('how far a store is brought to this release is said every few seconds', () => {
  for (const [stepMillis, wanted] of [
    [4999, []],
    [5000, ['orders are packed, 91 % done']],
  ] as const) {
    oldOrders((folder) => {
      const notes: string[] = []
      let nowMillis = 0
      const clock = mock.method(performance, 'now', () => {
        nowMillis += stepMillis
        return nowMillis
      })
      openHistory(folder, (text) => notes.push(text)).close()
      clock.mock.restore()
      const texts = wanted.map((what) => `the store is brought to this release: ${what}`)
      assert.deepEqual(notes, texts)
    })
  }
})

test('a fill that did not say what it changed of the cost says so afterwards', () => {
  oldStore((folder) => {
    const before = new Database(join(folder, 'history.db'))
    before.exec(
      'update fills set cost_micros = null, price_micros = 5000000, size_lots = 1000000, ' +
        'realized_micros = 7 where fill_id = 2',
    )
    before.close()
    const database = openHistory(folder)
    const [first] = storedRows(database, fills)
    assert.ok(first!.costMicros! < 0)
    assert.equal(first!.costMicros! % 10, 7 - 10)
    database.close()
  })
})
