import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketStartMillis } from '../../../../gateway/read-model/history/theo-intervals.js'
import { theoIntervalMillis } from '../../../../schemas/interface/parameter.js'

test('a bucket begins at its boundary and ends before the next', () => {
  const midnight = Date.UTC(2026, 5, 1)
  for (const interval of Object.values(theoIntervalMillis)) {
    assert.equal(bucketStartMillis(midnight, interval), midnight)
    assert.equal(bucketStartMillis(midnight + interval - 1, interval), midnight)
    assert.equal(bucketStartMillis(midnight + interval, interval), midnight + interval)
    assert.equal(bucketStartMillis(midnight - 1, interval), midnight - interval)
  }
})
