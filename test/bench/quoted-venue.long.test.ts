import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runQuotedVenueBench } from '../../bench/quoted-venue.js'

test('orders are acknowledged with and without providers, and every thread is counted', async () => {
  const rows = await runQuotedVenueBench({
    ...{ instruments: 30, providers: 3, ordersPerSecond: 100 },
    ...{ seconds: 0.2, quietSeconds: 0.2, repeats: 1 },
  })
  const named = new Map(rows.map((row) => [row.name, row]))
  for (const name of ['p50', 'p99']) {
    assert.ok(named.get(`quotes.ack-${name} with-providers`)!.value > 0)
    assert.ok(named.get(`quotes.ack-${name} without-providers`)!.value > 0)
    assert.ok(named.get(`quotes.ack-${name} with over without providers`)!.value > 0)
  }
  for (const role of ['gateways', 'gateway-0', 'core', 'journal', 'read-model', 'rest']) {
    assert.equal(named.get(`quotes.cores ${role}`)!.unit, 'cores')
  }
  // Less than a row of any record: what is seen in so short a time is the venue's own batches.
  assert.ok(Math.abs(named.get('quotes.journal')!.value) < 64)
})
