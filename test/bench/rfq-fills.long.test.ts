import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runRfqFillBench } from '../../bench/rfq-fills.js'

test('requests for quote are filled by the first answer, and every thread is counted', async () => {
  const rows = await runRfqFillBench({
    ...{ requestsPerSecond: 20, seconds: 0.5, repeats: 1, providers: 2 },
  })
  const named = new Map(rows.map((row) => [row.name, row]))
  for (const name of ['fill-p50', 'fill-p99', 'fill-p50 over limit', 'request-p50', 'flush']) {
    assert.ok(named.get(`rfq.${name}`)!.value > 0, name)
  }
  // An unfilled request counts as one second.
  assert.ok(named.get('rfq.fill-p50')!.value < 1000)
  for (const role of ['gateway-0', 'core', 'journal']) {
    assert.equal(named.get(`rfq.processor ${role}`)!.unit, 'µs/request')
  }
})
