import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { hashTypedData } from 'viem'
import { createSigning } from '../../../gateway/actions/signing.js'
import {
  type DirectiveRequest,
  readDirective,
} from '../../../gateway/commands/directive-request.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { Route, Tif } from '../../../schemas/domain.js'
import { formatHex } from '../../../schemas/hex.js'
import type { DirectiveKey } from '../../../schemas/interface/directives.js'
import { PerpScheme } from '../../../schemas/record-values.js'
import { resultRows } from '../../../schemas/results.js'
import {
  directiveOf,
  signedDirectives,
  termsOf,
} from '../../../schemas/signing/directive-actions.js'
import { typedDataDigest } from '../../../schemas/signing/typed-data-digest.js'
import { signingDomains, type TypedField } from '../../../schemas/typed-data.js'
import { signingVectors } from '../../support/signing-vectors.js'

const signing = createSigning('Strikebook', 31_337)
const account = '0x19E7E376E7C213B7E7E7E46CC70A5DD086DAFF2A'.replace('0X', '0x')
const zero = `0x${'0'.repeat(40)}`
const order = {
  ...{ asset: 7, isBuy: true, limitPx: '10000000000000', sz: 50_000_000 },
  ...{ reduceOnly: false, encodedTif: 2, cloid: 5 },
}
const valid: Readonly<Record<DirectiveKey, object>> = {
  hl_limit_order: order,
  hl_cancel_by_oid: { asset: 7, oid: 12 },
  hl_cancel_by_cloid: { asset: 7, cloid: 5 },
  hl_set_abstraction: { user: account, abstraction: 2 },
  hc_update_api_wallet: { name: `0x${'6b'.repeat(32)}`, addr: `0x${'ab'.repeat(20)}` },
}

function read(key: DirectiveKey, changes: object, action: object = {}): DirectiveRequest | Fault {
  const underlyingOf = (asset: number) => (asset === 6 ? 'BTC' : null)
  const body = {
    ...{ account, nonce: 9, signature: '0x' },
    action: { ...valid[key], ...action },
    ...changes,
  }
  return readDirective(directiveOf(key), body, signing, underlyingOf)
}

function faultOf(key: DirectiveKey, changes: object, action: object = {}): string {
  const request = read(key, changes, action)
  if (!(request instanceof Fault)) return 'accepted'
  return `${resultRows[request.result].code} ${request.message}`
}

function sound(key: DirectiveKey, action: object = {}, changes: object = {}): DirectiveRequest {
  const request = read(key, changes, action)
  assert.ok(!(request instanceof Fault), faultOf(key, changes, action))
  return request
}

test('an order becomes an order of the perp for the book, under the scheme of directives', () => {
  const { operation, account: wallet, nonce } = sound('hl_limit_order')
  assert.ok('order' in operation)
  const read = operation.order
  assert.deepEqual([wallet, nonce], [account.toLowerCase(), 9])
  assert.deepEqual(read.terms, { asset: 6, expiresMillis: 0, scheme: PerpScheme.Directive })
  assert.deepEqual([read.canonicalSymbol, read.side], ['BTC-PERP', 'Buy'])
  assert.deepEqual([read.price, read.priceMicros], ['100000', 100_000_000_000])
  assert.deepEqual([read.size, read.sizeLots], ['0.5', 50_000_000])
  assert.deepEqual([read.tifIndex, read.routeIndex], [Tif.Gtc, Route.BookOnly])
  assert.equal(read.clientId, `0x${'0'.repeat(31)}5`)
})

test('an order without a cloid uses its nonce, and the largest values are accepted unchanged', () => {
  const nonce = '18446744073709551615'
  for (const cloid of [undefined, null]) {
    const { operation, message } = sound('hl_limit_order', { cloid }, { nonce })
    assert.ok('order' in operation)
    assert.equal(operation.order.clientId, `0x${'0'.repeat(16)}${'f'.repeat(16)}`)
    assert.equal((message['action'] as Record<string, unknown>)['cloid'], 2n ** 64n - 1n)
  }
  const cloid = (2n ** 128n - 1n).toString()
  const { operation } = sound('hl_cancel_by_cloid', { cloid })
  assert.ok('cancel' in operation)
  assert.equal(operation.cancel.clientId, `0x${'f'.repeat(32)}`)
  const text = sound('hl_cancel_by_cloid', { cloid: `0x${'F'.repeat(32)}` }).operation
  assert.ok('cancel' in text)
  assert.equal(text.cancel.clientId, operation.cancel.clientId)
  const oid = sound('hl_cancel_by_oid', { oid: '18446744073709551615' }).operation
  assert.ok('cancel' in oid)
  assert.equal(oid.cancel.orderId, String(Number.MAX_SAFE_INTEGER), 'which no order has')
})

