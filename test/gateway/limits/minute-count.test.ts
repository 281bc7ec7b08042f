import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MinuteCount } from '../../../gateway/limits/minute-count.js'

test('a minute allows a fixed number, and the next one as many again', () => {
  const count = new MinuteCount(2)
  assert.deepEqual(
    [0, 1000, 59_999, 60_000, 60_001, 60_002].map((millis) => count.isTooMany(1_000_000 + millis)),
    [false, false, true, false, false, true],
  )
})
