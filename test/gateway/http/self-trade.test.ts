import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SelfTradeMode } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { accountWriteRig } from '../../support/account-write-rig.js'
import { agent, nextNonce, owner } from '../../support/gateway-rig.js'

const rig = accountWriteRig('/self-trade-prevention', 'SetSelfTradePrevention')

function send(changes: object = {}, signer = owner) {
  const message = { wallet: owner.address, mode: 'cancel_maker', nonce: nextNonce(), ...changes }
  return rig.write(message, message, signer)
}

test('each mode reaches the core as signed, and is answered in E2', async () => {
  for (const [mode, index] of [
    ['cancel_taker', SelfTradeMode.CancelTaker],
    ['cancel_maker', SelfTradeMode.CancelMaker],
    ['cancel_both', SelfTradeMode.CancelBoth],
  ] as const) {
    const nonce = `1844674407370955${nextNonce()}`
    const { status, value } = await send({ mode, nonce }, agent)
    const { as_of_seq, ...rest } = value
    assert.equal(status, 200)
    assert.equal(typeof as_of_seq, 'number')
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

test('errors use the envelope of the endpoint', async () => {
  const unknown = await send({ mode: 'cancel' })
  assert.equal(unknown.status, 400)
  assert.deepEqual(unknown.value, {
    success: false,
    data: null,
    code: 'invalid_field',
    message: "Invalid mode: must be one of cancel_taker, cancel_maker, cancel_both, not 'cancel'",
    error: 'invalid_field',
  })
  const { value: empty } = await rig.send({})
  assert.deepEqual([empty.code, empty.message], ['missing_field', 'Missing field: wallet'])
  const typed = await rig.send({ wallet: owner.address, mode: 1, nonce: 1, signature: '0x' })
  assert.equal(typed.value.code, 'invalid_parameter')
  assert.equal(rig.core.seen.length, 0)
})

test('a used nonce is a conflict, and a stranger is unauthorized', async () => {
  rig.core.decide = () => ({ result: Result.NonceUsed })
  const used = await send({ nonce: 77 })
  assert.deepEqual([used.status, used.value.code], [409, 'conflict'])
  assert.equal(used.value.message, 'Nonce 77 already used')
  rig.core.decide = () => ({ result: Result.Unauthorized })
  assert.equal((await send({}, agent)).status, 401)
})
