import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tier } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { accountWriteRig } from '../../support/account-write-rig.js'
import { agent, nextNonce, owner } from '../../support/gateway-rig.js'

const rig = accountWriteRig('/user-tier', 'SetUserTier', { 'operator.signers': agent.address })

function send(changes: object = {}, signer = agent) {
  const message = { wallet: owner.address, tier: 'tier2', nonce: nextNonce(), ...changes }
  return rig.write(message, message, signer)
}

test('a signer of the operator sets the tier of another wallet', async () => {
  const { status, value } = await send()
  assert.equal(status, 200, JSON.stringify(value))
  assert.deepEqual(value.data, {
    wallet_address: owner.address,
    tier: 'tier2',
    limits: {
      max_open_orders: 500,
      max_open_positions: 200,
      orders_per_minute: 120,
      cancels_per_minute: 300,
      api_requests_per_minute: 1200,
    },
  })
  const command = rig.core.seen.at(-1)!
  assert.equal(command.type, CommandType.SetUserTier)
  assert.equal(command.tier, Tier.Tier2)
  assert.deepEqual([command.wallet, command.signer], [owner.address, agent.address])
})

test('mm means market_maker, and is signed as sent', async () => {
  const { value } = await send({ tier: 'mm' })
  assert.equal(value.data.tier, 'market_maker')
})

test('any other signer is unauthorized, the wallet itself too', async () => {
  const { status, value } = await send({}, owner)
  assert.deepEqual(
    [status, value.code, value.success, value.data],
    [401, 'unauthorized', false, null],
  )
  assert.equal(rig.core.seen.length, 0)
})

test('an unknown tier is invalid_field, and a used nonce of the signer a conflict', async () => {
  const unknown = await send({ tier: 'gold' })
  assert.deepEqual([unknown.status, unknown.value.code], [400, 'invalid_field'])
  rig.core.decide = () => ({ result: Result.NonceUsed })
  const used = await send()
  assert.deepEqual([used.status, used.value.code], [409, 'conflict'])
})
