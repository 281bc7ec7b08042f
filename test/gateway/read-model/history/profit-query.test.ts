import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import {
  readHistoryEnd,
  recoverHistory,
} from '../../../../gateway/read-model/history/history-end.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { fills as fillRows } from '../../../../gateway/read-model/history/history-tables.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { entrySources } from '../../../../gateway/read-model/history/profit-sums.js'
import { neverMillis, Side } from '../../../../schemas/domain.js'
import { AccountChange } from '../../../../schemas/record-values.js'
import { queryStore, sumsIn } from '../../../support/profit-rig.js'
import { storedRows } from '../../../support/stored-rows.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 5, 1, 10)
const call = 'BTC-20260925-110000-C'
const perpSymbol = 'BTC-PERP'
const alice = walletOf(1)
const bob = walletOf(2)

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'profits-'))
  context.after(() => rmSync(path, { recursive: true }))
  return path
}

function feed(dataDir: string, write: (script: EventScript) => void, seq = 0, keepDays = 0): void {
  const memory = smallMemory(1, 1 << 24)
  const script = new EventScript(memory, start)
  script.seq = seq
  const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0, keepDays)
  writer.onStart()
  write(script)
  script.commit()
  writer.onClose()
}

function listings(script: EventScript): void {
  script.instrument(0, call, 0, Date.UTC(2026, 8, 25, 8))
  script.instrument(1, perpSymbol, 0, neverMillis)
}

/** A fill of alice a minute after the one before it. */
function fills(script: EventScript, count: number, first = 1): void {
  for (let i = 0; i < count; i++) {
    const tradeId = first + i
    script.timeMillis += minute
    script.fill({
      ...{ fillId: 2 * tradeId, tradeId, orderId: 1024 },
      ...{ wallet: alice, account: 0, instrument: tradeId % 2, side: Side.Sell },
      ...{ priceMicros: 100_000_000, sizeLots: 100_000_000 },
      ...{ feeMicros: 1_000_000, realizedMicros: 3_000_000 + tradeId },
    })
  }
}

const realized = (dataDir: string, query = '') =>
  queryStore(dataDir, 'realized-pnl', `wallet=${alice}${query}`).data

/** Returns the sums of the rows, added up one by one. */
function scanned(dataDir: string, from: number, to: number): Record<number, number> {
  const database = openHistory(dataDir)
  const sums: Record<number, number> = {}
  for (const { table, instrument, realized: micros } of entrySources) {
    const sql = `select ${instrument} as about, ${micros} as micros from ${table} where wallet = ? and millis >= ? and millis < ?`
    for (const row of database.prepare(sql).all(alice, from, to) as {
      about: number
      micros: number
    }[]) {
      sums[row.about] = (sums[row.about] ?? 0) + row.micros
    }
  }
  for (const row of storedRows(database, fillRows)) {
    if (row.wallet !== alice || row.millis < from || row.millis >= to) continue
    const { instrument, realizedMicros, feeMicros } = row
    sums[instrument] = (sums[instrument] ?? 0) + realizedMicros - feeMicros
  }
  database.close()
  return sums
}

test('the realized profit of any time range equals the sum of its rows', (context) => {
  const dataDir = folder(context)
  feed(dataDir, (script) => {
    listings(script)
    script.account({
      account: 0,
      wallet: alice,
      cashMicros: 1e9,
      change: AccountChange.Deposit,
      deltaMicros: 1e9,
    })
    fills(script, 4000)
  })
  feed(
    dataDir,
    (script) => {
      script.timeMillis = start + 4000 * minute
      fills(script, 300, 4001)
    },
    readHistoryEnd(dataDir).seq,
  )
  const end = start + 4300 * minute
  const spans: [number, number][] = [
    [start, end + 1],
    [start, start],
    [start + 1, start + minute],
  ]
  for (let i = 0; i < 40; i++) {
    const from = start + ((i * 7_919_333) % (4000 * minute))
    spans.push([from, from + ((i * i * 104_729) % (3 * day))])
  }
  for (const [from, to] of spans) {
    const rows = realized(dataDir, `&from_ts_ms=${from}&to_ts_ms=${to}`)
    const sums = scanned(dataDir, from, Math.max(from, to))
    const micros = (symbol: string) =>
      Math.round(
        Number(rows.find((row: { symbol: string }) => row.symbol === symbol)?.realized_pnl ?? 0) *
          1e6,
      )
    assert.equal(micros(call), sums[0] ?? 0, `${from} to ${to}`)
    assert.equal(micros(perpSymbol), sums[1] ?? 0, `${from} to ${to}`)
  }
})

