import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BenchResult } from '../../bench/bench-result.js'
import { commonRow, directionOf, missedLimits } from '../../bench/common-row.js'

const row: BenchResult = {
  name: 'ring',
  unit: 'ops/s',
  value: 100,
  range: null,
  extra: { about: 'words', runs: 3 },
}
const none = {
  ...{ baseline: [], tolerance: 0.1 },
  ...{ p99MillisMax: Number.POSITIVE_INFINITY, goodputMin: 0 },
}
const now = (value: number, unit = 'ops/s', name = 'ring') =>
  commonRow({ ...row, name, unit, value }, 'ring', false)

test('a rate is better when it is bigger, a time and a size when they are smaller', () => {
  assert.equal(directionOf(row), 'bigger')
  assert.equal(directionOf({ ...row, unit: 'ms' }), 'smaller')
  assert.equal(directionOf({ ...row, unit: 'ns/command' }), 'smaller')
})

test('a threshold says the direction of a ratio', () => {
  assert.equal(directionOf({ ...row, unit: 'ratio', threshold: { atLeast: 1 } }), 'bigger')
  assert.equal(directionOf({ ...row, unit: 'ratio', threshold: { atMost: 1 } }), 'smaller')
})

test('range and extra are texts, other facts are fields', () => {
  const full = { ...row, range: { min: 90, max: 110 }, threshold: { atLeast: 50 } }
  assert.deepEqual(commonRow(full, 'ring', true), {
    ...{ name: 'ring', unit: 'ops/s', value: 100, direction: 'bigger' },
    ...{ range: '90 to 110', extra: 'words, runs 3' },
    ...{ suite: 'ring', quick: true, threshold: { atLeast: 50 } },
  })
  assert.equal(commonRow(row, 'ring', true).range, '')
})

test('a row may be worse than the baseline by the tolerance, in its own direction', () => {
  const limits = { ...none, baseline: [now(100), now(10, 'ms', 'ack')] }
  assert.deepEqual(missedLimits([now(90), now(11, 'ms', 'ack')], limits), [])
  assert.deepEqual(missedLimits([now(89), now(11.1, 'ms', 'ack')], limits), [
    'ring is 89 ops/s, was 100: at least 90.00',
    'ack is 11.1 ms, was 10: at most 11.00',
  ])
  assert.deepEqual(missedLimits([now(1000), now(1, 'ms', 'ack'), now(1, 'ms', 'new')], limits), [])
})

test('percentiles and goodput are held against what was asked for', () => {
  const rows = [now(21, 'ms', 'load.p99'), now(99, 'commands/s', 'load.goodput'), now(30, 'ms')]
  assert.deepEqual(missedLimits(rows, { ...none, p99MillisMax: 20, goodputMin: 100 }), [
    'load.p99 is 21 ms: at most 20',
    'load.goodput is 99 commands/s: at least 100',
  ])
  assert.deepEqual(missedLimits(rows, { ...none, p99MillisMax: 21, goodputMin: 99 }), [])
})
