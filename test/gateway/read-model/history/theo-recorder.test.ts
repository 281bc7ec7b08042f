import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { EventScript, smallMemory } from '../../../../bench/event-script.js'
import { followEvents } from '../../../../bench/follow-events.js'
import { CounterName, Counters } from '../../../../engine/memory/counters.js'
import { EventLogReader } from '../../../../engine/memory/event-log.js'
import { logReaders, wakeupOf } from '../../../../engine/memory/exchange-memory.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { openHistory } from '../../../../gateway/read-model/history/history-schema.js'
import { HistoryWriter } from '../../../../gateway/read-model/history/history-writer.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { InstrumentState, neverMillis } from '../../../../schemas/domain.js'
import { InstrumentChange, RemarkPhase } from '../../../../schemas/record-values.js'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 5, 1, 10)
const expiry = Date.UTC(2026, 8, 25, 8)
const call = 'BTC-20260925-110000-C'
const put = 'BTC-20260925-90000-P'
const usd = 1_000_000

type Row = readonly [start: number, instrument: number, priceMicros: number]

function dataFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'theos-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/**
 * Runs the exchange once on the existing store.
 * @returns marks of instruments 0 and 1 as the read model has them after the last event.
 */
function run(dataDir: string, write: (script: EventScript) => void, seq = 0): readonly number[] {
  const memory = smallMemory()
  const script = new EventScript(memory, start)
  script.seq = seq
  write(script)
  script.commit()
  const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0)
  writer.onStart()
  writer.onClose()
  const log = new EventLogReader(memory.eventLog, logReaders.readModel)
  const views = new EventViews(engineConfigDefault)
  followEvents(log, (event) => views.apply(event))
  return [...views.market.marks.markMicros.subarray(0, 2)]
}

function rowsOf(dataDir: string, intervalMillis: number): Row[] {
  const database = openHistory(dataDir)
  const query =
    'select * from theos where interval_millis = ? and instrument >= 0 order by start_millis, instrument'
  const rows = database.prepare(query).all(intervalMillis) as Record<string, number>[]
  database.close()
  return rows.map((row) => [row['start_millis']!, row['instrument']!, row['price_micros']!])
}

/** A bootstrap with two BTC options, marked at an index. */
function market(script: EventScript, indexUsd = 100_000): void {
  script.bootstrapBegin()
  script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
  script.instrument(1, put, 0, expiry, InstrumentChange.Bootstrap)
  mark(script, indexUsd)
  script.bootstrapEnd()
}

function mark(script: EventScript, indexUsd: number): void {
  script.indexPrice(0, indexUsd * usd)
  script.surface(0, expiry, [80_000, 0.6, 120_000, 0.55])
  script.remarked(0)
}

test('the last theo of five minutes is recorded with the first later event', (context) => {
  const [early, late] = [dataFolder(context), dataFolder(context)]
  const until = (lastMillis: number) => (script: EventScript) => {
    market(script)
    script.timeMillis = start + 2 * minute
    mark(script, 101_000)
    script.timeMillis = lastMillis
    script.halt(0, 0)
  }
  run(early, until(start + 5 * minute - 1))
  assert.deepEqual(rowsOf(early, 5 * minute), [])
  const [callMicros, putMicros] = run(late, until(start + 5 * minute))
  const rows = [
    [start, 0, callMicros],
    [start, 1, putMicros],
  ]
  assert.ok(callMicros! > 0 && putMicros! > 0)
  assert.deepEqual(rowsOf(late, 5 * minute), rows)
  assert.deepEqual(rowsOf(late, hour), rows)
  assert.deepEqual(
    rowsOf(late, day),
    rows.map(([, ...row]) => [start - 10 * hour, ...row]),
  )
})

test('the inputs of the re-mark count, not later ones', (context) => {
  const dataDir = dataFolder(context)
  const [callMicros] = run(dataDir, (script) => {
    market(script)
    script.indexPrice(0, 150_000 * usd)
    script.timeMillis = start + 5 * minute
    script.halt(0, 0)
  })
  assert.equal(rowsOf(dataDir, 5 * minute)[0]![2], callMicros)
})

test('an hour and a day take the newest of their five minutes', (context) => {
  const dataDir = dataFolder(context)
  const marks: number[] = []
  for (const steps of [1, 2]) {
    // The same log twice, once longer: what is written again changes nothing.
    const [callMicros] = run(dataDir, (script) => {
      market(script)
      for (let step = 1; step <= steps; step++) {
        script.timeMillis = start + (step === 1 ? 55 : 60) * minute
        mark(script, 100_000 + step * 5000)
      }
      script.timeMillis += 5 * minute
      script.halt(0, 0)
    })
    marks.push(callMicros!)
  }
  const callRows = (interval: number) =>
    rowsOf(dataDir, interval).flatMap(([at, id, micros]) => (id === 0 ? [[at, micros]] : []))
  assert.ok(marks[1]! > marks[0]!)
  assert.deepEqual(callRows(5 * minute).slice(1), [
    [start + 55 * minute, marks[0]],
    [start + hour, marks[1]],
  ])
  assert.deepEqual(callRows(hour), [
    [start, marks[0]],
    [start + hour, marks[1]],
  ])
  assert.deepEqual(callRows(day), [[start - 10 * hour, marks[1]]])
})

