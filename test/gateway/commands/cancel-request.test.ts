import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigning } from '../../../gateway/actions/signing.js'
import { readCancel } from '../../../gateway/commands/cancel-request.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { resultRows } from '../../../schemas/results.js'

const signing = createSigning('Strikebook', 31_337)
const valid = {
  wallet: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
  nonce: 1,
  signature: '0x',
}

function codeOf(changes: object, byClientId = false): string {
  const cancel = readCancel({ ...valid, ...changes }, byClientId, signing)
  return cancel instanceof Fault
    ? `${resultRows[cancel.result].code} ${cancel.message}`
    : 'accepted'
}

test('a cancel names one order, by id or by client id', () => {
  assert.equal(codeOf({ order_id: 5 }), 'accepted')
  assert.equal(codeOf({ order_id: '5', client_id: null }), 'accepted')
  assert.equal(codeOf({ client_id: 'a' }), 'accepted')
  assert.match(codeOf({}), /^missing_field/)
  assert.match(codeOf({ order_id: 5, client_id: 'a' }), /^invalid_parameter/)
})

test('a client id to cancel by is not empty', () => {
  assert.match(codeOf({ client_id: '' }), /^invalid_field Invalid client_id/)
  assert.match(codeOf({ client_id: '' }, true), /^invalid_field Invalid client_id/)
})

test('the alias accepts a client id only', () => {
  assert.equal(codeOf({ client_id: 'a', order_id: 5 }, true), 'accepted')
  assert.match(codeOf({ order_id: 5 }, true), /^missing_field Missing field: client_id/)
})

test('types are checked before values', () => {
  assert.match(codeOf({ order_id: {}, wallet: '0x' }), /^invalid_parameter Invalid order_id/)
  assert.match(codeOf({ client_id: 5, wallet: '0x' }), /^invalid_parameter Invalid client_id/)
  assert.match(codeOf({ order_id: 5, wallet: '0x' }), /^invalid_wallet/)
  assert.match(codeOf({ order_id: 5, nonce: 'x' }), /^invalid_parameter Invalid nonce/)
})
