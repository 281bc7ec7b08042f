import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedStructs } from '../../../gateway/actions/typed-structs.js'
import type { StructType } from '../../../schemas/typed-data.js'
import { signingVectors, structOf } from '../../support/signing-vectors.js'

test('every struct except the newest has the type text of a vector', () => {
  const texts = new Set(signingVectors.typeHashes.map((row) => row.encodeType))
  const own = Object.values<StructType>(typedStructs).map((struct) => struct.encodeType)
  const missing = [...texts].filter((text) => !own.includes(text))
  assert.deepEqual(missing, [])
  const withoutVector = own.filter((text) => !texts.has(text))
  assert.deepEqual(withoutVector, [
    'SetSelfTradePrevention(address wallet,string mode,uint64 nonce)',
    'CancelAll(address wallet,string scope,uint64 nonce)',
    'SetDeadMan(address wallet,uint64 timeoutMs,uint64 nonce)',
    'SetCancelOnDisconnect(address wallet,bool enabled,uint64 nonce)',
    'ReadSession(address wallet,uint64 expiresAt)',
  ])
})

test('fields equal the vectors, in order', () => {
  for (const vector of signingVectors.vectors) {
    const struct = structOf(vector.primaryType, vector.types.length)
    assert.deepEqual(struct.fields, vector.types, vector.name)
  }
})

test('structs are found by their primary type', () => {
  for (const [name, struct] of Object.entries<StructType>(typedStructs)) {
    const expected = name === 'PlaceOrderWithoutRoute' ? 'PlaceOrder' : name
    assert.equal(struct.primaryType, expected)
  }
})
