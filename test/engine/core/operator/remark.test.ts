import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followEvents } from '../../../../bench/follow-events.js'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { CoreReplica } from '../../../../engine/core/replica.js'
import {
  type EngineConfig,
  engineConfigDefault,
} from '../../../../engine/state/market/engine-config.js'
import { EventViews } from '../../../../gateway/read-model/views/event-views.js'
import { EventType } from '../../../../schemas/generated/events.js'
import { RemarkPhase } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { CoreRig } from '../../../support/core-rig.js'
import type { RigEvent } from '../../../support/rig-event.js'
import { standardArrays } from '../../../support/risk-arrays.js'

const { Whole, Begun, Swapped } = RemarkPhase
const strikes = [90_000, 95_000, 100_000, 105_000, 110_000]
const bid = { wallet: 1, side: 'Buy', price: '3000', size: '0.1' } as const

test('a re-mark that fits into its batch takes effect at once and is published as complete', () => {
  const { rig } = slicedRig(5)
  rig.index(101_000)
  assert.deepEqual(phasesOf(batch(rig)), [[0, Whole]])
  assert.equal(rig.step(), false, 'nothing is left to do')
})

test('a larger re-mark continues by a slice per batch, and is swapped in whole', () => {
  const { rig } = slicedRig(2)
  const before = marksOf(rig)
  rig.index(101_000)
  assert.deepEqual(phasesOf(batch(rig)), [[0, Begun]], 'two of five')
  assert.deepEqual(marksOf(rig), before)
  assert.deepEqual(phasesOf(batch(rig)), [], 'four of five')
  assert.deepEqual(marksOf(rig), before)
  assert.deepEqual(phasesOf(batch(rig)), [[0, Swapped]])
  assert.deepEqual(marksOf(rig), wholeMarks(101_000))
  assert.equal(rig.step(), false)
})

test('orders during a re-mark meet only the previous marks', () => {
  const { rig } = slicedRig(2)
  const poor = rig.deposit(9, 14_000)
  assert.equal(rig.outcome(poor)['result'], Result.Accepted)
  // A short call needs 10,948 USD at the first index and about 16,000 at the second.
  const sell = { wallet: 9, side: 'Sell', price: '9000', size: '1', tif: 'ioc' } as const
  rig.index(110_000)
  batch(rig)
  const early = rig.place(sell)
  const outcome = outcomeOf(batch(rig), early)
  assert.equal(outcome['result'], Result.IocRemainder, 'accepted by the old marks')
  rig.run().events()
  const late = rig.place(sell)
  assert.equal(rig.outcome(late)['result'], Result.InsufficientMargin)
})

test('inputs that arrive during a re-mark are taken together by the next', () => {
  const { rig } = slicedRig(2)
  rig.index(101_000)
  batch(rig)
  for (const price of [102_000, 103_000, 104_000]) rig.index(price)
  rig.surface(0.8)
  const events = runAll(rig)
  assert.deepEqual(phasesOf(events), [
    [0, Swapped],
    [0, Begun],
    [0, Swapped],
  ])
  const prices = events.filter(({ type }) => type === EventType.IndexPrice)
  assert.equal(prices.length, 3, 'each of them is published')
  assert.deepEqual(marksOf(rig), wholeMarks(104_000, 0.8))
})

test('a busy underlying delays no other one: the oldest marks come first', () => {
  const { rig } = slicedRig(2, ['BTC', 'ETH'])
  const order: number[] = []
  for (let i = 0; i < 24; i++) {
    rig.nowMillis++
    rig.index(100_000 + i, 'BTC')
    if (i === 0) rig.index(100_000, 'ETH')
    for (const [underlying, phase] of phasesOf(batch(rig))) {
      if (phase === Begun) order.push(underlying!)
    }
  }
  assert.deepEqual(order.slice(0, 3), [0, 1, 0])
})

