import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonRow, directionOf, judged, type RowComparison } from '../../bench/common-row.js'
import type { BenchResult } from '../../bench/measure/bench-result.js'

const row: BenchResult = {
  name: 'ring',
  unit: 'ops/s',
  value: 100,
  range: null,
  extra: { about: 'words', runs: 3 },
}
const none = { compare: false, p99MillisMax: Number.POSITIVE_INFINITY, goodputMin: 0 }
const now = (value: number, unit = 'ops/s', name = 'ring') =>
  commonRow({ ...row, name, unit, value }, 'ring', false)

test('a higher rate is better, and so are a lower time and a smaller size', () => {
  assert.equal(directionOf(row), 'bigger')
  assert.equal(directionOf({ ...row, unit: 'ms' }), 'smaller')
  assert.equal(directionOf({ ...row, unit: 'ns/command' }), 'smaller')
})

test('a threshold names the direction of a ratio', () => {
  assert.equal(directionOf({ ...row, unit: 'ratio', threshold: { atLeast: 1 } }), 'bigger')
  assert.equal(directionOf({ ...row, unit: 'ratio', threshold: { atMost: 1 } }), 'smaller')
})

test('range and extra are texts, other facts are fields', () => {
  const full = { ...row, range: { min: 90, max: 110 }, threshold: { atLeast: 50 } }
  assert.deepEqual(commonRow(full, 'ring', true), {
    ...{ name: 'ring', unit: 'ops/s', value: 100, direction: 'bigger' },
    ...{ range: '90 to 110', extra: 'words, runs 3' },
    ...{ suite: 'ring', quick: true, threshold: { atLeast: 50 }, lateMillisP99: null },
  })
  assert.equal(commonRow(row, 'ring', true).range, '')
})

test('percentiles and goodput are checked against their limits', () => {
  const rows = [now(21, 'ms', 'load.p99'), now(99, 'commands/s', 'load.goodput'), now(30, 'ms')]
  const limits = { ...none, p99MillisMax: 20, goodputMin: 100 }
  assert.deepEqual(
    rows.map((each) => judged(each, limits).missed),
    [['load.p99 is 21 ms, limit <= 20'], ['load.goodput is 99 commands/s, limit >= 100'], []],
  )
  const wider = { ...none, p99MillisMax: 21, goodputMin: 99 }
  assert.deepEqual(
    rows.map((each) => judged(each, wider).verdict),
    ['kept', 'kept', null],
  )
})

test('a missed row states the lateness of the client', () => {
  const measured = {
    ...row,
    name: 'load.p99',
    unit: 'ms',
    value: 30,
    extra: { sentLateMillisP99: 25 },
  }
  const late = commonRow(measured, 'load', true)
  assert.equal(late.lateMillisP99, 25)
  assert.deepEqual(judged(late, { ...none, p99MillisMax: 20 }).missed, [
    'load.p99 is 30 ms, limit <= 20; the client itself sent late by 25 ms',
  ])
})

test('a row is checked against its own threshold only with --compare', () => {
  const held = commonRow({ ...row, threshold: { atLeast: 101 } }, 'ring', false)
  assert.equal(judged(held, none).verdict, null)
  assert.equal(judged(held, { ...none, compare: true }).verdict, 'missed')
})

test('a row that is worse than the baseline is missed, and an undecided one is not', () => {
  const comparison: RowComparison = {
    ...{ baseline: 100, ratio: 0.8, interval: { min: 0.75, max: 0.85 }, pairs: 6 },
    verdict: 'missed',
  }
  const judgedRow = judged(now(80), none, comparison)
  assert.equal(judgedRow.verdict, 'missed')
  assert.deepEqual(judgedRow.missed, [
    'ring: 80 ops/s, baseline 100; ratio 0.800, interval 0.750 to 0.850 of 6 pairs',
  ])
  const open = judged(now(80), none, { ...comparison, verdict: 'undecided' })
  assert.deepEqual([open.verdict, open.missed], ['undecided', []])
})
