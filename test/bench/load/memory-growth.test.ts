import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadSecond } from '../../../bench/load/load-series.js'
import { judgeMemory } from '../../../bench/load/memory-growth.js'

const megabyte = 2 ** 20
const minutes = 8
const warmUpSeconds = 120
const endSeconds = minutes * 60

test('memory that swings around one level counts as flat after any warm-up', () => {
  const level = (second: number) => Math.min(second, warmUpSeconds) + (second % 7)
  const { isFlat, lines } = judgeMemory(secondsOf(level), warmUpSeconds, endSeconds)
  assert.ok(isFlat, lines.join('\n'))
  assert.equal(judgeMemory(secondsOf(level), 0, endSeconds).isFlat, false)
  assert.match(
    lines[0]!,
    /^residentBytes: 22\d\.00 MiB at second 121, 22\d\.00 MiB at the end, -?0\.0\d MiB a minute/,
  )
})

test('more than a megabyte a minute is growth, under any garbage', () => {
  const level = (second: number) => second / 50 + (second % 11) / 3
  const { isFlat, lines } = judgeMemory(secondsOf(level), warmUpSeconds, endSeconds)
  assert.equal(isFlat, false)
  assert.match(lines[0]!, /(1\.1\d|1\.2\d) MiB a minute, [12]\d\d\.\d KiB per 10000 commands$/)
})

test('samples after the end, or without a gauge, do not count', () => {
  const level = (second: number) => (second > endSeconds || second % 5 === 0 ? 1000 : 0)
  const seconds = secondsOf(level, endSeconds + 60).map((each) =>
    each.second % 5 === 0 ? { ...each, gauges: { ...each.gauges, residentBytes: 0 } } : each,
  )
  assert.ok(judgeMemory(seconds, warmUpSeconds, endSeconds).isFlat)
})

test('a run without gauges proves nothing', () => {
  const seconds = secondsOf(() => -100)
  assert.deepEqual(judgeMemory(seconds, warmUpSeconds, endSeconds), {
    isFlat: false,
    lines: ['memory: nothing to judge'],
  })
})

/** @param level resident megabytes above 100 in each second. */
function secondsOf(level: (second: number) => number, count = endSeconds): LoadSecond[] {
  return Array.from({ length: count }, (_, i) => {
    const residentBytes = (100 + level(i + 1)) * megabyte
    const gauges = { residentBytes, heapBytes: 0, externalBytes: 0, ringBytes: 0 }
    const counts = { sent: 1000, executed: 1000, refused: 0, outstanding: 0 }
    return { second: i + 1, ...counts, p50: 1, p99: 1, max: 1, gauges }
  })
}
