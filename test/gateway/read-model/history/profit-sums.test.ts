import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type HistoryDatabase,
  openHistory,
} from '../../../../gateway/read-model/history/history-schema.js'
import {
  dropSummed,
  entrySources,
  ProfitWriter,
} from '../../../../gateway/read-model/history/profit-sums.js'
import {
  add,
  type PackedSums,
  unpackSums,
  type WalletSums,
} from '../../../../gateway/read-model/history/wallet-sums.js'

/** Funding of three wallets, a second apart: far more than is gathered at once. */
function fund(database: HistoryDatabase, rows: number): void {
  database.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows}) ` +
      'insert into cash_changes (seq, wallet, cause, amount_micros, millis) ' +
      "select i, '0x' || (i % 3), 3, i % 7 - 3, i * 1000 from n",
  )
}

/** Returns the sums by table, start, wallet and name, without those of 0. */
function sumsIn(database: HistoryDatabase) {
  return ['profit_spans', 'profit_hours', 'profit_days'].map((table) => {
    const rows = database.prepare(`select start_millis, wallet, sums from ${table}`).all()
    const sums = new Map<string, WalletSums>()
    for (const row of rows as { start_millis: number; wallet: string; sums: PackedSums }[]) {
      const key = `${row.start_millis} ${row.wallet}`
      if (!sums.has(key)) sums.set(key, new Map())
      for (const one of unpackSums(row.sums)) add(sums.get(key)!, one)
    }
    const entries = [...sums].map(([key, one]) => [
      key,
      [...one].filter(([, { realizedMicros, events }]) => realizedMicros !== 0 || events !== 0),
    ])
    return entries.filter(([, one]) => one!.length > 0).sort()
  })
}

function withStore(use: (database: HistoryDatabase) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'profit-sums-'))
  const database = openHistory(folder)
  try {
    use(database)
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}

function absorb(database: HistoryDatabase): void {
  const upkeep = new ProfitWriter(database)
  while (!upkeep.absorb());
}

test('lost rows are removed from the sums, even more than are collected at once', () => {
  const [all, kept] = [40_000, 3000]
  let wanted: unknown
  withStore((database) => {
    fund(database, all)
    database.exec(`delete from cash_changes where seq > ${kept}`)
    absorb(database)
    wanted = sumsIn(database)[0]
  })
  withStore((database) => {
    fund(database, all)
    absorb(database)
    const before = sumsIn(database)[0]!
    const above = Object.fromEntries(entrySources.map(({ table }) => [table, kept]))
    dropSummed(database, { fills: 0, ...above })
    const [spans, days] = sumsIn(database)
    assert.ok(spans!.length > 0 && spans!.length < before.length)
    assert.deepEqual(spans, wanted)
    const total = (rows: typeof spans) =>
      rows!.flatMap(([, sums]) => sums as [number, { realizedMicros: number; events: number }][])
    const events = total(spans).reduce((sum, [, one]) => sum + one.events, 0)
    assert.equal(events, kept)
    assert.equal(
      total(days).reduce((sum, [, one]) => sum + one.events, 0),
      kept,
    )
  })
})
