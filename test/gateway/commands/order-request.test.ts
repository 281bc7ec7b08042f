import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigning } from '../../../gateway/actions/signing.js'
import {
  isNotionalTooLarge,
  type OrderShape,
  readOrder,
  replacementOrder,
  restOrder,
  streamOrder,
} from '../../../gateway/commands/order-request.js'
import { Fault } from '../../../gateway/wire/fault.js'
import { resultRows } from '../../../schemas/results.js'

const signing = createSigning('Strikebook', 31_337)
const wallet = '0x19E7e376e7c213b7e7e7e46cc70a5dd086daff2a'

const valid = {
  wallet,
  symbol: 'BTC-28JUN30-100000.0-C',
  side: 'Sell',
  size: '01.50',
  price: '1234.50',
  tif: 'ioc',
  nonce: 7,
  signature: '0x',
}

function read(changes: object, shape: OrderShape = restOrder) {
  const body: Record<string, unknown> = { ...valid, ...changes }
  for (const name of Object.keys(body)) if (body[name] === undefined) delete body[name]
  return readOrder(body, shape, signing)
}

function codeOf(changes: object, shape: OrderShape = restOrder): string {
  const order = read(changes, shape)
  if (!(order instanceof Fault)) return 'accepted'
  return `${resultRows[order.result].code} ${order.message}`
}

test('an order stores its texts as received, and their values', () => {
  const order = read({ client_id: 'a b', reduce_only: false, mmp_enabled: true })
  assert.ok(!(order instanceof Fault))
  assert.equal(order.symbol, 'BTC-28JUN30-100000.0-C')
  assert.equal(order.canonicalSymbol, 'BTC-20300628-100000-C')
  assert.equal(order.size, '01.50')
  assert.equal(order.sizeLots, 150_000_000)
  assert.equal(order.priceMicros, 1_234_500_000)
  assert.equal(order.walletText, wallet.toLowerCase())
  assert.equal(order.route, null)
  assert.equal(order.reduceOnlyGiven, false)
  assert.equal(order.mmpEnabled, true)
})

const faults: readonly (readonly [changes: object, fault: RegExp])[] = [
  [{ wallet: undefined }, /^missing_field Missing field: wallet$/],
  [{ symbol: null }, /^missing_field Missing field: symbol$/],
  [{ tif: undefined }, /^missing_field Missing field: tif$/],
  [{ nonce: undefined }, /^missing_field Missing field: nonce$/],
  [{ signature: undefined }, /^missing_field Missing field: signature$/],
  [{ reduce_only: true }, /^missing_field Missing field: route$/],
  [{ wallet: 5 }, /^invalid_parameter Invalid wallet: must be a string$/],
  [{ size: 1 }, /^invalid_parameter Invalid size: must be a string$/],
  [{ price: 100 }, /^invalid_parameter Invalid price/],
  [{ side: {} }, /^invalid_parameter Invalid side/],
  [{ route: 1 }, /^invalid_parameter Invalid route/],
  [{ client_id: 5 }, /^invalid_parameter Invalid client_id/],
  [{ reduce_only: 'true' }, /^invalid_parameter Invalid reduce_only/],
  [{ mmp_enabled: 1 }, /^invalid_parameter Invalid mmp_enabled/],
  [{ builder_code_address: [] }, /^invalid_parameter Invalid builder_code_address/],
  [{ nonce: -1 }, /^invalid_parameter Invalid nonce/],
  [{ nonce: 1.5 }, /^invalid_parameter Invalid nonce/],
  [{ nonce: 2 ** 53 }, /^invalid_parameter Invalid nonce/],
  [{ nonce: '18446744073709551616' }, /^invalid_parameter Invalid nonce/],
  [{ signature: 5 }, /^invalid_parameter Invalid signature/],
  [{ wallet: '0x12' }, /^invalid_wallet Invalid wallet: 0x12$/],
  [{ wallet: `0x${'0'.repeat(40)}` }, /^invalid_wallet/],
  [{ symbol: 'BTC-PERP' }, /^invalid_field Invalid symbol/],
  [{ symbol: 'BTC-20300631-1-C' }, /^invalid_field Invalid symbol/],
  [{ side: 'buy' }, /^invalid_field Invalid side: must be Buy or Sell, not 'buy'$/],
  [{ tif: 'GTC' }, /^invalid_field Invalid tif/],
  [{ route: 'book' }, /^invalid_field Invalid route/],
  [{ size: '0' }, /^invalid_field Invalid size: must be greater than 0 \('0'\)$/],
  [{ size: '-1' }, /^invalid_field Invalid size/],
  [
    { size: '100000.00000001' },
    /^invalid_field Invalid size: is more than 100000 \('100000.00000001'\)$/,
  ],
  [{ size: '0.000000001' }, /^invalid_field Invalid size/],
  [
    { price: '1234.56' },
    /^invalid_field Invalid price: has more than 5 significant figures \('1234.56'\)$/,
  ],
  [{ price: '1e3' }, /^invalid_field Invalid price/],
  [
    { price: '1'.repeat(65) },
    /^invalid_field Invalid price: has more than 64 characters \('1{64}'\)$/,
  ],
  [
    { price: '1000000000', size: '10' },
    /^invalid_field Invalid size: price times size is 10000000000 USD; at most 9007199254.740991/,
  ],
  [{ client_id: 'x'.repeat(65) }, /^invalid_field Invalid client_id/],
  [{ client_id: 'a\n' }, /^invalid_field Invalid client_id/],
  [{ client_id: 'é' }, /^invalid_field Invalid client_id/],
  [{ builder_code_address: '' }, /^invalid_field Invalid builder_code_address/],
]

