import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CommandType } from '../../../schemas/commands.js'
import { Tier } from '../../../schemas/domain.js'
import { Result } from '../../../schemas/results.js'
import {
  agent,
  type GatewayRig,
  nextNonce,
  owner,
  signedBody,
  startRig,
} from '../../support/gateway-rig.js'

let rig: GatewayRig

before(async () => {
  rig = await startRig({ 'operator.signers': agent.address })
})
beforeEach(() => {
  rig.core.decide = () => ({})
  rig.core.seen.length = 0
})
after(() => rig.stop())

async function send(changes: object = {}, signer = agent) {
  const message = { wallet: owner.address, tier: 'tier2', nonce: nextNonce(), ...changes }
  const response = await rig.request(
    'POST',
    '/user-tier',
    signedBody('SetUserTier', message, message, signer),
  )
  return { status: response.status, value: JSON.parse(await response.text()) }
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

test('mm is read as market_maker and signed as sent', async () => {
  const { value } = await send({ tier: 'mm' })
  assert.equal(value.data.tier, 'market_maker')
})

test('anybody else is unauthorized, the wallet itself too', async () => {
  const { status, value } = await send({}, owner)
  assert.deepEqual(
    [status, value.code, value.success, value.data],
    [401, 'unauthorized', false, null],
  )
  assert.equal(rig.core.seen.length, 0)
})

test('an unknown tier is invalid_field, a used nonce of the signer a conflict', async () => {
  const unknown = await send({ tier: 'gold' })
  assert.deepEqual([unknown.status, unknown.value.code], [400, 'invalid_field'])
  rig.core.decide = () => ({ result: Result.NonceUsed })
  const used = await send()
  assert.deepEqual([used.status, used.value.code], [409, 'conflict'])
})
