import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smallMemory } from '../../../../bench/event-script.js'
import { allocateCounters, CounterName, Counters } from '../../../../engine/memory/counters.js'
import { flagWords, InvariantAlarm, wakeupOf } from '../../../../engine/memory/exchange-memory.js'
import { Latencies } from '../../../../engine/memory/latencies.js'
import { LiveStatus } from '../../../../gateway/read-model/views/live-status.js'
import { SharedValue } from '../../../../gateway/read-model/views/shared-value.js'
import type { HaltBoard, HaltRow } from '../../../../gateway/read-model/views/venue-views.js'
import { ClockAlarm, HaltMode, latencyKinds } from '../../../../schemas/domain.js'
import { haltsShownMax } from '../../../../schemas/interface/venue.js'
import { haltBoard } from '../../../support/halt-board.js'
import { bob, readModelRig } from '../../../support/read-model-rig.js'

const since = 1_900_000_000_000

function rig() {
  const small = smallMemory()
  const memory = { ...small, counters: allocateCounters(16) }
  const state = { millis: 1000 }
  const status = new LiveStatus(memory, () => state.millis)
  const latencies = new Latencies(memory.latencies, wakeupOf.gateway(0))
  return {
    ...{ state, status },
    acknowledge: (millis: number, kind: (typeof latencyKinds)[number] = 'place') =>
      latencies.count(latencyKinds.indexOf(kind), millis),
    halts: new SharedValue<HaltBoard>(memory.haltBoard),
    core: new Counters(memory.counters, wakeupOf.core),
    flags: new Int32Array(memory.flags),
  }
}

const rowOf = (underlying: string, mode: HaltMode, sinceMillis = since): HaltRow => {
  return { underlying, mode, number: 0, isLive: true, sinceMillis }
}
const open = rowOf('BTC', HaltMode.Open, 0)

test('before the first acknowledgement there are no percentiles, and no board means no halts', () => {
  const { acknowledge, status } = rig()
  acknowledge(3, 'flush')
  assert.deepEqual(status.read(), {
    role: 'single',
    uptime_ms: 0,
    halts: { count: 0, rows: [] },
    acknowledgements: { window_ms: 0, count: 0, p50_ms: null, p99_ms: null, p999_ms: null },
  })
})

test('the uptime starts when the venue is ready, and is never negative', () => {
  const { state, status } = rig()
  state.millis = 5000
  status.onReady()
  state.millis = 7000.9
  assert.equal(status.read().uptime_ms, 2000)
  state.millis = 100
  assert.equal(status.read().uptime_ms, 0)
})

test('percentiles are interpolated within a bucket, over all kinds of requests', () => {
  const { acknowledge, status } = rig()
  for (let i = 0; i < 500; i++) acknowledge(0.7)
  for (let i = 0; i < 495; i++) acknowledge(1.5, 'stream_place')
  for (let i = 0; i < 5; i++) acknowledge(60_000, 'rfq')
  const { acknowledgements } = status.read()
  assert.deepEqual(acknowledgements, {
    ...{ window_ms: 0, count: 1000, p50_ms: 1 },
    ...{ p99_ms: 1.99, p999_ms: 5000 },
  })
})

test('percentiles are computed at most once a second, and again after a backward step of the clock', () => {
  const { acknowledge, state, status } = rig()
  const count = () => status.read().acknowledgements.count
  acknowledge(1)
  assert.equal(count(), 1)
  acknowledge(1)
  state.millis += 999
  assert.equal(count(), 1)
  state.millis += 1
  assert.equal(count(), 2)
  acknowledge(1)
  state.millis -= 1500
  const { acknowledgements } = status.read()
  assert.deepEqual([acknowledgements.count, acknowledgements.window_ms], [3, 0])
})