test('rows have symbol, realized profit less fees, and number of events; funding and others have names', (context) => {
  const dataDir = folder(context)
  feed(dataDir, (script) => {
    listings(script)
    const cash = (change: AccountChange, deltaMicros: number) =>
      script.account({ account: 0, wallet: alice, cashMicros: 0, change, deltaMicros })
    cash(AccountChange.Deposit, 1000e6)
    fills(script, 3)
    cash(AccountChange.Funding, -5e6)
    cash(AccountChange.BuilderFee, 250_000)
    cash(AccountChange.Liquidation, -1e6)
    cash(AccountChange.Withdrawal, -100e6)
    cash(AccountChange.WithdrawalReturned, 40e6)
    cash(AccountChange.Modes, 0)
  })
  assert.deepEqual(realized(dataDir), [
    { symbol: call, realized_pnl: '2.000002', event_count: 1 },
    { symbol: perpSymbol, realized_pnl: '4.000004', event_count: 2 },
    { symbol: 'builder_fees', realized_pnl: '0.25', event_count: 1 },
    { symbol: 'funding', realized_pnl: '-5', event_count: 1 },
    { symbol: 'liquidation', realized_pnl: '-1', event_count: 1 },
  ])
  assert.deepEqual(queryStore(dataDir, 'realized-pnl', `wallet=${bob}`).data, [])
  const past = queryStore(dataDir, 'profile', `wallet=${alice}`).data
  assert.equal(past.deposits, '1000')
  assert.equal(past.withdraws, '60')
  assert.equal(past.lifetimeRealized, '0.250006')
  assert.equal(past.pnlOfDay, '0.250006')
  assert.equal(past.firstMillis, start)
})

test('realized profit stays when fills are removed, because they are summed before', (context) => {
  const dataDir = folder(context)
  feed(dataDir, (script) => {
    listings(script)
    script.account({
      account: 0,
      wallet: alice,
      cashMicros: 1,
      change: AccountChange.Deposit,
      deltaMicros: 1,
    })
    fills(script, 100)
  })
  const before = realized(dataDir)
  feed(
    dataDir,
    (script) => {
      script.timeMillis = start + 30 * day
      fills(script, 1, 101)
    },
    readHistoryEnd(dataDir).seq,
    1,
  )
  const database = openHistory(dataDir)
  const count = storedRows(database, fillRows).length
  database.close()
  assert.ok(count < 10, `${count} fills`)
  const [calls, perps] = realized(dataDir)
  assert.deepEqual(calls, before[0])
  assert.equal(perps.event_count, before[1].event_count + 1)
})

