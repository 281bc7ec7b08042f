import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { OrderDigester, type OrderFields } from '../../../gateway/actions/order-digest.js'
import { typedStructs } from '../../../gateway/actions/typed-structs.js'
import { fastKeccak256 as keccak256 } from '../../../gateway/auth/fast-keccak.js'
import { formatHex } from '../../../schemas/hex.js'
import { formatNonce, parseNonce } from '../../../schemas/nonce.js'
import { keccak256Reference } from '../../../schemas/signing/keccak-reference.js'
import { typedDataDigest } from '../../../schemas/signing/typed-data-digest.js'
import type { SigningDomain } from '../../../schemas/typed-data.js'
import { parseAddress } from '../../../schemas/wallet.js'
import { type SigningVector, signingVectors } from '../../support/signing-vectors.js'

const domain: SigningDomain = { name: 'Strikebook', version: '1', chainId: 31337 }
const digester = new OrderDigester(domain, keccak256)
const out = new Uint8Array(32)
const walletText = signingVectors.keys['A']!.address
const order: OrderFields = {
  orderId: '',
  wallet: parseAddress(walletText)!,
  symbol: 'BTC-20261002-100000-C',
  side: 'Buy',
  size: '0.5',
  price: '1234.5',
  tif: 'gtc',
  route: 'book_only',
  clientId: '',
  reduceOnly: false,
  nonceHigh: 0,
  nonceLow: 1,
}

for (const [name, keccak] of Object.entries({ keccak256, keccak256Reference })) {
  test(`vectors of the fast structs, hashed by ${name}`, () => {
    const digesters = new Map<string, OrderDigester>()
    let count = 0
    for (const vector of signingVectors.vectors) {
      const key = JSON.stringify(vector.domain)
      if (!digesters.has(key)) digesters.set(key, new OrderDigester(vector.domain, keccak))
      if (!digestVector(digesters.get(key)!, vector)) continue
      assert.equal(formatHex(out, 0, 32), vector.digest, vector.name)
      count++
    }
    assert.equal(count, 14)
  })
}

const anyText = fc.oneof(
  fc.constantFrom('', 'Buy', 'gtc', '1', '1.0', 'x'.repeat(31), 'x'.repeat(32), 'x'.repeat(65)),
  fc.string({ maxLength: 70 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const half = fc.integer({ min: 0, max: 0xffffffff })
const anyOrder = fc.record({
  wallet: fc.uint8Array({ minLength: 20, maxLength: 20 }),
  symbol: anyText,
  side: anyText,
  size: anyText,
  price: anyText,
  tif: anyText,
  route: fc.option(anyText, { nil: null }),
  clientId: anyText,
  reduceOnly: fc.boolean(),
  nonceHigh: half,
  nonceLow: half,
  orderId: fc.maxSafeNat().map(String),
})

test('every layout has the digest of the plain encoder, whatever was digested before', () => {
  fc.assert(
    fc.property(anyOrder, (fields) => {
      if (!fields.reduceOnly || fields.route !== null) {
        digester.order({ ...fields, orderId: '' }, out)
        assert.deepEqual(out, plainPlaceOrder(fields))
      }
      digester.order({ ...fields, route: null }, out)
      assert.deepEqual(out, plainReplaceOrder(fields))
      const { wallet, orderId, clientId, nonceHigh, nonceLow } = fields
      const nonce = formatNonce(nonceHigh, nonceLow)
      digester.cancel(fields, out)
      assert.deepEqual(
        out,
        typedDataDigest(domain, typedStructs.CancelOrder, { wallet, orderId, nonce }),
      )
      digester.cancel({ ...fields, orderId: '' }, out)
      assert.deepEqual(
        out,
        typedDataDigest(domain, typedStructs.CancelOrderByClientId, { wallet, clientId, nonce }),
      )
    }),
    { numRuns: 400 },
  )
})

test('more texts than the tables have slots still hash correctly, the first and the second time', () => {
  const fields = { ...order }
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 6_000; i++) {
      fields.price = String(i)
      fields.symbol = `BTC-20261002-${i}-C`
      digester.order(fields, out)
      if (i % 97 === 0) assert.deepEqual(out, plainPlaceOrder(fields), `price ${i}, round ${round}`)
    }
  }
})

test('every signed field changes the digest, and so do equal values with another text', () => {
  const digests = new Set<string>()
  const variants: Partial<OrderFields>[] = [
    {},
    { wallet: parseAddress(signingVectors.keys['B']!.address)! },
    { symbol: 'BTC-20261002-100000-P' },
    { side: 'Sell' },
    { size: '0.50' },
    { price: '1234.50' },
    { tif: 'ioc' },
    { route: 'best_execution' },
    { route: null },
    { clientId: 'a' },
    { reduceOnly: true },
    { nonceLow: 2 },
    { nonceHigh: 1 },
  ]
  for (const variant of variants) {
    digester.order({ ...order, ...variant }, out)
    digests.add(formatHex(out, 0, 32))
  }
  assert.equal(digests.size, variants.length)
})

test('a reduce-only order without a route is a bug of the caller', () => {
  const fields = { ...order, reduceOnly: true, route: null }
  assert.throws(() => digester.order(fields, out), /reduce-only/)
})

function plainPlaceOrder(fields: OrderFields): Uint8Array {
  const { nonceHigh, nonceLow, route, orderId: _, ...rest } = fields
  const nonce = formatNonce(nonceHigh, nonceLow)
  if (route === null) {
    return typedDataDigest(domain, typedStructs.PlaceOrderWithoutRoute, { ...rest, nonce })
  }
  const struct = fields.reduceOnly ? typedStructs.PlaceOrderReduceOnly : typedStructs.PlaceOrder
  return typedDataDigest(domain, struct, { ...rest, route, nonce })
}

function plainReplaceOrder(fields: OrderFields): Uint8Array {
  const { wallet, orderId, symbol, side, size, price, tif, clientId, reduceOnly } = fields
  const nonce = formatNonce(fields.nonceHigh, fields.nonceLow)
  const struct = reduceOnly ? typedStructs.ReplaceOrderReduceOnly : typedStructs.ReplaceOrder
  const terms = { wallet, orderId, symbol, side, size, price, tif, clientId }
  return typedDataDigest(domain, struct, { ...terms, reduceOnly, nonce })
}

/** Digests a vector into `out`; false when its struct has no fast path. */
function digestVector(target: OrderDigester, vector: SigningVector): boolean {
  const message: Record<string, string> = vector.message
  const halves = new Uint32Array(2)
  assert.ok(vector.primaryType === 'Agent' || parseNonce(message['nonce'], halves))
  const [nonceHigh, nonceLow] = halves as unknown as [number, number]
  const wallet = parseAddress(message['wallet'] ?? '') ?? new Uint8Array(20)
  const reduceOnly = vector.primaryType.endsWith('ReduceOnly')
  const { orderId = '', clientId = '', route = null } = message
  const fields = { ...message, wallet, orderId, clientId, route, reduceOnly, nonceHigh, nonceLow }
  const kind = /^(Place|Replace|Cancel)Order/.exec(vector.primaryType)?.[1]
  if (kind === 'Cancel') target.cancel(fields, out)
  else if (kind !== undefined) target.order(fields as unknown as OrderFields, out)
  return kind !== undefined
}
