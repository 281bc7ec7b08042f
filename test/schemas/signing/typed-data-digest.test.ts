import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { typedStructs } from '../../../gateway/actions/typed-structs.js'
import { formatHex } from '../../../schemas/hex.js'
import {
  domainSeparator,
  type TypedMessage,
  type TypedValue,
  typedDataDigest,
  typeHash,
} from '../../../schemas/signing/typed-data-digest.js'
import type { SigningDomain, StructType } from '../../../schemas/typed-data.js'
import { signingVectors, structOf } from '../../support/signing-vectors.js'

const verifyingContract = '0x0000000000000000000000000000000000000000'
const domain: SigningDomain = { name: 'Strikebook', version: '1', chainId: 31337 }

test('domain separators equal the vectors', () => {
  for (const row of signingVectors.domainSeparators) {
    assert.equal(hex(domainSeparator(row)), row.separator, `${row.name}/${row.chainId}`)
  }
})

test('type hashes equal the vectors', () => {
  for (const row of signingVectors.typeHashes) {
    const struct = Object.values<StructType>(typedStructs).find(
      (candidate) => candidate.encodeType === row.encodeType,
    )
    assert.equal(hex(typeHash(struct!)), row.typeHash, row.encodeType)
  }
})

test('digests equal all 54 vectors', () => {
  assert.equal(signingVectors.vectors.length, 54)
  for (const vector of signingVectors.vectors) {
    const struct = structOf(vector.primaryType, vector.types.length)
    assert.equal(
      hex(typedDataDigest(vector.domain, struct, vector.message)),
      vector.digest,
      vector.name,
    )
  }
})

test('random messages of every struct have the digest that viem and ethers compute', () => {
  for (const struct of Object.values<StructType>(typedStructs)) {
    const types = { [struct.primaryType]: [...struct.fields], ...mutable(struct.nested) }
    fc.assert(
      fc.property(messageOf(struct.fields, struct), (message) => {
        const digest = hex(typedDataDigest(domain, struct, message as TypedMessage))
        const byEthers = TypedDataEncoder.hash({ ...domain, verifyingContract }, types, message)
        const byViem = hashTypedData({
          domain: { ...domain, verifyingContract },
          types,
          primaryType: struct.primaryType,
          message,
        })
        assert.equal(digest, byEthers)
        assert.equal(digest, byViem)
      }),
      { numRuns: 8 },
    )
  }
})

test('bytes, numbers and texts of the same value have the same digest', () => {
  const struct = typedStructs.SubmitRFQ
  const wallet = signingVectors.keys['A']!.address
  const id = `0x${'ab'.repeat(32)}`
  const asText = {
    rfqId: id,
    legsHash: id,
    wallet: wallet.toUpperCase().replace('0X', '0x'),
    nonce: '7',
  }
  const idBytes = new Uint8Array(32).fill(0xab)
  const walletBytes = Uint8Array.from(Buffer.from(wallet.slice(2), 'hex'))
  const asBytes = { rfqId: idBytes, legsHash: idBytes, wallet: walletBytes, nonce: 7n }
  const expected = hex(typedDataDigest(domain, struct, asText))
  assert.equal(hex(typedDataDigest(domain, struct, asBytes)), expected)
  assert.equal(hex(typedDataDigest(domain, struct, { ...asBytes, nonce: 7 })), expected)
})

test('a value that does not fit its type is a bug of the caller', () => {
  const cases: readonly [StructType, TypedMessage][] = [
    [typedStructs.RevokeAllAgents, {}],
    [typedStructs.RevokeAllAgents, { nonce: 2n ** 64n }],
    [typedStructs.RevokeAllAgents, { nonce: -1 }],
    [typedStructs.RevokeAllAgents, { nonce: 1.5 }],
    [typedStructs.RevokeAllAgents, { nonce: '0x10' }],
    [typedStructs.RevokeAllAgents, { nonce: '' }],
    [typedStructs.ApproveAgent, { agent: '0x12', nonce: 1 }],
    [typedStructs.ApproveAgent, { agent: `0x${'zz'.repeat(20)}`, nonce: 1 }],
    [typedStructs.Agent, { source: 5, connectionId: new Uint8Array(32) }],
    [typedStructs.Agent, { source: 'a', connectionId: new Uint8Array(31) }],
    [typedStructs.HLCancel, { account: new Uint8Array(20), nonce: 1, action: 'x' }],
    [
      typedStructs.HCPerpOrderBatch,
      { account: new Uint8Array(20), nonce: 1, grouping: 0, orders: 'x' },
    ],
    [
      typedStructs.HCPerpOrderBatch,
      { account: new Uint8Array(20), nonce: 1, grouping: 256, orders: [] },
    ],
  ]
  for (const [struct, message] of cases) {
    assert.throws(() => typedDataDigest(domain, struct, message), /typed data/, struct.primaryType)
  }
})

test('the error of a missing value, or of a number instead of a text, names the field', () => {
  const approval = { agent: `0x${'11'.repeat(20)}` }
  assert.throws(
    () => typedDataDigest(domain, typedStructs.ApproveAgent, approval),
    /: nonce has no value/,
  )
  const agent = { source: 5, connectionId: new Uint8Array(32) }
  assert.throws(() => typedDataDigest(domain, typedStructs.Agent, agent), /: source must be text/)
})

function hex(bytes: Uint8Array): string {
  return formatHex(bytes, 0, bytes.length)
}

type Fields = StructType['fields']

function mutable(nested: StructType['nested']): Record<string, { name: string; type: string }[]> {
  return Object.fromEntries(Object.entries(nested).map(([name, fields]) => [name, [...fields]]))
}

function messageOf(fields: Fields, struct: StructType): fc.Arbitrary<Record<string, TypedValue>> {
  const entries = fields.map((field) => [field.name, valueOfType(field.type, struct)] as const)
  return fc.record(Object.fromEntries(entries), { noNullPrototype: true })
}

function valueOfType(type: string, struct: StructType): fc.Arbitrary<TypedValue> {
  if (type.endsWith('[]')) return fc.array(valueOfType(type.slice(0, -2), struct), { maxLength: 4 })
  const nested = struct.nested[type]
  if (nested !== undefined) return messageOf(nested, struct)
  if (type === 'string') return fc.string({ unit: 'binary', maxLength: 80 })
  if (type === 'bool') return fc.boolean()
  if (type === 'address' || type === 'bytes32') {
    const length = type === 'address' ? 20 : 32
    return fc.uint8Array({ minLength: length, maxLength: length }).map(hex)
  }
  const bits = BigInt(type.replace(/\D/g, ''))
  if (type.startsWith('uint')) return fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
  return fc.bigInt({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n })
}
