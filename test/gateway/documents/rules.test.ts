import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asyncApi } from '../../../gateway/documents/asyncapi.js'
import { slowConsumer } from '../../../gateway/documents/rules.js'
import { testConfig } from '../../support/gateway-rig.js'

const config = testConfig()

test('every channel describes its snapshot and its live messages, with the settings of the venue', () => {
  const channels = asyncApi({ config, version: '1.2.3' })['x-channels'] as Record<
    string,
    { readonly on_subscribe: string; readonly then: string }
  >
  for (const { on_subscribe, then } of Object.values(channels)) assert.ok(on_subscribe && then)
  const { orderbook } = channels
  assert.match(orderbook!.on_subscribe, new RegExp(`\\b${config.stream.bookDepth} levels`))
  assert.match(orderbook!.then, new RegExp(`\\b${config.stream.bookIntervalMillis} ms`))
})

test('a slow consumer gets the reason in its specified bytes, which fit into a close frame', () => {
  const example = String(slowConsumer()['example'])
  assert.ok(Buffer.byteLength(example) <= 123)
  assert.equal(
    example,
    '{"error":"slow_consumer","class":"ordered_public","cause":"message_limit","recovery":"snapshot_resubscribe"}',
  )
})