test('the window is the last 60 to 70 seconds, or the time since a backward step of the clock', () => {
  const { acknowledge, state, status } = rig()
  const step = (millis: number) => {
    state.millis += millis
    status.tick()
  }
  const shown = () => {
    const { count, window_ms } = status.read().acknowledgements
    return [count, window_ms]
  }
  acknowledge(1)
  for (let i = 0; i < 59 * 4; i++) step(250)
  assert.deepEqual(shown(), [1, 59_000])
  for (let i = 0; i < 11 * 4; i++) step(250)
  assert.deepEqual(shown(), [0, 60_000])
  acknowledge(1)
  for (let i = 0; i < 600 * 4; i++) {
    step(250)
    const window = shown()[1]!
    assert.ok(window >= 60_000 && window < 70_000, `${window}`)
  }
  acknowledge(1)
  step(-500_000)
  acknowledge(1)
  step(2000)
  assert.deepEqual(shown(), [1, 2000])
})

test('a halted underlying is shown with cause and time, and wallets by their number', () => {
  const { core, flags, halts, status } = rig()
  const { rows } = status.read().halts
  assert.deepEqual(rows, [])
  halts.write(haltBoard([open, rowOf('ETH', HaltMode.Halted)], 2, since + 5))
  const eth = { scope: 'underlying', underlying: 'ETH', mode: 'halted', since_ms: since }
  const wallets = { scope: 'wallets', wallets: 2, mode: 'cancel_only', since_ms: since + 5 }
  const shown = (reason: string) => ({
    count: 2,
    rows: [
      { ...wallets, reason: 'invariant' },
      { ...eth, reason },
    ],
  })
  assert.deepEqual(status.read().halts, shown('operator'))
  flags[flagWords.invariantAlarm] = InvariantAlarm.Halted
  assert.deepEqual(status.read().halts, shown('invariant'))
  core.set(CounterName.ClockAlarm, ClockAlarm.Raised)
  assert.deepEqual(status.read().halts, shown('clock'))
  halts.write(haltBoard([open]))
  assert.deepEqual(status.read().halts, { count: 0, rows: [] })
})

test('equal halts of all underlyings are one halt of the market, since the last of them', () => {
  const { halts, status } = rig()
  const [btc, eth] = [rowOf('BTC', HaltMode.Halted), rowOf('ETH', HaltMode.Halted, since + 9)]
  halts.write(haltBoard([btc, eth]))
  const market = { scope: 'market', mode: 'halted', reason: 'operator', since_ms: since + 9 }
  assert.deepEqual(status.read().halts, { count: 1, rows: [market] })
  halts.write(haltBoard([btc, { ...eth, mode: HaltMode.CancelOnly }]))
  assert.equal(status.read().halts.count, 2)
  halts.write(haltBoard([btc]))
  assert.equal(status.read().halts.rows[0]!.scope, 'underlying')
})

test('of 500 halts the latest are shown, and their number', () => {
  const { halts, status } = rig()
  const rows = Array.from({ length: 500 }, (_, i) => rowOf(`U${i}`, HaltMode.Halted, since + i))
  halts.write(haltBoard([open, ...rows]))
  const shown = status.read().halts
  assert.deepEqual([shown.count, shown.rows.length], [500, haltsShownMax])
  assert.equal(shown.rows[0]!.underlying, 'U499')
  assert.equal(shown.rows.at(-1)!.underlying, `U${500 - haltsShownMax}`)
})

test('the read model publishes halts and stopped wallets with the times of their changes', () => {
  const { memory, script, start, step, wait } = readModelRig()
  const board = new SharedValue<HaltBoard>(memory.haltBoard)
  const since = () => board.read()!.underlyings.map(({ sinceMillis }) => sinceMillis)
  const stop = (stopped: number) => {
    script.account({ account: 1, wallet: bob, cashMicros: 0, stopped })
    step()
    return board.read()!.stopped
  }
  assert.deepEqual(since(), [0, 0])
  script.halt(0, HaltMode.Halted)
  wait(1000)
  script.halt(0, HaltMode.Halted)
  step()
  assert.deepEqual(since(), [start, 0])
  script.halt(0, HaltMode.CancelOnly)
  step()
  assert.deepEqual(since(), [start + 1000, 0])
  assert.deepEqual(stop(1), { count: 1, sinceMillis: start + 1000 })
  wait(1000)
  assert.deepEqual(stop(1), { count: 1, sinceMillis: start + 1000 })
  assert.deepEqual(stop(0), { count: 0, sinceMillis: 0 })
})
