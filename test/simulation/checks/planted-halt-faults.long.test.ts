import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CoreState } from '../../../engine/state/core-state.js'
import { firstFailing, onlyWith } from '../../support/planted-fault.js'

test('the simulator finds a request that outlives a halt', () => {
  const disturb = ({ rfqs }: CoreState) => {
    Object.defineProperty(rfqs, 'mayBeStale', { get: () => false, set: () => {} })
  }
  const found = firstFailing({ steps: 400, without: onlyWith('requests'), seams: { disturb } })
  assert.match(found.what, /is open in a halt|from before a halt is executed/)
})

test('the simulator finds a margin that is off by one micro at the caps', () => {
  const disturb = ({ batchNumber, risk }: CoreState) => {
    if (batchNumber === 60) risk.buckets.premiumMicros[risk.firstBucket[0]]++
  }
  const found = firstFailing({ steps: 200, without: onlyWith('caps'), seams: { disturb } })
  assert.match(found.what, /computed anew|premium reserve/)
})
