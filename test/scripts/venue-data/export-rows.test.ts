import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { walletOf } from '../../../bench/event-script.js'
import { openHistory } from '../../../gateway/read-model/history/history-schema.js'
import { fills } from '../../../gateway/read-model/history/history-tables.js'
import { exportRows } from '../../../scripts/venue-data/export-rows.js'
import { putRows } from '../../support/stored-rows.js'

const everything = { wallet: null, fromMillis: 0, toMillis: Number.MAX_SAFE_INTEGER }

test('a fill without an order is exported under its usual id, never 0', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-export-'))
  try {
    const database = openHistory(folder)
    putRows(database, fills, [
      { wallet: walletOf(1), fillId: 7, orderId: 0 },
      { wallet: walletOf(1), fillId: 8, orderId: 3072 },
    ])
    const rows = [...exportRows(database, { kind: 'fills', ...everything })]
    database.close()
    const ids = rows.map((row) => row['order_id'])
    assert.deepEqual(ids, [2 ** 52 + 7, 3072])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
