import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigning } from '../../../gateway/actions/signing.js'
import { OrderRequest } from '../../../gateway/commands/order-request.js'
import {
  asksForPerpOrder,
  type PerpRequest,
  readPerpRequest,
} from '../../../gateway/commands/perp-request.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { Route, Tif } from '../../../schemas/domain.js'
import { PerpScheme } from '../../../schemas/record-values.js'
import { resultRows } from '../../../schemas/results.js'
import { perpActionBytes } from '../../../schemas/signing/perp-action-hash.js'
import { perpOf } from '../../../schemas/symbol.js'

const signing = createSigning('Strikebook', 31_337)
const nowMillis = 1_800_000_000_000
const cloid = `0x${'0a'.repeat(16)}`
const order = { a: 7, b: true, p: '100000', s: '0.5', r: false, t: { limit: { tif: 'Gtc' } } }
const action = { type: 'order', orders: [order], grouping: 'na' }
const cancel = { type: 'cancel', cancels: [{ a: 7, o: 12 }] }
const byCloid = { type: 'cancelByCloid', cancels: [{ asset: 7, cloid }] }
const valid = {
  wallet: '0x19E7E376E7C213B7E7E7E46CC70A5DD086DAFF2A'.replace('0X', '0x'),
  action,
  nonce: 1,
  signature: '0x',
}

function read(changes: object): PerpRequest | Fault {
  const underlyingOf = (asset: number) => (asset === 6 ? 'BTC' : null)
  return readPerpRequest({ ...valid, ...changes }, signing, underlyingOf)
}

function codeOf(changes: object): string {
  const request = read(changes)
  return request instanceof Fault
    ? `${resultRows[request.result].code} ${request.message}`
    : 'accepted'
}

function sound(changes: object): PerpRequest {
  const request = read(changes)
  assert.ok(!(request instanceof Fault), codeOf(changes))
  return request
}

const withOrder = (terms: object) => ({ action: { ...action, orders: [{ ...order, ...terms }] } })

test('an order becomes an order of the perp, with its texts as received', () => {
  const nonce = '18446744073709551615'
  const request = sound({ ...withOrder({ b: false, r: true, c: cloid, s: '0.00000001' }), nonce })
  const { request: read } = request
  assert.ok(read instanceof OrderRequest)
  assert.deepEqual(read.option, perpOf('BTC'))
  assert.deepEqual([read.terms?.asset, read.canonicalSymbol, read.side], [6, 'BTC-PERP', 'Sell'])
  assert.deepEqual([read.price, read.priceMicros], ['100000', 100_000_000_000])
  assert.deepEqual([read.size, read.sizeLots], ['0.00000001', 1])
  assert.deepEqual([read.clientId, read.reduceOnlyGiven, read.nonce], [cloid, true, nonce])
  assert.deepEqual([read.routeIndex, read.walletText], [Route.BookOnly, valid.wallet.toLowerCase()])
  const hashed = { ...order, b: false, r: true, c: cloid, s: '0.00000001' }
  assert.deepEqual(request.action, { type: 'order', orders: [hashed], grouping: 'na' })
  const halves = { nonceHigh: 0xffff_ffff, nonceLow: 0xffff_ffff }
  assert.deepEqual(request.context, { ...halves, vault: null, expiresAfterMillis: null })
})

test('times in force of the wire have our names', () => {
  for (const [tif, name, index] of [
    ['Gtc', 'gtc', Tif.Gtc],
    ['Ioc', 'ioc', Tif.Ioc],
    ['Alo', 'alo', Tif.Alo],
  ] as const) {
    const { request } = sound(withOrder({ t: { limit: { tif } } }))
    assert.ok(request instanceof OrderRequest)
    assert.deepEqual([request.tif, request.tifIndex], [name, index])
  }
  for (const tif of ['gtc', 'Fok', 'toString', '']) {
    assert.match(codeOf(withOrder({ t: { limit: { tif } } })), /^invalid_field/)
  }
})

