import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LatencyHistogram } from '../../../bench/load/latency-histogram.js'

test('percentiles are milliseconds, to three figures', () => {
  const histogram = new LatencyHistogram()
  for (let i = 1; i <= 10_000; i++) histogram.record(i / 100)
  const { count, p50, p99, max } = histogram.summary()
  assert.equal(count, 10_000)
  assert.ok(Math.abs(p50 - 50) < 0.1, `${p50}`)
  assert.ok(Math.abs(p99 - 99) < 0.1, `${p99}`)
  assert.ok(Math.abs(max - 100) < 0.1, `${max}`)
})

test('an empty histogram has zeros, and values out of range count at the limit', () => {
  const histogram = new LatencyHistogram()
  assert.equal(histogram.summary().p99, 0)
  histogram.record(-1)
  histogram.record(1e12)
  assert.equal(histogram.count, 2)
  assert.equal(histogram.percentileMillis(0), 0)
})

test('two histograms add up, and print as HdrHistogram does', () => {
  const [one, other] = [new LatencyHistogram(), new LatencyHistogram()]
  one.record(1)
  other.record(3)
  one.add(other)
  assert.equal(one.count, 2)
  const text = one.hgrmText()
  assert.match(text, /Value +Percentile +TotalCount +1\/\(1-Percentile\)/)
  assert.match(text, /#\[Max +=/)
})