test('old sums of five minutes and days are removed, and their total stays', (context) => {
  const [old, plain] = [folder(context), folder(context)]
  const days = [0, 1, 20, 317, 320]
  const fed = (dataDir: string, keepDays: number) => {
    for (const [index, passed] of days.entries()) {
      const seq = index === 0 ? 0 : readHistoryEnd(dataDir).seq
      const write = (script: EventScript) => {
        if (index === 0) {
          listings(script)
          const change = AccountChange.Deposit
          script.account({ account: 0, wallet: alice, cashMicros: 1, change, deltaMicros: 1 })
        }
        script.timeMillis = start + passed * day
        fills(script, 12, 1 + 12 * index)
      }
      feed(dataDir, write, seq, keepDays)
    }
  }
  fed(old, 1)
  fed(plain, 0)
  const startsOf = (dataDir: string, table: string) => {
    const database = openHistory(dataDir)
    const sql = `select distinct start_millis as start from ${table} where wallet = ? order by 1`
    const rows = database.prepare(sql).all(alice) as { start: number }[]
    database.close()
    return rows.map((row) => row.start)
  }
  const midnight = Math.floor(start / day) * day
  // The last hour is open, so its day has no sums yet.
  const kept = [20, 317].map((passed) => midnight + passed * day)
  assert.deepEqual(startsOf(old, 'profit_days'), [0, ...kept])
  for (const table of ['profit_spans', 'profit_hours']) {
    assert.ok(startsOf(old, table).every((at) => at >= midnight + 317 * day))
  }
  assert.equal(startsOf(plain, 'profit_days').length, days.length - 1)
  const end = start + 320 * day + hour
  const spans = [
    '',
    `&to_ts_ms=${end}`,
    `&to_ts_ms=${start + 100 * day}`,
    `&from_ts_ms=${start + 10 * day}`,
  ]
  for (const span of spans) assert.deepEqual(realized(old, span), realized(plain, span), span)
  for (const interval of ['5m', '1h', '1d']) {
    const query = `wallet=${alice}&interval=${interval}&limit=100&include_attribution=true`
    const points = queryStore(old, '/profile/historical-pnl', query)
    assert.ok(points.data.points.length > 90)
    assert.deepEqual(points, queryStore(plain, '/profile/historical-pnl', query))
  }
})

test('an accepted loss removes the lost rows from the sums', (context) => {
  const dataDir = folder(context)
  feed(dataDir, (script) => {
    listings(script)
    script.account({
      account: 0,
      wallet: alice,
      cashMicros: 1,
      change: AccountChange.Deposit,
      deltaMicros: 1,
    })
    fills(script, 20)
  })
  const kept = folder(context)
  feed(kept, (script) => {
    listings(script)
    script.account({
      account: 0,
      wallet: alice,
      cashMicros: 1,
      change: AccountChange.Deposit,
      deltaMicros: 1,
    })
    fills(script, 10)
  })
  const end = readHistoryEnd(kept)
  const { seq } = end
  const left = { seq, orderCount: 1, tradeCount: 10, payoutCount: 0, instrumentCount: 2 }
  recoverHistory(dataDir, { ...left, border: { ...end, batchNumber: 9 } })
  assert.deepEqual(realized(dataDir), realized(kept))
  const sumsOf = (folderOf: string) => {
    const database = openHistory(folderOf)
    const rows = sumsIn(database, 'profit_spans')
    database.close()
    return rows
  }
  assert.deepEqual(sumsOf(dataDir), sumsOf(kept))
})

test('a position opened and closed at one price has points, although its sums are zero', (context) => {
  const dataDir = folder(context)
  const usd = 1_000_000
  const begin = Math.ceil(start / hour) * hour
  feed(dataDir, (script) => {
    listings(script)
    script.timeMillis = begin
    const change = AccountChange.Deposit
    const deltaMicros = 1000 * usd
    script.account({ account: 0, wallet: alice, cashMicros: deltaMicros, change, deltaMicros })
    const trade = (minutes: number, tradeId: number, side: Side) => {
      script.timeMillis = begin + minutes * minute
      const ids = { fillId: 2 * tradeId, tradeId, orderId: 1024 }
      script.fill({ ...ids, wallet: alice, account: 0, instrument: 0, side })
    }
    trade(6, 1, Side.Buy)
    trade(16, 2, Side.Sell)
    // Both are in a day whose hours have ended.
    script.timeMillis = begin + 75 * minute
    script.account({ account: 0, wallet: alice, cashMicros: usd, change, deltaMicros: usd })
  })
  const query = `wallet=${alice}&interval=5m&limit=100&include_attribution=true`
  const { points } = queryStore(dataDir, '/historical-pnl', query).data
  interface Point {
    readonly timestamp: number
    readonly equity: string
    readonly attribution: object
  }
  const found = (points as Point[]).map(({ timestamp, equity, attribution }) => [
    (timestamp - begin) / minute,
    ...[equity, attribution],
  ])
  // An option without a mark is worth nothing.
  const held = { [call]: [1, 100, 0, -100, -100] }
  const flat = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => [from + 5 * i, '1000', {}])
  assert.deepEqual(found, [...flat(5, 1), [10, '900', held], [15, '900', held], ...flat(20, 12)])
})
