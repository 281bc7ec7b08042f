import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Right } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { accountWriteRig } from '../../support/account-write-rig.js'
import { agent, nextNonce, owner } from '../../support/gateway-rig.js'

const rig = accountWriteRig('/cancel-all', 'CancelAll')

function send(scope: string, signer = owner) {
  const message = { wallet: owner.address, scope, nonce: nextNonce() }
  return rig.write(message, message, signer)
}

test('a scope is all, an underlying or a symbol, signed by the wallet or its agent', async () => {
  rig.core.decide = () => ({ orderId: 3 }) // the field with the number of orders
  for (const [scope, ...terms] of [
    ['all', '', 0, 0],
    ['BTC', 'BTC', 0, 0],
    ['BTC-PERP', 'BTC', 0, 0],
    ['BTC-20260131-100000-P', 'BTC', 20260131, 100_000e6],
  ] as const) {
    const { status, value } = await send(scope, agent)
    assert.equal(status, 200, scope)
    assert.deepEqual(value.data, { wallet: owner.address, scope, canceled: 3 })
    const command = rig.core.seen.at(-1)!
    assert.equal(command.type, CommandType.CancelAll)
    const { underlying, expiryDate, strikeMicros } = command
    assert.deepEqual([underlying, expiryDate, strikeMicros], terms)
  }
  assert.equal(rig.core.seen.at(-1)!.right, Right.Put)
})

test('an invalid scope fails before the core, and an unlisted symbol fails in the core', async () => {
  for (const scope of ['', 'btc', 'BTC-20260131', 'All']) {
    const { status, value } = await send(scope)
    assert.deepEqual([status, value.code], [400, 'invalid_field'], scope)
  }
  assert.equal(rig.core.seen.length, 0)
  rig.core.decide = () => ({ result: Result.InvalidSymbol })
  const { status, value } = await send('ETH')
  // The status alone must show that nothing was done.
  assert.deepEqual([status, value.success, value.code], [404, false, 'not_found'])
  assert.equal(value.message, 'Invalid symbol: ETH')
})
