import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { channelWords, closeCodeRows, slowConsumer } from '../../../gateway/documents/rules.js'
import { channelRows } from '../../../schemas/interface/channels.js'
import { testConfig } from '../../support/gateway-rig.js'

const config = testConfig()

test('every channel says what it tells at first, and when it goes on', () => {
  assert.deepEqual(Object.keys(channelWords(config)).sort(), Object.keys(channelRows).sort())
  const channels = asyncApi({ config, version: '1.2.3' })['x-channels'] as Record<string, object>
  for (const row of Object.values(channels)) assert.ok('on_subscribe' in row && 'then' in row)
})

test('reasons of closes fit into their frame', () => {
  const reasons = closeCodeRows(config).map(({ reason }) => String(reason))
  assert.ok(reasons.includes('pong timeout') && reasons.includes('authentication timeout'))
  for (const reason of [...reasons, String(slowConsumer()['example'])]) {
    assert.ok(Buffer.byteLength(reason) <= 123, reason)
  }
})

test('a slow consumer is shown the reason in its specified bytes', () => {
  assert.equal(
    slowConsumer()['example'],
    '{"error":"slow_consumer","class":"ordered_public","cause":"message_limit","recovery":"snapshot_resubscribe"}',
  )
})
