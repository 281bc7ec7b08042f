import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorEndpoints } from '../../../../gateway/operator/operator-endpoints.js'
import {
  bodyOf,
  type OperatorAction,
  operatorActions,
  reaches,
} from '../../../../gateway/web/model/operator-actions.js'
import { type OperatorRow, operatorRows } from '../../../../schemas/interface/operator.js'

const rows: Readonly<Record<string, OperatorRow>> = operatorRows
const actions: readonly (readonly [string, OperatorAction])[] = Object.entries(operatorActions)

test('each action is a write of the operator interface, with its scope, its fields and their allowed words', () => {
  for (const [name, { path, scope, fields }] of actions) {
    const row = operatorEndpoints[`POST ${path}`]
    assert.ok(row !== undefined, name)
    assert.equal(rows[`POST ${path}`]!.scope, scope, name)
    for (const { name: field, choices } of fields) {
      const known = row.fields[field as keyof typeof row.fields] as
        | { readonly schema: { readonly enum?: readonly string[] } }
        | undefined
      assert.ok(known !== undefined, `${name}: ${field}`)
      if (choices !== undefined) assert.deepEqual([...choices], known.schema.enum, field)
    }
  }
})

test('a scope reaches its own actions, and all scopes reach every action', () => {
  assert.ok(reaches(['read', 'halts'], 'halts'))
  assert.ok(!reaches(['read', 'halts'], 'money'))
  assert.ok(reaches(['all'], 'money'))
  assert.ok(!reaches([], 'read'))
})

test('a body has the filled-in fields, numbers as such, and names the missing ones', () => {
  const { settle, deposit } = operatorActions
  const filled = { underlying: 'BTC', expiry: '1900000000', price: ' 100000 ' }
  assert.deepEqual(bodyOf(settle, filled), {
    ...{ underlying: 'BTC', expiry: 1_900_000_000, price: '100000' },
  })
  assert.deepEqual(bodyOf(settle, { ...filled, expiry: 'soon' }), {
    missing: 'Expiry, Unix seconds',
  })
  assert.deepEqual(bodyOf(deposit, { wallet: '0x12', amount: '1' }), {
    wallet: '0x12',
    amount: '1',
  })
  assert.deepEqual(bodyOf(deposit, { wallet: '0x12' }), { missing: 'Amount, USD' })
})
