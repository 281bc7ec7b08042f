import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StructType, signingDomains, typedStructs } from '../../schemas/typed-data.js'
import { signingVectors, structOf } from '../support/signing-vectors.js'

test('every struct but the newest has the type text of a vector', () => {
  const texts = new Set(signingVectors.typeHashes.map((row) => row.encodeType))
  const own = Object.values<StructType>(typedStructs).map((struct) => struct.encodeType)
  const missing = [...texts].filter((text) => !own.includes(text))
  assert.deepEqual(missing, [])
  const withoutVector = own.filter((text) => !texts.has(text))
  assert.deepEqual(withoutVector, [
    'SetSelfTradePrevention(address wallet,string mode,uint64 nonce)',
  ])
})

test('fields are those of the vectors, in order', () => {
  for (const vector of signingVectors.vectors) {
    const struct = structOf(vector.primaryType, vector.types.length)
    assert.deepEqual(struct.fields, vector.types, vector.name)
  }
})

test('structs are found under their primary type', () => {
  for (const [name, struct] of Object.entries<StructType>(typedStructs)) {
    const expected = name === 'PlaceOrderWithoutRoute' ? 'PlaceOrder' : name
    assert.equal(struct.primaryType, expected)
  }
})

test('an environment has four domains, three of them its own', () => {
  const domains = signingDomains('Strikebook', 31337)
  const names = Object.values(domains).map((domain) => `${domain.name}/${domain.chainId}`)
  assert.deepEqual(names, [
    'Strikebook/31337',
    'StrikebookApiSign/31337',
    'StrikebookManagerSign/31337',
    'Exchange/1337',
  ])
})
