import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'libsql'
import { walletOf } from '../../../../bench/event-script.js'
import { firstIdSince } from '../../../../gateway/read-model/history/first-id.js'
import { orders, trades } from '../../../../gateway/read-model/history/history-tables.js'
import { createBlocksSql } from '../../../../gateway/read-model/history/row-blocks.js'
import { underlyingsMax } from '../../../../schemas/bounds.js'
import { putRows } from '../../../support/packed-rows.js'

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

test('the first id since a time is that of a search through all rows, whatever ids are missing', () => {
  const database = new Database(':memory:')
  for (const table of [orders, trades]) database.exec(createBlocksSql(table))
  for (const table of [orders, trades]) assert.equal(firstIdSince(database, table, 5), 0)
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
      const found = firstIdSince(database, table, millis)
      assert.equal(
        firstIs(([id]) => id * step >= found),
        wanted,
        `${table.name} since ${millis}`,
      )
    }
  }
  database.close()
})