test('time alone re-marks every underlying once in its interval, one after the other', () => {
  const { rig } = slicedRig(2, ['BTC', 'ETH'])
  rig.nowMillis += engineConfigDefault.remarkMillis
  assert.equal(rig.core.nextDeadlineMillis, rig.nowMillis)
  assert.deepEqual(phasesOf(runAll(rig)), [
    [0, Begun],
    [0, Swapped],
    [1, Begun],
    [1, Swapped],
  ])
  assert.equal(rig.core.nextDeadlineMillis, rig.nowMillis + engineConfigDefault.remarkMillis)
})

test('options listed and delisted during a re-mark are marked correctly at the swap', () => {
  const { rig } = slicedRig(2)
  rig.index(101_000)
  batch(rig)
  rig.list({ strike: 120_000 })
  rig.delist({ strike: 90_000 })
  assert.deepEqual(phasesOf(batch(rig)), [])
  assert.deepEqual(phasesOf(batch(rig)), [[0, Swapped]])
  const whole = slicedRig(100).rig
  whole.list({ strike: 120_000 })
  whole.index(101_000)
  whole.run()
  assert.deepEqual(marksOf(rig), [Number.NaN, ...marksOf(whole).slice(1)])
})

test('options delisted after a re-mark leave no row that only its swap would mark', () => {
  const { rig } = slicedRig(1)
  rig.index(101_000)
  for (let i = 0; i < 3; i++) batch(rig)
  for (const strike of [90_000, 100_000]) rig.delist({ strike })
  rig.nowMillis++
  assert.deepEqual(phasesOf(batch(rig)), [], 'four of five, then two of three')
  assert.equal(rig.state.remarks.marked, 2)
  assert.deepEqual(phasesOf(batch(rig)), [[0, Swapped]])
  const whole = wholeMarks(101_000)
  assert.deepEqual(marksOf(rig), [Number.NaN, whole[1], Number.NaN, whole[3], whole[4]])
})

test('an option that expires during a re-mark is marked by its payoff at the swap', () => {
  const { rig } = slicedRig(2)
  rig.nowMillis = Date.UTC(2026, 0, 31) - 5_000
  rig.index(100_000)
  runAll(rig)
  rig.index(102_000)
  assert.deepEqual(phasesOf(batch(rig)), [[0, Begun]])
  assert.deepEqual(phasesOf(batch(rig)), [], 'four of five are in the shadow set')
  rig.nowMillis += 5_000
  assert.deepEqual(phasesOf(batch(rig)), [[0, Swapped]])
  assert.deepEqual(marksOf(rig), [12_000e6, 7_000e6, 2_000e6, 0, 0])
})

test('after every batch, a replay and a snapshot with its journal have the same hash and marks', () => {
  const { rig, config } = slicedRig(1, ['BTC', 'ETH'])
  for (let i = 0; i < 60; i++) {
    rig.nowMillis += 40
    if (i % 3 === 0) rig.index(100_000 + i * 10, i % 2 === 0 ? 'BTC' : 'ETH')
    if (i % 7 === 0) rig.surface(0.5 + i / 200)
    if (i === 20) rig.list({ strike: 130_000 })
    if (i === 30) rig.delist({ strike: 130_000 })
    if (i === 40) rig.configure({ ...config, remarkRows: 3 })
    rig.place({ ...bid, price: String(2000 + i) })
    rig.step()
  }
  rig.run()
  const first = new CoreReplica(config)
  let cuts = 0
  for (const [border, applied] of rig.batches.entries()) {
    first.applyBatch(applied)
    if (first.state.remarks.running >= 0) cuts++
    const second = new CoreReplica(config)
    second.load(first.save())
    assert.deepEqual({ ...second.stateHash() }, { ...first.stateHash() }, `border ${border}`)
    for (const next of rig.batches.slice(border + 1, border + 9)) second.applyBatch(next)
    const expected = rig.batches[border + 9]
    if (expected === undefined) continue
    const { low, high } = second.stateHash()
    assert.deepEqual({ low, high }, { low: expected.hashLow, high: expected.hashHigh })
  }
  assert.ok(cuts > 30, `${cuts} borders within a re-mark`)
  const { low, high } = rig.state.hash
  assert.deepEqual({ ...first.stateHash() }, { low, high })
  const count = rig.state.instruments.count
  assert.deepEqual(
    [...first.state.marks.markMicros.slice(0, count)],
    [...rig.state.marks.markMicros.slice(0, count)],
  )
})

