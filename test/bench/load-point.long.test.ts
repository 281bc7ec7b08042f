import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runLoadPointBench } from '../../bench/load-point.js'

test('a fixed load is reconciled, and has the rows that a pipeline compares with its thresholds', async () => {
  const rows = await runLoadPointBench({ rate: 100, seconds: 1, repeats: 2, directory: tmpdir() })
  const names = rows.map(({ name }) => name)
  assert.deepEqual(names, ['load.goodput', 'load.p50', 'load.p99', 'load.p999'])
  const [goodput, p50, p99, p999] = rows.map(({ value }) => value) as [
    number,
    number,
    number,
    number,
  ]
  assert.ok(goodput > 0 && goodput <= 200, String(goodput))
  assert.ok(p50 > 0 && p50 <= p99 && p99 <= p999, `${p50} ${p99} ${p999}`)
  for (const { extra, range } of rows) {
    assert.equal(extra['commandsPerSecond'], 100)
    assert.ok(range !== null && range.min <= range.max)
  }
})
