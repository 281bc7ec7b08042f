import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bodyReadBytesMax } from '../../gateway/link/read-protocol.js'
import {
  type Operation,
  operatorEndpoints,
  readOperation,
} from '../../gateway/operator/operator-endpoints.js'
import type { RequestContext } from '../../gateway/operator/operator-listings.js'
import { Fault } from '../../gateway/wire/fault.js'
import { resultRows } from '../../schemas/results.js'
import { isLongRun } from '../support/long-test.js'
import { call, market } from '../support/market-bench.js'
import { OneRecord } from '../support/one-record.js'
import { isObject, readJson } from './field-rules.js'
import { anyJson, bytesOf, nearly } from './json-values.js'
import { orderFields } from './sound-fields.js'

const seed = Number(process.env['STRIKEBOOK_TEST_SEED'] ?? 13)
const runs = { seed, numRuns: isLongRun ? 1_500 : 700 }
const codes: ReadonlySet<string | null> = new Set(Object.values(resultRows).map(({ code }) => code))

const sink = new OneRecord()
const context: RequestContext = {
  underlyings: { NVDA: { expiryTimeUtc: '20:00' } },
  isProduction: true,
  wallMillis: Date.now,
  nowMillis: () => 1_800_000_000_000,
}
const { wallet, symbol } = orderFields
const price = ['100000', 100_000, '0.000001', 1e21, '1e5', '0', 1e-7, '1000000001']
const numbers = [0.5, '0.5', Number.POSITIVE_INFINITY, ' 1', 'x', -0, '-1']
const observation = nearly({
  underlying: ['BTC', 'btc', ''],
  price,
  timestamp: [1_700_000_000_000, -0, -1, 1e15],
})
const point = nearly({ strike: [100_000, ...numbers], iv: [0.6, ...numbers] })
const svi = nearly({ a: numbers, b: numbers, rho: numbers, m: numbers, s: numbers })
const flat = [
  { strike: 90_000, iv: 0.6 },
  { strike: '110000', iv: '0.6' },
]
const samples = <T>(values: fc.Arbitrary<T>) => fc.sample(values, { seed, numRuns: 40 })

const prices = [
  [{ underlying: 'BTC', price: '1' }],
  ...samples(fc.array(observation, { maxLength: 5 })),
  [],
]
const points = [flat, ...samples(fc.array(point, { maxLength: 5 })), null]
const deposit = { amount: ['10', '0.0000001', 10], deposit_id: ['d1', 'x'.repeat(200), 'é'] }
const listing = { expiry: [1_908_835_200, -0, 2 ** 32, '1'], trading_mode: ['both', 'rfq', 'x'] }
const underlying = ['BTC', 'NVDA', '*']
const surface = { underlying, svi: [null, ...samples(svi)], points }

const expiries = ['2026-09-25', '20260230', 1_790_323_200, -0]

const operatorBodies = [
  ['a deposit', 'POST /operator/deposits', { wallet, ...deposit }],
  ['a listing', 'POST /operator/instruments', { symbol, ...listing }],
  ['a delisting', 'DELETE /operator/instruments', { symbol }],
  ['index prices', 'POST /operator/index-prices', { prices }],
  ['money for the insurance fund', 'POST /operator/insurance-fund', deposit],
  [
    'a settlement price',
    'POST /operator/settlement-prices',
    { underlying, price, expiry: expiries },
  ],
  ['a surface', 'POST /operator/vol-surfaces', { ...surface, expiry: expiries }],
  ['a tier', 'POST /operator/tiers', { wallet, tier: ['tier1', 'mm', 'x'] }],
  [
    'a halt',
    'POST /operator/halts',
    { underlying: ['BTC', null, 'b'], mode: ['open', 'halted', 'x'], scope: [null, 'all'] },
  ],
] as const

for (const [name, key, fields] of operatorBodies) {
  test(`${name}: any body is a command without odd numbers, or a refusal from the table`, () => {
    let commands = 0
    fc.assert(
      fc.property(nearly(fields), (body) => {
        const request = readOperation(operatorEndpoints[key] as Operation, body, context)
        if (request instanceof Fault) {
          assert.ok(codes.has(resultRows[request.result].code))
          assert.ok(request.message.length > 0)
          return
        }
        const { command, describe } = request
        commands++
        assertPlainNumbers(describe({ changed: true, instrument: 3 } as never))
        assert.ok(command(sink))
      }),
      runs,
    )
    assert.ok(commands >= 100, `${commands} commands`)
  })
}

test('POST /risk/simulate/orders: any body is answered with amounts or an error of the result table', () => {
  const bench = market()
  const { side, size, price: orderPrice } = orderFields
  const order = nearly({ symbol: [call, ...symbol], side, size, price: orderPrice })
  const body = fc
    .array(fc.oneof({ weight: 12, arbitrary: order }, anyJson), {
      minLength: 1,
      maxLength: 11,
      size: '-1',
    })
    .chain((orders) => nearly({ wallet, orders: [orders], execution_mode: ['resting', 'taker'] }))
  let previews = 0
  fc.assert(
    fc.property(bytesOf(body), (bytes) => {
      const { value } = readJson(bytes)
      // The gateway passes on what it could read as an object, and as it came.
      if (!isObject(value) || bytes.length > bodyReadBytesMax) return
      const answer = bench.get(`/risk/simulate/orders?${bytes}`)
      if (answer.status === 200) {
        previews++
        const { data } = answer.body
        for (const name of ['required', 'equity', 'consumed_im', 'incremental_im', 'consumed_mm']) {
          assert.match(data[name], /^(0|-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?)$/)
        }
        return
      }
      assert.equal(answer.status, 400, answer.text)
      assert.ok(codes.has(answer.body.code), answer.text)
      assert.deepEqual([answer.body.success, answer.body.data], [false, null])
    }),
    { seed, numRuns: isLongRun ? 800 : 400 },
  )
  assert.ok(previews >= 50, `${previews} previews`)
})

/** No NaN, infinity or -0 anywhere. */
function assertPlainNumbers(value: unknown): void {
  if (typeof value === 'number')
    assert.ok(Number.isFinite(value) && !Object.is(value, -0), `${value}`)
  else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) assertPlainNumbers(part)
  }
}
