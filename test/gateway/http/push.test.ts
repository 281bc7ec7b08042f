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

describe('where reads are open', () => {
  const subscribe = rigOf('subscribe', 'open')
  test('whoever may sign for the wallet has a browser notified, and the core knows who may', async () => {
    assert.deepEqual(await subscribe(agent), [200, 1])
  })
})

describe('where reads are signed', () => {
  const subscribe = rigOf('subscribe', 'signed')
  const prefer = rigOf('preferences', 'signed')
  test('the owner alone does: a browser would hear of the wallet when its agent is one no longer', async () => {
    assert.deepEqual(await subscribe(agent), [401, 0])
    assert.deepEqual(await subscribe(), [200, 1])
  })
  test('what is told of may be chosen by an agent as well', async () => {
    assert.deepEqual(await prefer(agent), [200, 1])
  })
})
