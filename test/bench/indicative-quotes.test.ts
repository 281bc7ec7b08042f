import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runQuoteBench } from '../../bench/indicative-quotes.js'

test('a market is quoted again, with and without changes', () => {
  const rows = runQuoteBench({ gateways: 2, instruments: 40, providers: 3, rounds: 2 })
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['quotes.all-changed', 'quotes.all-again'],
  )
  for (const { value } of rows) assert.ok(value > 0)
})
