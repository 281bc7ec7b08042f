import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandType } from '../../../schemas/generated/commands.js'
import { UsernameChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { accountWriteRig } from '../../support/account-write-rig.js'
import { nextNonce, owner } from '../../support/gateway-rig.js'

const rig = accountWriteRig('/submitUsernameRequest', 'SubmitUsernameRequest')

function send(name: string) {
  const body = { wallet: owner.address, requested_username: name, nonce: nextNonce() }
  const message = { wallet: owner.address, requestedUsername: name, nonce: body.nonce }
  return rig.write(message, body, owner)
}

test('a name is signed as sent, and stored in lower case', async () => {
  for (const [status, change] of [
    ['pending', UsernameChange.Requested],
    ['approved', UsernameChange.Approved],
  ] as const) {
    rig.core.decide = () => ({ side: change }) // the field with the change
    const { status: http, value } = await send('Alice_1')
    assert.equal(http, 200)
    const requested_username = 'alice_1'
    assert.deepEqual(value.data, { wallet_address: owner.address, requested_username, status })
    assert.equal(rig.core.seen.at(-1)!.type, CommandType.RequestUsername)
  }
})

test('a taken name is a conflict that names it', async () => {
  rig.core.decide = () => ({ result: Result.Conflict })
  const { status, value } = await send('Alice')
  assert.deepEqual([status, value.code, value.data], [409, 'conflict', null])
  assert.match(value.message, /alice is taken/)
})

test('a malformed name fails before the engine', async () => {
  for (const name of [
    'ab',
    'a'.repeat(21),
    '1abc',
    'a b',
    ' alice',
    'alice ',
    'älice',
    'Al\u212Ace',
    '',
  ]) {
    const { status, value } = await send(name)
    assert.deepEqual([status, value.code], [400, 'invalid_field'], name)
  }
  assert.equal(rig.core.seen.length, 0)
})