test('cancels name an order of the perp, by id or by client id', () => {
  const byId = sound({ action: cancel })
  const { orderId, clientId, terms } = byId.request
  assert.deepEqual(
    [orderId, clientId, terms],
    ['12', '', { asset: 6, expiresMillis: 0, scheme: PerpScheme.Action }],
  )
  assert.deepEqual(perpOfCancel(byId), perpOf('BTC'))
  assert.deepEqual(byId.action, cancel)
  const byClientId = sound({ action: byCloid })
  assert.deepEqual([byClientId.request.orderId, byClientId.request.clientId], ['', cloid])
  assert.deepEqual(byClientId.action, byCloid)
})

test('an unknown asset is parsed like another, without a perp', () => {
  const { request } = sound(withOrder({ a: 8 }))
  assert.ok(request instanceof OrderRequest)
  assert.deepEqual([request.option, request.canonicalSymbol], [null, ''])
  assert.equal(perpOfCancel(sound({ action: { ...cancel, cancels: [{ a: 0, o: 1 }] } })), null)
})

function perpOfCancel({ request }: PerpRequest) {
  assert.ok(!(request instanceof OrderRequest))
  return request.perp
}

test('null for an optional field means absent, and is not hashed', () => {
  const request = sound({ ...withOrder({ c: null }), vaultAddress: null, expiresAfter: null })
  assert.deepEqual(perpActionBytes(request.action), perpActionBytes(sound({}).action))
})

test('every missing required field is reported, nested ones too', () => {
  for (const name of ['wallet', 'action', 'nonce', 'signature']) {
    assert.equal(codeOf({ [name]: undefined }), `missing_field Missing field: ${name}`)
    assert.equal(codeOf({ [name]: null }), `missing_field Missing field: ${name}`)
  }
  for (const name of ['type', 'orders', 'grouping']) {
    const missing = codeOf({ action: { ...action, [name]: undefined } })
    assert.equal(missing, `missing_field Missing field: action.${name}`)
  }
  for (const name of Object.keys(order)) {
    const missing = codeOf(withOrder({ [name]: undefined }))
    assert.equal(missing, `missing_field Missing field: action.orders[0].${name}`)
  }
  for (const t of [{}, { limit: {} }]) assert.match(codeOf(withOrder({ t })), /^missing_field/)
  for (const one of [{ a: 7 }, { o: 1 }]) {
    assert.match(codeOf({ action: { ...cancel, cancels: [one] } }), /^missing_field/)
  }
  for (const one of [{ asset: 7 }, { cloid }]) {
    assert.match(codeOf({ action: { ...byCloid, cancels: [one] } }), /^missing_field/)
  }
  assert.match(codeOf({ signature: { r: '0x1', s: '0x1' } }), /^missing_field.*signature\.v/)
})

test('a wrong type is an invalid parameter', () => {
  for (const changes of [
    { wallet: 1 },
    { action: [] },
    { action: { ...action, type: 1 } },
    { action: { ...action, orders: order } },
    { action: { ...action, orders: [] } },
    { action: { ...action, orders: [order, order] } },
    { action: { ...action, orders: [1] } },
    { action: { ...action, grouping: 1 } },
    { nonce: -1 },
    { nonce: 1.5 },
    { nonce: 2 ** 53 },
    { signature: 1 },
    { signature: { r: 1, s: '0x1', v: 27 } },
    { vaultAddress: 1 },
    { expiresAfter: String(nowMillis) },
    { action: { ...cancel, cancels: [{ a: 7, o: '12' }] } },
    { action: { ...byCloid, cancels: [{ asset: '7', cloid }] } },
    withOrder({ a: '7' }),
    withOrder({ a: 7.5 }),
    withOrder({ b: 'true' }),
    withOrder({ p: 100_000 }),
    withOrder({ s: 1 }),
    withOrder({ r: 0 }),
    withOrder({ t: 'Gtc' }),
    withOrder({ t: { limit: 'Gtc' } }),
    withOrder({ t: { limit: { tif: 1 } } }),
    withOrder({ c: 1 }),
  ]) {
    assert.match(codeOf(changes), /^invalid_parameter/, JSON.stringify(changes))
  }
})