test('times in force are numbers', () => {
  const tifs = [1, 2, 3].map((encodedTif) => {
    const { operation } = sound('hl_limit_order', { encodedTif })
    return 'order' in operation ? operation.order.tif : ''
  })
  assert.deepEqual(tifs, ['alo', 'gtc', 'ioc'])
})

test('an unknown asset belongs to no perp', () => {
  for (const asset of [99, 2 ** 32 - 1]) {
    const { operation } = sound('hl_limit_order', { asset })
    assert.ok('order' in operation)
    assert.equal(operation.order.canonicalSymbol, '')
  }
})

test('values that no order may have fail', () => {
  const refused: readonly (readonly [object, string])[] = [
    [{ limitPx: 0 }, "limitPx: must be greater than 0 ('0')"],
    [{ sz: '0' }, "sz: must be greater than 0 ('0')"],
    [{ limitPx: 12_345_600_000_000 }, "limitPx: has more than 5 significant figures ('123456')"],
    [{ limitPx: 150 }, "limitPx: has more than 6 decimals ('0.0000015')"],
    [
      { limitPx: '18446744073709551615' },
      "limitPx: has more than 5 significant figures ('184467440737.09551615')",
    ],
    [{ limitPx: '18446744073709551616' }, 'limitPx: must be below 2^64'],
    [{ limitPx: '9'.repeat(1000) }, 'limitPx: must be below 2^64'],
    [{ sz: '10000000000001' }, "sz: is more than 100000 ('100000.00000001')"],
    [
      { limitPx: '100000000000000000', sz: '10000000000000' },
      'sz: price times size is 100000000000000 USD; at most 9007199254.740991 is allowed',
    ],
    [{ encodedTif: 0 }, 'encodedTif: must be 1, 2 or 3'],
    [{ encodedTif: 4 }, 'encodedTif: must be 1, 2 or 3'],
    [{ encodedTif: 256 }, 'encodedTif: must be below 2^8'],
    [{ asset: 2 ** 32 }, 'asset: must be below 2^32'],
    [{ asset: -1 }, 'asset: must not be below 0'],
    [{ cloid: 0 }, 'cloid: must not be 0'],
    [{ cloid: (2n ** 128n).toString() }, 'cloid: must be below 2^128'],
  ]
  for (const [action, detail] of refused) {
    assert.equal(faultOf('hl_limit_order', {}, action), `invalid_field Invalid action.${detail}`)
  }
  assert.match(faultOf('hl_cancel_by_oid', {}, { oid: 0 }), /^invalid_field .*action.oid: must not/)
  assert.match(faultOf('hl_cancel_by_cloid', {}, { cloid: 0 }), /action.cloid: must not be 0/)
  assert.match(faultOf('hl_limit_order', { nonce: 0 }), /^invalid_field .*nonce: must not be 0/)
  assert.match(faultOf('hl_limit_order', { account: zero }), /^invalid_wallet/)
  assert.match(faultOf('hl_limit_order', { account: 'x' }), /^invalid_wallet/)
})

test('settings fail for another account, and with values that are not offered', () => {
  assert.match(faultOf('hl_set_abstraction', {}, { user: zero }), /user: must be the account/)
  assert.match(faultOf('hl_set_abstraction', {}, { abstraction: 1 }), /abstraction: must be 2/)
  assert.match(
    faultOf('hc_update_api_wallet', {}, { addr: account }),
    /addr: must not be the account/,
  )
  assert.match(faultOf('hc_update_api_wallet', {}, { addr: '0x1' }), /addr: must be 0x/)
  assert.match(faultOf('hc_update_api_wallet', {}, { name: '0x12' }), /name: must be 0x followed/)
  const { operation } = sound('hc_update_api_wallet', { addr: zero })
  assert.ok('apiWallet' in operation)
  assert.deepEqual(operation.apiWallet.address, new Uint8Array(20))
})

test('missing fields come before wrong types, and those before bad values', () => {
  for (const name of ['account', 'nonce', 'signature', 'action']) {
    const changes = { [name]: undefined }
    assert.match(faultOf('hl_limit_order', changes, { sz: 0 }), /^missing_field/, name)
  }
  for (const [key, action] of Object.entries(valid)) {
    for (const name of Object.keys(action)) {
      if (key === 'hl_limit_order' && name === 'cloid') continue
      const fault = faultOf(key as DirectiveKey, { nonce: '1.5' }, { [name]: null })
      assert.equal(fault, `missing_field Missing field: action.${name}`)
    }
  }
  const wrong: readonly object[] = [
    ...[{ limitPx: 1.5 }, { limitPx: -1 }, { limitPx: 2 ** 53 }, { limitPx: '1.5' }],
    ...[{ limitPx: '-1' }, { limitPx: '' }, { limitPx: '0x10' }, { sz: true }, { sz: [] }],
    ...[{ isBuy: 1 }, { asset: '7' }, { encodedTif: '2' }, { cloid: `0x${'0'.repeat(31)}` }],
    ...[{ cloid: { toString: 1 } }, { cloid: [`0x${'1'.repeat(32)}`] }, { cloid: {} }],
  ]
  for (const action of wrong) {
    const fault = faultOf('hl_limit_order', {}, { encodedTif: 0, ...action })
    assert.match(fault, /^invalid_parameter/, JSON.stringify(action))
  }
  for (const nonce of [1.5, -1, 2 ** 53, '', '0x1', '18446744073709551616', {}]) {
    assert.match(faultOf('hl_limit_order', { nonce }), /^invalid_parameter/, String(nonce))
  }
  assert.match(faultOf('hl_limit_order', { action: [] }), /^invalid_parameter/)
  assert.match(faultOf('hl_limit_order', { signature: {} }), /^invalid_parameter/)
})

