import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { openApi } from '../../../gateway/documents/openapi.js'
import { testConfig } from '../../support/gateway-rig.js'

test('both documents state the limits of the venue that serves them', () => {
  const config = testConfig({ 'limits.tier1.ordersPerMinute': '7', 'stream.bookDepth': '9' })
  for (const document of [openApi, asyncApi]) {
    const limits = document({ config, version: '1.2.3' })['x-limits'] as ReturnType<typeof Object>
    assert.equal(limits.tiers.tier1.ordersPerMinute, 7)
    assert.equal(limits.stream.bookDepth, 9)
    assert.equal(limits.price.max, '1000000000')
    assert.equal(limits.size.decimals, 8)
    assert.deepEqual(limits.resume, {
      messages: 8192,
      messages_per_minute: 500_000,
      events: 65_536,
      age_millis: 60_000,
    })
  }
})
