import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import { walletOf } from '../../../../bench/event-script.js'
import { orders, trades } from '../../../../gateway/read-model/history/history-tables.js'
import {
  firstIdSince,
  highestId,
  lowestId,
  rowsOfIds,
  selecting,
} from '../../../../gateway/read-model/history/stored-rows.js'
import { createSql } from '../../../../gateway/read-model/history/table.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { putRows, storedRows } from '../../../support/stored-rows.js'

const [maker, taker] = [walletOf(1), walletOf(2)]
const rows = [
  [3, 10],
  [4, 10],
  [9, 20],
  [30, 20],
  [31, 25],
  [200, 25],
  [201, 26],
  [640, 27],
  [641, 29],
] as const

test('the first id since a time equals a scan of all rows, with gaps between ids', () => {
  const database = new Database(':memory:')
  const select = selecting(database)
  for (const table of [orders, trades]) database.exec(createSql(table))
  for (const table of [orders, trades]) {
    assert.ok(firstIdSince(select, table, 5) <= 1)
    assert.deepEqual([lowestId(select, table), highestId(select, table)], [0, 0])
  }
  for (const [id, millis] of rows) {
    putRows(database, orders, [
      { orderId: id * underlyingsMax, createdMillis: millis, wallet: maker },
    ])
    putRows(database, trades, [{ tradeId: id, millis, maker, taker }])
  }
  const firstIs = (matches: (row: readonly [number, number]) => boolean) => rows.find(matches)?.[0]
  for (let millis = 9; millis < 32; millis++) {
    const wanted = firstIs(([, of]) => of >= millis)
    for (const [table, step] of [
      [orders, underlyingsMax],
      [trades, 1],
    ] as const) {
      const found = firstIdSince(select, table, millis)
      assert.equal(
        firstIs(([id]) => id * step >= found),
        wanted,
        `${table.name} since ${millis}`,
      )
    }
  }
  database.close()
})

test('rows are returned by their ids, the newest first, and all of them by rising id', () => {
  const database = new Database(':memory:')
  database.exec(createSql(trades))
  const count = 2500
  const ids = Array.from({ length: count }, (_, i) => 3 * i + 1)
  putRows(
    database,
    trades,
    ids.map((tradeId) => ({ tradeId, millis: tradeId, maker, taker })),
  )
  const select = selecting(database)
  const found = rowsOfIds(select, trades, [7, 1, 8, 3 * count - 2])
  assert.deepEqual(
    found.map(({ tradeId }) => tradeId),
    [3 * count - 2, 7, 1],
  )
  assert.deepEqual(
    storedRows(database, trades).map(({ tradeId }) => tradeId),
    ids,
  )
  assert.deepEqual([lowestId(select, trades), highestId(select, trades)], [1, 3 * count - 2])
  database.close()
})
