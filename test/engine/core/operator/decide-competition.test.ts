import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishBootstrap } from '../../../../engine/core/operator/bootstrap.js'
import { MarginSummary } from '../../../../engine/risk/order-check.js'
import { ClockAlarm, CompetitionMetric, CompetitionState } from '../../../../schemas/domain.js'
import {
  type AnyEvent,
  CompetitionEvent,
  CompetitionMarksEvent,
  EventType,
  FillEvent,
} from '../../../../schemas/generated/events.js'
import { CompetitionChange, OutcomeFlag } from '../../../../schemas/record-values.js'
import { Result } from '../../../../schemas/results.js'
import { type CompetitionWish, setCompetition } from '../../../support/competition-rig.js'
import { CoreRig } from '../../../support/core-rig.js'

const { Pre, Active, Post } = CompetitionState
const { Bootstrap, Marks, State, Terms } = CompetitionChange
const { Efficiency, Pnl, Volume } = CompetitionMetric
const event = new CompetitionEvent()
const marksEvent = new CompetitionMarksEvent()
const fillEvent = new FillEvent()

const resultOf = (rig: CoreRig, wish: CompetitionWish = {}) =>
  rig.outcome(setCompetition(rig, wish))['result']

/** Returns the competition events: change, and the state after it or the number of marks. */
function competitionEvents(rig: CoreRig): [change: number, state: number][] {
  const seen: [number, number][] = []
  rig.eventsFor((one) => {
    if (one.recordType !== EventType.Competition) return
    const { change, state } = event.of(one)
    seen.push([change, change === Marks ? marksEvent.of(one).count : state])
  })
  return seen
}

function later(rig: CoreRig, millis: number): CoreRig {
  rig.nowMillis += millis
  return rig.run()
}

test('a competition begins and ends by engine time, and publishes the marks of both times', () => {
  const rig = new CoreRig().openMarket()
  setCompetition(rig)
  assert.deepEqual(competitionEvents(rig.run()), [[Terms, Pre]])
  assert.equal(rig.core.nextDeadlineMillis <= rig.nowMillis + 1000, true)
  assert.deepEqual(competitionEvents(later(rig, 999)), [])
  assert.deepEqual(competitionEvents(later(rig, 1)), [
    [Marks, 1],
    [State, Active],
  ])
  assert.equal(rig.state.competitions.activeCount, 1)
  assert.deepEqual(competitionEvents(later(rig, 1000)), [
    [Marks, 1],
    [State, Post],
  ])
  assert.equal(rig.state.competitions.activeCount, 0)
})

test('equal terms are a duplicate, other terms of the name change it, and an id identifies it, too', () => {
  const rig = new CoreRig().openMarket()
  assert.equal(resultOf(rig), Result.Accepted)
  const again = rig.outcome(setCompetition(rig))
  assert.deepEqual([again['result'], again['flags']], [Result.Accepted, OutcomeFlag.Repeat])
  assert.equal(resultOf(rig, { end: 5000 }), Result.Accepted)
  assert.equal(resultOf(rig, { id: 1, name: 'Summer', end: 5000 }), Result.Accepted)
  const [row] = rig.state.competitions.rows
  assert.deepEqual([rig.state.competitions.rows.length, row!.terms.nameBytes], [1, 6])
  assert.equal(resultOf(rig), Result.Accepted, 'the old name is that of another')
  assert.equal(rig.state.competitions.rows.length, 2)
})

test('a running competition may change its end but not its start, and an ended one nothing', () => {
  const rig = new CoreRig().openMarket()
  resultOf(rig, { start: 0, end: 2000 })
  assert.equal(rig.state.competitions.rows[0]!.state, Active)
  assert.equal(resultOf(rig, { start: 1, end: 2000 }), Result.Conflict)
  assert.equal(resultOf(rig, { start: 0, end: 3000 }), Result.Accepted)
  later(rig, 3000)
  assert.equal(resultOf(rig, { id: 1, start: 0, end: 9000 }), Result.Conflict)
  assert.equal(resultOf(rig, { id: 1, start: -3000, end: 9000 }), Result.Conflict, 'its own start')
  assert.equal(resultOf(rig, { start: 0, end: 9000 }), Result.Accepted, 'another of its name')
  assert.equal(rig.state.competitions.rows.length, 2)
})

