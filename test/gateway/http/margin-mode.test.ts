import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MarginMode } from '../../../schemas/domain.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { accountWriteRig } from '../../support/account-write-rig.js'
import { agent, nextNonce, owner } from '../../support/gateway-rig.js'

const rig = accountWriteRig('/margin-mode', 'SetMarginMode')

function send(mode: string, signer = owner) {
  const [wallet, nonce] = [owner.address, nextNonce()]
  return rig.write(
    { wallet, marginMode: mode, nonce },
    { wallet, margin_mode: mode, nonce },
    signer,
  )
}

test('each mode reaches the core as signed, and the answer names the previous one', async () => {
  for (const [mode, index, previous] of [
    ['standard', MarginMode.Standard, MarginMode.Portfolio],
    ['portfolio', MarginMode.Portfolio, MarginMode.Standard],
  ] as const) {
    rig.core.decide = () => ({ side: previous })
    const { status, value } = await send(mode, agent)
    assert.equal(status, 200)
    const { as_of_seq, ...rest } = value
    assert.equal(typeof as_of_seq, 'number')
    const previous_mode = previous === MarginMode.Portfolio ? 'portfolio' : 'standard'
    const data = { wallet: owner.address, margin_mode: mode, previous_mode }
    assert.deepEqual(rest, { success: true, data, error: null })
    const command = rig.core.seen.at(-1)!
    assert.deepEqual(
      [command.type, command.marginMode, command.wallet, command.signer],
      [CommandType.SetMarginMode, index, owner.address, agent.address],
    )
  }
})

test('errors of gateway and engine use E2 with their codes', async () => {
  const wrong = await send('defined_risk')
  assert.deepEqual([wrong.status, wrong.value.code], [400, 'invalid_field'])
  assert.deepEqual([wrong.value.success, wrong.value.data], [false, null])
  assert.equal(rig.core.seen.length, 0)
  for (const [result, status, code] of [
    [Result.MarginModeUnavailable, 403, 'margin_mode_unavailable'],
    [Result.MarginNotMet, 409, 'conflict'],
    [Result.NonceUsed, 409, 'conflict'],
    [Result.Unauthorized, 401, 'unauthorized'],
  ] as const) {
    rig.core.decide = () => ({ result })
    const { status: got, value } = await send('portfolio')
    assert.deepEqual([got, value.code, value.error, value.data], [status, code, code, null])
  }
})
