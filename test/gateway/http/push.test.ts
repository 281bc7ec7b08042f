import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CommandType } from '../../../schemas/generated/commands.js'
import { accountWriteRig } from '../../support/account-write-rig.js'
import { newBrowser } from '../../support/browser.js'
import { agent, nextNonce, owner } from '../../support/gateway-rig.js'

const { subscription } = newBrowser('https://fcm.googleapis.com/fcm/send/1')
const rigOf = (action: 'subscribe' | 'preferences', reads: 'open' | 'signed') => {
  const rig = accountWriteRig(`/push/${action}`, 'PushAction', { 'reads.private': reads })
  const terms = action === 'subscribe' ? { subscription } : { fills: false }
  return async (signer = owner) => {
    const message = { wallet: owner.address, action, nonce: nextNonce() }
    const { status } = await rig.write(message, { ...message, ...terms }, signer)
    return [status, rig.core.seen.filter(({ type }) => type === CommandType.PushAction).length]
  }
}

describe('with open reads', () => {
  const subscribe = rigOf('subscribe', 'open')
  test('an authorized signer subscribes a browser, and the core decides about others', async () => {
    assert.deepEqual(await subscribe(agent), [200, 1])
  })
})

describe('with signed reads', () => {
  const subscribe = rigOf('subscribe', 'signed')
  const prefer = rigOf('preferences', 'signed')
  test('only the owner subscribes: a browser would keep receiving after its agent is revoked', async () => {
    assert.deepEqual(await subscribe(agent), [401, 0])
    assert.deepEqual(await subscribe(), [200, 1])
  })
  test('an agent may choose the topics, too', async () => {
    assert.deepEqual(await prefer(agent), [200, 1])
  })
})
