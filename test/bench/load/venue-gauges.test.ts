import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noGauges, parseGauges, readVenueGauges } from '../../../bench/load/venue-gauges.js'

test('gauges are parsed from text with any prefix, and threads are added up', () => {
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
