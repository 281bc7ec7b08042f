import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { EventScript, smallMemory, walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { readTradeSeed } from '../../../../gateway/read-model/history/trade-seed.js'
import {
  HourlySamples,
  InstrumentStatistics,
  seedStatistics,
  TradeStatistics,
  tradeSeedNone,
} from '../../../../gateway/read-model/views/trade-statistics.js'
import { InstrumentChange } from '../../../../schemas/record-values.js'

const hour = 3_600_000
const start = Date.UTC(2026, 5, 1)

test('a day is the running hour and the 23 before it', () => {
  const statistics = new InstrumentStatistics()
  statistics.add(start, 10, 1, 100)
  statistics.add(start + 10, 30, 1, 100)
  statistics.add(start + hour, 20, 2, 200)
  const both = statistics.day(start + 23 * hour)
  assert.deepEqual(both, {
    volumeLots: 4,
    notionalMicros: 400,
    highMicros: 30,
    lowMicros: 10,
    openMicros: 10,
  })
  const latter = statistics.day(start + 24 * hour)
  assert.deepEqual([latter.volumeLots, latter.openMicros, latter.highMicros], [2, 20, 20])
  const nothing = statistics.day(start + 25 * hour)
  assert.deepEqual([nothing.volumeLots, nothing.openMicros], [0, Number.NaN])
  assert.equal(statistics.lastMicros, 20)
})

test('hours that no day includes are dropped', () => {
  const statistics = new InstrumentStatistics()
  for (let count = 0; count < 1000; count++) statistics.add(start + count * hour, 1, 1, 1)
  assert.equal(statistics.day(start + 999 * hour).volumeLots, 24)
})

test('the sample of a day ago is the first of its hour', () => {
  const samples = new HourlySamples()
  samples.note(start, Number.NaN)
  samples.note(start + 5, 7)
  samples.note(start + 10, 8)
  assert.equal(samples.dayBefore(start + 24 * hour + 1), 7)
  assert.equal(samples.dayBefore(start + 25 * hour), Number.NaN)
  for (let count = 1; count < 50; count++) samples.note(start + count * hour, count)
  assert.equal(samples.dayBefore(start + 49 * hour), 25)
  assert.equal(samples.dayBefore(start + 24 * hour), Number.NaN)
})

test('statistics of earlier processes come from the history store', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'seed-'))
  const memory = smallMemory()
  const script = new EventScript(memory, start - 48 * hour)
  script.indexPrice(0, 100_000_000_000)
  for (const id of [0, 1, 2]) {
    script.instrument(id, `BTC-20260925-${id + 1}-C`, 0, start + 1000 * hour)
  }
  script.trade(1, 1, walletOf(1), walletOf(2), { priceMicros: 11_000_000 })
  script.timeMillis = start
  for (const [index, price] of [50, 90, 40, 60].entries()) {
    script.trade(2 + index, 0, walletOf(1), walletOf(2), { priceMicros: price })
  }
  script.timeMillis = start + hour
  script.trade(9, 0, walletOf(1), walletOf(2), { priceMicros: 70 })
  script.commit()
  const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0)
  writer.onClose()
  const seed = readTradeSeed(dataDir, start + 2 * hour)
  const statistics = new TradeStatistics()
  seedStatistics(statistics, seed)
  assert.equal(seed.seq, script.seq)
  assert.deepEqual(statistics.of(0).day(start + 2 * hour), {
    volumeLots: 500_000_000,
    notionalMicros: 500_000_000_000,
    highMicros: 90,
    lowMicros: 40,
    openMicros: 50,
  })
  assert.equal(statistics.of(0).lastMicros, 70)
  assert.equal(statistics.of(1).lastMicros, 11_000_000)
  assert.equal(statistics.of(1).day(start + 2 * hour).volumeLots, 0)
  assert.equal(statistics.of(2).lastMicros, Number.NaN)
  rmSync(dataDir, { recursive: true })
  assert.deepEqual(readTradeSeed(dataDir, start), tradeSeedNone)
})

test('a starting process has the theo and the index of a day ago', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'seed-'))
  const memory = smallMemory()
  const script = new EventScript(memory, start + 10 * 60_000)
  const mark = (usd: number) => {
    script.indexPrice(0, usd * 1e6)
    script.remarked(0)
  }
  script.bootstrapBegin()
  const expiry = start + 1000 * hour
  script.instrument(0, 'BTC-20260925-110000-C', 0, expiry, InstrumentChange.Bootstrap)
  script.surface(0, expiry, [100_000, 0.6])
  mark(100_000)
  script.bootstrapEnd()
  script.timeMillis += 20 * 60_000
  mark(120_000)
  script.timeMillis = start + hour
  mark(130_000)
  script.commit()
  const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0)
  writer.onClose()
  const statistics = new TradeStatistics()
  seedStatistics(statistics, readTradeSeed(dataDir, start + 24 * hour))
  const dayLater = start + 24 * hour + 1
  assert.equal(statistics.indexOf(0).dayBefore(dayLater), 100_000e6, 'the first of the hour')
  const theo = statistics.of(0).marks.dayBefore(dayLater)
  assert.ok(theo > 4_000e6 && theo < 5_000e6, `${theo}`)
  assert.ok(Number.isNaN(statistics.indexOf(0).dayBefore(dayLater + hour)), 'its bucket still runs')
  rmSync(dataDir, { recursive: true })
})