test('unknown fields fail at any depth, and the signer is not checked', () => {
  assert.match(
    faultOf('hl_limit_order', { wallet: account }),
    /^invalid_field Unknown field: wallet/,
  )
  assert.match(faultOf('hl_cancel_by_oid', {}, { cloid: 5 }), /^invalid_field Unknown field/)
  assert.equal(faultOf('hl_limit_order', { signer: 5 }), 'accepted')
})

test('signed content has the digest that viem and ethers compute, for every key and value', () => {
  const large = (bits: bigint) => fc.bigInt({ min: 1n, max: 2n ** bits - 1n })
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => hex(bytes))
  const cloid = fc.oneof(large(128n), fc.constant(2n ** 128n - 1n))
  const asset = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  const actions: Readonly<Record<DirectiveKey, fc.Arbitrary<Record<string, unknown>>>> = {
    hl_limit_order: fc.record({
      asset,
      isBuy: fc.boolean(),
      limitPx: fc.integer({ min: 1, max: 99_999 }).map((px) => BigInt(px) * 10n ** 8n),
      sz: fc.bigInt({ min: 1n, max: 10n ** 9n }),
      reduceOnly: fc.boolean(),
      encodedTif: fc.integer({ min: 1, max: 3 }),
      cloid,
    }),
    hl_cancel_by_oid: fc.record({ asset, oid: fc.oneof(large(64n), fc.constant(2n ** 64n - 1n)) }),
    hl_cancel_by_cloid: fc.record({ asset, cloid }),
    hl_set_abstraction: fc.constant({ user: account.toLowerCase(), abstraction: 2 }),
    hc_update_api_wallet: fc.record({
      name: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => hex(bytes)),
      addr: address,
    }),
  }
  for (const key of Object.keys(actions) as DirectiveKey[]) {
    fc.assert(
      fc.property(actions[key], large(64n), (action, nonce) => {
        const texts = Object.entries(action).map(([name, value]) => {
          return [name, typeof value === 'bigint' ? String(value) : value] as const
        })
        const request = read(key, { nonce: String(nonce), action: Object.fromEntries(texts) })
        assert.ok(!(request instanceof Fault), JSON.stringify(texts))
        const { struct, domain } = directiveOf(key)
        const signed = signingDomains('Strikebook', 31_337)[domain]
        const digest = hex(typedDataDigest(signed, struct, request.message))
        const types: Record<string, TypedField[]> = { [struct.primaryType]: [...struct.fields] }
        for (const [name, fields] of Object.entries(struct.nested)) types[name] = [...fields]
        const message = { account: account.toLowerCase(), nonce, action }
        const whole = { ...signed, verifyingContract: zero as `0x${string}` }
        assert.equal(digest, TypedDataEncoder.hash(whole, types, message))
        const { primaryType } = struct
        assert.equal(digest, hashTypedData({ domain: whole, types, primaryType, message }))
      }),
      { numRuns: 20 },
    )
  }
})

test('bodies of the vectors have their digests', () => {
  const isDirective = (name: string) => {
    return signedDirectives.find(({ struct }) => struct.primaryType === name)
  }
  let count = 0
  for (const { primaryType, message, domain, digest } of signingVectors.vectors) {
    const row = isDirective(primaryType)
    if (row === undefined) continue
    const given = Object.entries((message as unknown as { readonly action: object }).action)
    const small = termsOf(row).filter(({ type }) => type === 'uint8' || type === 'uint32')
    const action = given.map(([name, value]) => {
      return [name, small.some((field) => field.name === name) ? Number(value) : value] as const
    })
    const request = read(row.key, { ...(message as object), action: Object.fromEntries(action) })
    assert.ok(!(request instanceof Fault), row.key)
    assert.equal(hex(typedDataDigest(domain, row.struct, request.message)), digest)
    count++
  }
  assert.equal(count, signedDirectives.length)
})

function hex(bytes: Uint8Array): string {
  return formatHex(bytes, 0, bytes.length)
}
