import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missedThresholds, missingToken } from '../../../bench/load/load-command.js'

const summaryOf = (p99: number) => ({ count: 1, p50: 1, p90: 1, p99, p999: 30, p9999: 30, max: 30 })

test('a missed threshold is a sentence with the lateness of the client', () => {
  const report = { goodputPerSecond: 99.6, latency: summaryOf(20), lateness: summaryOf(3) }
  assert.deepEqual(missedThresholds(report, { p99MillisMax: 19, goodputMin: 100 }), [
    'p99 20 ms, at most 19; the client itself sent late by 3 ms',
    'goodput 99.6/s, at least 100',
  ])
  assert.deepEqual(missedThresholds(report, { p99MillisMax: 21, goodputMin: 99 }), [])
})

test('a load without an operator token names the places where it looked for one', () => {
  const operatorUrl = 'http://127.0.0.1:8081'
  const said = missingToken({ operatorUrl, operatorToken: '' })
  assert.match(said!, /--operator-token, STRIKEBOOK_OPERATOR_TOKEN or \/.*\/data\/operator\.token$/)
  assert.equal(missingToken({ operatorUrl, operatorToken: 'token' }), null)
  assert.equal(missingToken({ operatorUrl: null, operatorToken: '' }), null)
})