test('the read model shows the same marks after the same event, also from a bootstrap during a re-mark', () => {
  const { rig, config } = slicedRig(1, ['BTC', 'ETH'])
  const views = new EventViews(config)
  publishBootstrap(rig.state, () => {})
  follow(rig, views)
  for (let i = 0; i < 40; i++) {
    rig.nowMillis += 100
    if (i % 4 === 0) rig.index(100_000 + i * 10, i % 8 === 0 ? 'BTC' : 'ETH')
    if (i % 10 === 3) rig.surface(0.5 + i / 100)
    rig.tick()
    rig.step()
    follow(rig, views)
    assertSameMarks(rig, views)
    const copy = new CoreRig(config)
    copy.restore(rig.save())
    const late = new EventViews(config)
    publishBootstrap(copy.state, () => {})
    follow(copy, late)
    assertSameMarks(rig, late)
    copy.nowMillis = rig.nowMillis
    while (copy.step()) {
      follow(copy, late)
      assertSameMarks(copy, late)
    }
  }
})

/** Five calls of each underlying, all marked at 100,000; `rows` of them a batch. */
function slicedRig(rows: number, underlyings = ['BTC']): { rig: CoreRig; config: EngineConfig } {
  const config = { ...engineConfigDefault, remarkRows: rows }
  const rig = new CoreRig(config)
  rig.configure(config)
  for (const underlying of underlyings) {
    for (const strike of strikes) rig.list({ underlying, strike })
    rig.index(100_000, underlying)
    rig.surface(0.6, underlying)
  }
  rig.deposit(1, 1_000_000)
  rig.run().events()
  return { rig, config }
}

/** Runs one batch. @returns its events. */
function batch(rig: CoreRig): RigEvent[] {
  assert.ok(rig.step(), 'there is something to do')
  return rig.events()
}

function runAll(rig: CoreRig): RigEvent[] {
  return rig.run().events()
}

function phasesOf(events: readonly RigEvent[]): number[][] {
  return events
    .filter(({ type }) => type === EventType.Remarked)
    .map(({ fields }) => [fields['underlying']!, fields['phase']!])
}

function outcomeOf(events: readonly RigEvent[], request: number): Readonly<Record<string, number>> {
  const found = events.find(
    ({ type, fields }) => type === EventType.Outcome && fields['request'] === request,
  )
  assert.ok(found, `no outcome of request ${request}`)
  return found.fields
}

function marksOf(rig: CoreRig): number[] {
  return [...rig.state.marks.markMicros.slice(0, rig.state.instruments.count)]
}

/** Marks of the five calls at an index, by a re-mark of one step. */
function wholeMarks(index: number, iv = 0.6): number[] {
  const { rig } = slicedRig(100)
  rig.surface(iv)
  rig.index(index)
  rig.run()
  return marksOf(rig)
}

function follow(rig: CoreRig, views: EventViews): void {
  followEvents(rig.reader, (event) => views.apply(event))
}

function assertSameMarks(rig: CoreRig, views: EventViews): void {
  const { count } = rig.state.instruments
  const { marks } = rig.state
  const shown = views.market.marks
  assert.deepEqual([...shown.markMicros.slice(0, count)], marksOf(rig))
  assert.deepEqual(standardArrays(shown), standardArrays(marks))
  assert.deepEqual([...shown.lastMarkedMillis], [...marks.lastMarkedMillis])
}
