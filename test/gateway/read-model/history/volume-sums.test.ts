import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  readHistoryEnd,
  recoverHistory,
} from '../../../../gateway/read-model/history/history-end.js'
import {
  type HistoryDatabase,
  openHistory,
} from '../../../../gateway/read-model/history/history-schema.js'
import { fills } from '../../../../gateway/read-model/history/history-tables.js'
import { VolumeSums } from '../../../../gateway/read-model/history/volume-sums.js'
import { putRows } from '../../../support/stored-rows.js'

function folderOf(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'volume-sums-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function sumsOf(database: HistoryDatabase) {
  const rows = database.prepare('select * from wallet_volumes order by wallet').all()
  return (rows as { wallet: string; volume_usd: number; volume_micros: number }[]).map((row) => [
    row.wallet.slice(-2),
    row.volume_usd,
    row.volume_micros,
  ])
}

/** Each inner list is a transaction: fills as account and micros. */
function addAll(database: HistoryDatabase, transactions: readonly (readonly [number, number])[][]) {
  const sums = new VolumeSums(database)
  for (const filled of transactions) {
    for (const [account, micros] of filled) sums.add(accountOf(account), micros)
    sums.flush()
  }
}

function accountOf(account: number): string {
  return `0x${'00'.repeat(19)}0${account}`
}

test('sums continue from transaction to transaction, exact in micros', (context) => {
  const database = openHistory(folderOf(context))
  addAll(database, [
    [
      [1, 999_999],
      [2, 5_000_001],
      [1, 2],
    ],
    [[1, 999_999]],
  ])
  assert.deepEqual(sumsOf(database), [
    ['01', 2, 0],
    ['02', 5, 1],
  ])
  database.close()
})

test('a sum may exceed the exact range of a number, within a transaction and beyond', (context) => {
  const database = openHistory(folderOf(context))
  const most = 2 ** 52 - 1
  addAll(database, [
    [
      [1, most],
      [1, most],
      [1, most],
      [1, most],
    ],
    [[1, most]],
  ])
  const micros = 5n * BigInt(most)
  const [sum] = sumsOf(database)
  assert.deepEqual(sum, ['01', Number(micros / 1_000_000n), Number(micros % 1_000_000n)])
  database.close()
})

test('rows lost with the journal are removed from the sums as well', (context) => {
  const folder = folderOf(context)
  const database = openHistory(folder)
  addAll(database, [[[1, 3_700_000]]])
  const wallet = accountOf(1)
  putRows(database, fills, [
    { fillId: 2, tradeId: 1, wallet, notionalMicros: 1_000_000 },
    { fillId: 4, tradeId: 2, wallet, notionalMicros: 2_700_000 },
  ])
  database.exec(`insert into referrals values ('${wallet}', 'LOST', 1, null, 0)`)
  database.exec("update profits_listed set last = 4 where name = 'fills'")
  database.exec('update progress set last_seq = 22')
  database.close()
  const border = { ...readHistoryEnd(folder), batchNumber: 9 }
  const counts = { orderCount: 0, tradeCount: 1, payoutCount: 0, instrumentCount: 0 }
  recoverHistory(folder, { border, seq: 11, ...counts })
  const back = openHistory(folder)
  assert.deepEqual(sumsOf(back), [['01', 1, 0]])
  assert.deepEqual(back.prepare('select * from referrals').all(), [])
  back.close()
})