test('five minutes without a re-mark stay empty', (context) => {
  const dataDir = dataFolder(context)
  run(dataDir, (script) => {
    market(script)
    for (let step = 1; step <= 3; step++) {
      script.timeMillis = start + step * 5 * minute
      script.halt(0, 0)
    }
    mark(script, 100_000)
    script.timeMillis += 5 * minute
    script.halt(0, 0)
  })
  const starts = rowsOf(dataDir, 5 * minute).map(([at]) => (at - start) / minute)
  assert.deepEqual(starts, [0, 0, 15, 15])
})

test('an instrument without a theo, an inactive one, and one listed later get no point', (context) => {
  const dataDir = dataFolder(context)
  run(dataDir, (script) => {
    script.bootstrapBegin()
    script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
    const { Expired } = InstrumentChange
    const { ExpiredPendingPrice } = InstrumentState
    script.instrument(1, put, 0, expiry, InstrumentChange.Bootstrap)
    script.instrument(2, 'ETH-20260925-4000-P', 1, expiry, InstrumentChange.Bootstrap)
    mark(script, 100_000)
    script.remarked(1)
    script.bootstrapEnd()
    script.instrument(1, put, 0, expiry, Expired, ExpiredPendingPrice)
    script.timeMillis = start + 5 * minute
    script.instrument(3, 'BTC-20260925-95000-P', 0, expiry)
    script.halt(0, 0)
  })
  assert.deepEqual(
    rowsOf(dataDir, 5 * minute).map(([, id]) => id),
    [0],
  )
})

test('five minutes that contain a restart are recorded from the bootstrap', (context) => {
  const dataDir = dataFolder(context)
  run(dataDir, market)
  assert.deepEqual(rowsOf(dataDir, 5 * minute), [])
  const [callMicros, putMicros] = run(
    dataDir,
    (script) => {
      // The end of the journal, published again, names instruments that are not known yet.
      script.remarked(0)
      script.instrument(1, put, 0, expiry, InstrumentChange.Expired)
      script.instrument(7, 'BTC-20260925-95000-P', 0, expiry)
      market(script, 103_000)
      script.timeMillis = start + 3 * hour
      script.halt(0, 0)
    },
    7,
  )
  assert.deepEqual(rowsOf(dataDir, 5 * minute), [
    [start, 0, callMicros],
    [start, 1, putMicros],
  ])
})

test('an instrument listed since gets no point for an older re-mark', (context) => {
  const dataDir = dataFolder(context)
  run(dataDir, (script) => {
    script.bootstrapBegin()
    script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
    script.timeMillis = start + hour
    script.instrument(1, put, 0, expiry, InstrumentChange.Bootstrap)
    script.timeMillis = start
    mark(script, 100_000)
    script.bootstrapEnd()
    script.timeMillis = start + 2 * hour
    script.halt(0, 0)
  })
  assert.deepEqual(
    rowsOf(dataDir, 5 * minute).map(([, id]) => id),
    [0],
  )
})

test('a journal replayed from its beginning gives the points of the first time', (context) => {
  const [first, again] = [dataFolder(context), dataFolder(context)]
  const begin = (script: EventScript) => {
    script.instrument(0, call, 0, expiry)
    script.instrument(1, put, 0, expiry)
    for (let step = 0; step < 4; step++) {
      mark(script, 100_000 + step * 1000)
      script.timeMillis += 3 * minute
    }
  }
  const end = (script: EventScript) => {
    script.timeMillis = start + 20 * minute
    script.halt(0, 0)
  }
  run(first, (script) => {
    script.bootstrap()
    begin(script)
    end(script)
  })
  run(again, (script) => {
    begin(script)
    script.timeMillis = start + 9 * minute
    market(script, 103_000)
    end(script)
  })
  assert.equal(rowsOf(first, 5 * minute).length, 4)
  for (const interval of [5 * minute, hour, day]) {
    assert.deepEqual(rowsOf(again, interval), rowsOf(first, interval))
  }
})

test('300 buckets of each interval are stored, the running one included, for all instruments together', (context) => {
  const dataDir = dataFolder(context)
  run(dataDir, (script) => {
    market(script)
    script.timeMillis += 5 * minute
    script.instrument(1, put, 0, expiry, InstrumentChange.Deleted, InstrumentState.Deleted)
    for (let step = 1; step <= 310; step++) {
      mark(script, 100_000)
      script.timeMillis += 5 * minute
    }
  })
  const rows = rowsOf(dataDir, 5 * minute)
  assert.equal(rows.length, 299)
  assert.equal(rows[0]![0], start + 11 * 5 * minute)
  assert.deepEqual(new Set(rows.map(([, id]) => id)), new Set([0]))
  assert.equal(rowsOf(dataDir, hour).length, 27)
  const database = openHistory(dataDir)
  const { count } = database
    .prepare('select count(*) as count from theo_buckets where interval_millis = ?')
    .get(5 * minute) as { count: number }
  database.close()
  assert.equal(count, 299)
})