test('invalid competitions fail', () => {
  const rig = new CoreRig().openMarket()
  const wrong: readonly CompetitionWish[] = [
    ...[{ end: 1000 }, { start: -20, end: -10 }, { start: 0.5 }, { name: '' }, { nameBytes: 5 }],
    ...[{ conditions: 0 }, { conditions: Pnl | (Pnl << 2) }, { conditions: Pnl << 2 }],
    { name: 'x'.repeat(129) },
  ]
  for (const wish of wrong) {
    assert.equal(resultOf(rig, wish), Result.ValueRefused, JSON.stringify(wish))
  }
  assert.equal(resultOf(rig, { id: 3 }), Result.NotFound)
  const all = Pnl | (Volume << 2) | (Efficiency << 4)
  assert.equal(resultOf(rig, { conditions: all }), Result.Accepted)
})

test('competitions survive a snapshot and a replay, and a new reader receives all', () => {
  const rig = new CoreRig().openMarket()
  resultOf(rig, { start: 0, end: 9000 })
  resultOf(rig, { name: 'Autumn' })
  later(rig, 7)
  resultOf(rig, { start: -7, end: 9500 })
  const other = new CoreRig()
  other.restore(rig.save())
  assert.deepEqual(
    [other.state.hash.low, other.state.competitions.activeCount],
    [rig.state.hash.low, 1],
  )
  assert.equal(other.state.competitions.nextMillis, rig.state.competitions.nextMillis)
  const times = ({ state }: CoreRig) =>
    state.competitions.rows.map((row) => [row.createdMillis, row.updatedMillis])
  assert.deepEqual(times(other), times(rig))
  const [[created, updated] = []] = times(rig)
  assert.equal(updated! - created!, 7)
  const replayed = new CoreRig()
  for (const batch of rig.batches) replayed.replay(batch)
  assert.deepEqual(Buffer.from(replayed.save()), Buffer.from(rig.save()))
  publishBootstrap(other.state, () => {})
  assert.deepEqual(competitionEvents(other), [
    [Bootstrap, Active],
    [Bootstrap, Pre],
  ])
})

test('a fill has margin in use, notional and band while a competition runs, and nothing else', () => {
  const rig = new CoreRig().openMarket()
  const fills: { account: number; marginMicros: number; notional: number; lower: number }[] = []
  const trade = () => {
    rig.place({ wallet: 1, side: 'Sell', price: '5000', size: '1' })
    rig.place({ wallet: 2, side: 'Buy', price: '5000', size: '1' })
    rig.run().eventsFor((one: AnyEvent) => {
      if (one.recordType !== EventType.Fill) return
      const { account, marginMicros, notionalMicros, bandLowerMicros } = fillEvent.of(one)
      fills.push({ account, marginMicros, notional: notionalMicros, lower: bandLowerMicros })
    })
  }
  trade()
  assert.ok(fills.every(({ marginMicros, lower }) => Number.isNaN(marginMicros + lower)))
  fills.length = 0
  resultOf(rig, { start: 0 })
  trade()
  assert.equal(fills.length, 2)
  const summary = new MarginSummary()
  for (const { account, lower, marginMicros, notional } of fills) {
    rig.state.risk.summarize(account, summary)
    assert.equal(marginMicros, summary.totalMarginUsed)
    assert.equal(notional, 100_000_000_000)
    assert.ok(lower > 0)
  }
})

test('during a clock alarm no competition begins; a due one begins after it', () => {
  const rig = new CoreRig().openMarket()
  setCompetition(rig)
  rig.clockAlarm(ClockAlarm.Raised, 5000)
  rig.run().events()
  assert.deepEqual(competitionEvents(later(rig, 1500)), [])
  rig.clockAlarm(ClockAlarm.None, 0)
  assert.deepEqual(competitionEvents(rig.run()), [
    [Marks, 1],
    [State, Active],
  ])
})