test('unsupported and unknown fields are invalid fields', () => {
  const trigger = { isMarket: true, triggerPx: '103', tpsl: 'sl' }
  for (const changes of [
    { action: { ...action, type: 'modify' } },
    { action: { ...action, type: 'constructor' } },
    { action: { ...action, grouping: 'normalTpsl' } },
    { vaultAddress: `0x${'11'.repeat(20)}` },
    { vaultAddress: 'vault' },
    { subaccount: valid.wallet },
    { action: { ...action, builder: {} } },
    { action: { ...cancel, cancels: [{ a: 7, o: -1 }] } },
    { action: { ...byCloid, cancels: [{ asset: 7, cloid: '0x1' }] } },
    withOrder({ t: { trigger } }),
    withOrder({ t: { limit: { tif: 'Gtc' }, trigger } }),
    withOrder({ t: { limit: { tif: 'Gtc', more: 1 } } }),
    withOrder({ c: cloid.slice(2) }),
    withOrder({ c: '' }),
    withOrder({ a: -7 }),
    withOrder({ x: 1 }),
  ]) {
    assert.match(codeOf(changes), /^invalid_field/, JSON.stringify(changes))
  }
})

test('prices and sizes are canonical and on their grids', () => {
  for (const p of ['100000.0', '0100', '1e5', '+1', '.5', '1.', '0', '', '123456', '0.0000001']) {
    assert.match(codeOf(withOrder({ p })), /^invalid_field Invalid action\.orders\[0\]\.p/, p)
  }
  for (const s of ['1.0', '00.1', '1e-3', '0', '0.000000001', '100000.00000001', '100001']) {
    assert.match(codeOf(withOrder({ s })), /^invalid_field Invalid action\.orders\[0\]\.s/, s)
  }
  assert.match(codeOf(withOrder({ p: '1000000000', s: '100000' })), /price times size/)
  for (const [p, s] of [
    ['0.000001', '100000'],
    ['1234.5', '0.12345678'],
  ] as const) {
    assert.equal(codeOf(withOrder({ p, s })), 'accepted')
  }
})

test('missing fields come before types, and types before values, at any depth', () => {
  const untyped = withOrder({ p: undefined })
  assert.match(codeOf({ ...untyped, nonce: -1, wallet: '0x' }), /^missing_field/)
  assert.match(codeOf({ ...withOrder({ p: 1 }), wallet: '0x' }), /^invalid_parameter/)
  assert.match(codeOf({ wallet: '0x' }), /^invalid_wallet/)
  assert.match(codeOf({ wallet: `0x${'0'.repeat(40)}` }), /^invalid_wallet/)
})

test('a signature of r, s and v becomes the text of its bytes, with zeros that numbers lost', () => {
  const word = 'ab'.repeat(31)
  const text = (signature: unknown) => {
    return sound({ signature }).request.signature
  }
  const whole = `0x00${word}01${word}1c`
  assert.equal(text({ r: `0x${word}`, s: `0x1${word}`, v: 28 }), whole)
  assert.equal(text(whole), whole)
  for (const signature of [
    { r: 'ab', s: '0x1', v: 27 },
    { r: `0x${'1'.repeat(65)}`, s: '0x1', v: 27 },
    { r: '0x1', s: '0x', v: 27 },
    { r: '0x1', s: '0x1', v: 256 },
  ]) {
    assert.equal(text(signature), '0x', 'no signature: its check fails')
  }
})

test('the kind of an action is known before the body is parsed', () => {
  assert.equal(asksForPerpOrder(valid), true)
  for (const body of [{}, { action: 'order' }, { action: cancel }, { action: null }]) {
    assert.equal(asksForPerpOrder(body), false)
  }
})
