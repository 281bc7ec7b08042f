import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { CommandType } from '../../../schemas/commands.js'
import { SelfTradeMode } from '../../../schemas/domain.js'
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
  rig = await startRig()
})
beforeEach(() => {
  rig.core.decide = () => ({})
  rig.core.seen.length = 0
})
after(() => rig.stop())

async function send(changes: object = {}, signer = owner) {
  const message = { wallet: owner.address, mode: 'cancel_maker', nonce: nextNonce(), ...changes }
  const body = signedBody('SetSelfTradePrevention', message, message, signer)
  const response = await rig.request('POST', '/self-trade-prevention', body)
  return { status: response.status, value: JSON.parse(await response.text()) }
}

test('each mode reaches the core with what was signed, and is answered in E2', async () => {
  for (const [mode, index] of [
    ['cancel_taker', SelfTradeMode.CancelTaker],
    ['cancel_maker', SelfTradeMode.CancelMaker],
    ['cancel_both', SelfTradeMode.CancelBoth],
  ] as const) {
    const nonce = `1844674407370955${nextNonce()}`
    const { status, value } = await send({ mode, nonce }, agent)
    const { seq, ...rest } = value
    assert.equal(status, 200)
    assert.equal(typeof seq, 'number')
    assert.deepEqual(rest, { success: true, data: { wallet: owner.address, mode }, error: null })
    const command = rig.core.seen.at(-1)!
    assert.equal(command.type, CommandType.SetSelfTrade)
    assert.equal(command.selfTradeMode, index)
    assert.deepEqual(
      [command.wallet, command.signer, command.nonce],
      [owner.address, agent.address, nonce],
    )
  }
})

test('faults stand in the envelope of the endpoint', async () => {
  const unknown = await send({ mode: 'cancel' })
  assert.equal(unknown.status, 400)
  assert.deepEqual(unknown.value, {
    success: false,
    data: null,
    code: 'invalid_field',
    message: 'Invalid mode: must be one of cancel_taker, cancel_maker, cancel_both',
    error: 'invalid_field',
  })
  const empty = await rig.request('POST', '/self-trade-prevention', {})
  assert.match(await empty.text(), /"code":"missing_field","message":"Missing field: wallet"/)
  const body = { wallet: owner.address, mode: 1, nonce: 1, signature: '0x' }
  const typed = await rig.request('POST', '/self-trade-prevention', body)
  assert.match(await typed.text(), /"code":"invalid_parameter"/)
  assert.equal(rig.core.seen.length, 0)
})

test('a used nonce is a conflict, a stranger unauthorized', async () => {
  rig.core.decide = () => ({ result: Result.NonceUsed })
  const used = await send({ nonce: 77 })
  assert.deepEqual([used.status, used.value.code], [409, 'conflict'])
  assert.equal(used.value.message, 'Nonce 77 already used')
  rig.core.decide = () => ({ result: Result.Unauthorized })
  assert.equal((await send({}, agent)).status, 401)
})
