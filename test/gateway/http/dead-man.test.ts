import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandType } from '../../../schemas/generated/commands.js'
import { accountWriteRig } from '../../support/account-write-rig.js'
import { nextNonce, owner } from '../../support/gateway-rig.js'

const rig = accountWriteRig('/dead-man', 'SetDeadMan')

function send(timeoutMs: unknown) {
  const body = { wallet: owner.address, timeout_ms: timeoutMs, nonce: nextNonce() }
  const message = { wallet: owner.address, timeoutMs: Number(timeoutMs), nonce: body.nonce }
  return rig.write(message, body, owner)
}

test('a timer is set, and removed by 0', async () => {
  for (const [timeout_ms, firesMillis] of [
    [0, 0],
    [1000, 1_700_000_001_000],
    [86_400_000, 1_700_086_400_000],
  ] as const) {
    rig.core.decide = () => ({ orderId: firesMillis }) // the field with its end
    const { status, value } = await send(timeout_ms)
    assert.equal(status, 200)
    const fires_at = firesMillis === 0 ? null : firesMillis
    assert.deepEqual(value.data, { wallet: owner.address, timeout_ms, fires_at })
    assert.equal(rig.core.seen.at(-1)!.type, CommandType.SetDeadMan)
  }
})

test('spans that are too short or too long fail', async () => {
  for (const timeoutMs of [1, 999, 86_400_001]) {
    const { status, value } = await send(timeoutMs)
    assert.deepEqual([status, value.code], [400, 'invalid_field'], String(timeoutMs))
  }
  assert.equal(rig.core.seen.length, 0)
})
