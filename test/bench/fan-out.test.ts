import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFanOutBench } from '../../bench/fan-out.js'

test('the fan-out benchmark runs small, and what it sent shows that all got everything', () => {
  const [row] = runFanOutBench({ updates: 20, subscribers: 5, runs: 1 })
  assert.equal(row!.name, 'fan-out.book-update')
  const sent = Number(/(\d+) bytes sent/.exec(row!.extra)![1])
  assert.ok(sent > 0 && sent % 5 === 0, row!.extra)
})