test('the rows are counted', (context) => {
  const memory = smallMemory()
  const script = new EventScript(memory, start)
  market(script)
  script.timeMillis += hour
  script.halt(0, 0)
  script.commit()
  const writer = new HistoryWriter(memory, dataFolder(context), engineConfigDefault, () => 0)
  writer.onClose()
  const counters = new Counters(memory.counters, wakeupOf.history)
  const listings = 2
  const theos = 2 * 3
  assert.equal(counters.read(wakeupOf.history, CounterName.HistoryRows), listings + theos)
})

test('hours that pass within a transaction are written once each, and their day and old rows only as they end', (context) => {
  const memory = smallMemory()
  const script = new EventScript(memory, start)
  const hours = 30
  market(script)
  for (let passed = 1; passed <= hours; passed++) {
    script.timeMillis = start + passed * hour
    mark(script, 100_000 + passed)
  }
  script.commit()
  const dataDir = dataFolder(context)
  const writer = new HistoryWriter(memory, dataDir, engineConfigDefault, () => 0)
  writer.doWork()
  const rowsWritten = new Counters(memory.counters, wakeupOf.history).read(
    wakeupOf.history,
    CounterName.HistoryRows,
  )
  writer.onClose()
  const kept = [day, hour, 5 * minute].map((interval) => rowsOf(dataDir, interval))
  const counts = kept.map((rows) => rows.length / 2)
  assert.deepEqual(
    counts,
    [2, hours, 24],
    '25 hours of five minutes are kept, with the running one',
  )
  assert.equal(rowsWritten, 2 + kept.flat().length, 'no row that is not there')
  const [ofDays, ofHours] = kept
  assert.deepEqual(
    ofDays![1]![2],
    ofHours![2 * 13 + 1]![2],
    'the first day is that of its last hour',
  )
})

test('within an hour the last price of an ended instrument stays, with the newest of the others', (context) => {
  const dataDir = dataFolder(context)
  run(dataDir, (script) => {
    market(script)
    script.timeMillis = start + 5 * minute
    mark(script, 101_000)
    const { Expired } = InstrumentChange
    script.instrument(1, put, 0, expiry, Expired, InstrumentState.ExpiredPendingPrice)
    script.instrument(2, 'BTC-20260925-95000-P', 0, expiry)
    script.timeMillis = start + 10 * minute
    mark(script, 102_000)
    script.timeMillis = start + 20 * minute
    script.halt(0, 0)
  })
  const newest = new Map(rowsOf(dataDir, 5 * minute).map(([, id, micros]) => [id, micros]))
  const expected = [0, 1, 2].map((id) => [start, id, newest.get(id)!] as const)
  assert.deepEqual(rowsOf(dataDir, hour), expected)
  const instruments = rowsOf(dataDir, 5 * minute).map(([, id]) => id)
  assert.deepEqual(instruments, [0, 1, 0, 2, 0, 2])
})

test('a re-mark of several batches is recorded as of its beginning, with its inputs', (context) => {
  const [whole, sliced] = [dataFolder(context), dataFolder(context)]
  const write = (isSliced: boolean) => (script: EventScript) => {
    market(script)
    script.timeMillis = start + 2 * minute
    script.indexPrice(0, 101_000 * usd)
    if (isSliced) {
      script.remarked(0, RemarkPhase.Begun)
      script.timeMillis += 10
      script.indexPrice(0, 150_000 * usd)
      script.remarked(0, RemarkPhase.Swapped)
    } else script.remarked(0)
    script.timeMillis = start + 6 * minute
    mark(script, 99_000)
  }
  run(whole, write(false))
  const marks = run(sliced, write(true))
  assert.ok(marks[0]! > 0)
  assert.deepEqual(rowsOf(sliced, 5 * minute), rowsOf(whole, 5 * minute))
  assert.equal(rowsOf(sliced, 5 * minute).length, 2)
})

test('a perp gets no point: its price is the index', (context) => {
  const dataDir = dataFolder(context)
  run(dataDir, (script) => {
    script.bootstrapBegin()
    script.instrument(0, 'BTC-PERP', 0, neverMillis, InstrumentChange.Bootstrap)
    script.instrument(1, put, 0, expiry, InstrumentChange.Bootstrap)
    mark(script, 100_000)
    script.bootstrapEnd()
    script.timeMillis = start + 5 * minute
    script.halt(0, 0)
  })
  assert.deepEqual(
    rowsOf(dataDir, 5 * minute).map(([, id]) => id),
    [1],
  )
})
