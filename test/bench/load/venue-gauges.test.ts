import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LoadSecond } from '../../../bench/load/load-series.js'
import { judgeMemory } from '../../../bench/load/memory-growth.js'
import { noGauges, parseGauges, readVenueGauges } from '../../../bench/load/venue-gauges.js'

const mebibyte = 2 ** 20

test('gauges are read from the text of any prefix, threads added up', () => {
  const text = [
    '# TYPE strikebook_resident_memory_bytes gauge',
    'strikebook_resident_memory_bytes 123',
    'strikebook_heap_used_bytes{thread="core"} 10',
    'strikebook_heap_used_bytes{thread="gateway-0"} 2e1',
    'strikebook_ring_depth_bytes{thread="journal"} 8',
    'strikebook_ring_depth_bytes{thread="commands-0"} 64',
    'strikebook_heap_used_bytes_total 999',
  ].join('\n')
  const gauges = { residentBytes: 123, heapBytes: 30, externalBytes: 0, ringBytes: 64 }
  assert.deepEqual(parseGauges(text), gauges)
})

test('a venue without an operator interface has no gauges', async () => {
  assert.deepEqual(await readVenueGauges('http://127.0.0.1:1'), noGauges)
})

/** A run whose resident memory in MiB is given by the second. */
function secondsOf(count: number, residentOf: (second: number) => number): LoadSecond[] {
  return Array.from({ length: count }, (_, i) => ({
    second: i + 1,
    sent: 0,
    executed: 0,
    refused: 0,
    outstanding: 0,
    p50: 0,
    p99: 0,
    max: 0,
    gauges: { ...noGauges, residentBytes: residentOf(i + 1) * mebibyte },
  }))
}

test('memory that swings is flat, memory that creeps is not', () => {
  const swing = (second: number) => 300 + 20 * Math.sin(second)
  assert.equal(judgeMemory(secondsOf(600, swing), 120, 600).isFlat, true)
  const creep = (second: number) => swing(second) + second / 30
  const judged = judgeMemory(secondsOf(600, creep), 120, 600)
  assert.equal(judged.isFlat, false)
  assert.match(judged.lines[0], /^residentBytes: .* (1\.9|2\.0)\d MiB a minute$/)
})

test('what is remembered by design is no growth', () => {
  const filling = (second: number) => 300 + second / 30
  const judged = (rememberedPerMinute: number) =>
    judgeMemory(secondsOf(600, filling), 120, 600, rememberedPerMinute)
  assert.equal(judged(1.1 * mebibyte).isFlat, true)
  assert.equal(judged(0.9 * mebibyte).isFlat, false)
})

test('growth in the warm-up does not count; nothing to judge is not flat', () => {
  const filling = (second: number) => 200 + Math.min(second, 120)
  assert.equal(judgeMemory(secondsOf(600, filling), 120, 600).isFlat, true)
  assert.equal(judgeMemory(secondsOf(600, filling), 0, 600).isFlat, false)
  assert.equal(judgeMemory(secondsOf(10, filling), 60, 600).isFlat, false)
})