test('each fault of an order has its code, and a text that names the field', () => {
  for (const [changes, fault] of faults) assert.match(codeOf(changes), fault)
})

test('missing fields are checked before types, and types before values', () => {
  assert.match(
    codeOf({ wallet: 'x', size: 1, tif: undefined }),
    /^missing_field Missing field: tif/,
  )
  assert.match(codeOf({ wallet: 'x', price: 'x', nonce: 'x' }), /^invalid_parameter Invalid nonce/)
  assert.match(codeOf({ wallet: 'x', price: 'x' }), /^invalid_wallet/)
  assert.match(codeOf({ order_id: 1.5, price: 'x' }, replacementOrder), /^invalid_parameter/)
})

test('optional fields may be null, and an unknown field is ignored', () => {
  const changes = { route: null, client_id: null, reduce_only: null, mmp_enabled: null }
  assert.equal(codeOf({ ...changes, builder_code_address: null, signer: 5 }), 'accepted')
  assert.equal(codeOf({ client_id: '' }), 'accepted')
  assert.equal(codeOf({ nonce: '18446744073709551615' }), 'accepted')
})

test('the stream may omit tif, and accepts a symbol that does not parse', () => {
  const order = read({ tif: undefined, symbol: 'nonsense' }, streamOrder)
  assert.ok(!(order instanceof Fault))
  assert.equal(order.tif, 'gtc')
  assert.equal(order.option, null)
  assert.match(order.symbolDetail, /expected/)
})

test('a replacement has an order id in either form, and no route', () => {
  for (const id of [42, '42', '0042']) {
    const order = read({ order_id: id, route: 5, reduce_only: true }, replacementOrder)
    assert.ok(!(order instanceof Fault))
    assert.equal(order.orderId, '42')
    assert.equal(order.route, null)
  }
  for (const id of [-1, 1.5, '', '1x', 2 ** 53, '9007199254740992', true]) {
    assert.match(codeOf({ order_id: id }, replacementOrder), /^invalid_parameter Invalid order_id/)
  }
  assert.match(codeOf({}, replacementOrder), /^missing_field Missing field: order_id/)
})

test('a notional fails from exactly 2^53 micros on', () => {
  // 9007199254740991 micros is the largest: 5 figures of price, so the limit is between two sizes.
  const priceMicros = 100_000 * 1_000_000
  assert.equal(isNotionalTooLarge(priceMicros, 9_007_199_254_740), false)
  assert.equal(isNotionalTooLarge(priceMicros, 9_007_199_254_741), true)
  assert.equal(isNotionalTooLarge(1, 1), false)
  assert.equal(isNotionalTooLarge(1e15, 1e13), true)
})
