import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FeeSchedule,
  feeParametersDefault,
  TradingFee,
  workOutBuilderFee,
  workOutFee,
  workOutReservedFee,
} from '../../../engine/risk/trading-fees.js'
import { Random } from '../../simulation/run/random.js'
import { readProjectJson } from '../../support/project.js'
import type { FeeVector } from '../lifecycle/settlement-vectors.js'

// Settlement and liquidation have formulas and tests of their own.
const { fees } = readProjectJson<{ fees: readonly FeeVector[] }>('test/vectors/options.json')
const traded = fees.filter(({ kind }) => kind === 'maker' || kind === 'taker')
const [makerRate, takerRate, cap] = [200, 500, 125_000]

test('the examples include maker and taker trades', () => {
  assert.deepEqual([...new Set(traded.map(({ kind }) => kind))].sort(), ['maker', 'taker'])
})

for (const { id, kind, index_price: index, premium, size, fee } of traded) {
  test(`the engine charges a ${kind} fee of ${fee} in vector ${id}`, () => {
    const rate = kind === 'maker' ? makerRate : takerRate
    const [indexMicros, priceMicros] = [microsOf(index), microsOf(premium)]
    const micros = tradingFeeMicros(rate, cap, indexMicros, priceMicros, microsOf(size) * 100)
    assert.equal(micros, microsOf(fee))
  })
}

test('the cap applies exactly where an eighth of the price is less than the share of the index', () => {
  // 0.05 % of 3,200 is 1.6, an eighth of 12.8.
  const fee = (priceMicros: number) => tradingFeeMicros(takerRate, cap, 3200e6, priceMicros, 1e8)
  assert.deepEqual(
    [fee(12_800_008), fee(12_800_000), fee(12_799_992)],
    [1_600_000, 1_600_000, 1_599_999],
  )
  assert.equal(fee(0), 0)
})

test('fees round half to even, reserves up', () => {
  // 0.0005 of 1,000 micros is half a micro per contract.
  const fee = (contracts: number) => tradingFeeMicros(500, 1e6, 1000, 1e6, contracts * 1e8)
  assert.deepEqual([1, 2, 3, 5, 7].map(fee), [0, 1, 2, 2, 4])
  assert.equal(tradingFeeMicros(500, 1e6, 1000, 1e6, 1e8 + 1), 1, 'one lot above half rounds up')
  const reserve = (lots: number) => reservedFeeMicros(500, 1e6, 1000, 1e6, lots)
  assert.deepEqual([1, 2e8, 2e8 + 1].map(reserve), [1, 1, 2])
})

test('a fee of almost a contract is exact, and one beyond the range of money is clamped', () => {
  const all = 99_999_999
  assert.equal(reservedFeeMicros(1e6, 1e6, 2e9, all, all), all, '99999998.00000001')
  assert.equal(tradingFeeMicros(1e6, 1e6, 2e9, all, all), all - 1)
  assert.equal(tradingFeeMicros(1e5, 1e6, 9e15, 9e15, 1e15), Number.MAX_SAFE_INTEGER - 1)
  const most = Number.MAX_SAFE_INTEGER
  assert.ok(-tradingFeeMicros(-1, 0, 9e15, 0, 9e15) >= most - 1, 'a rebate is clamped too')
  assert.ok(-tradingFeeMicros(-1, 0, 9e15, 0, 9e15) <= most)
})

test('a rebate has no cap and rounds like a fee', () => {
  assert.equal(tradingFeeMicros(-100, cap, 100_000e6, 0, 1e8), -10e6)
  const rebate = (contracts: number) => tradingFeeMicros(-500, cap, 1000, 1, contracts * 1e8)
  assert.deepEqual([1, 2, 3].map(rebate), [0, -1, -2])
})

test('without a rate or an index the fee is 0, and not negative zero', () => {
  for (const [rate, index] of [
    [0, 1e9],
    [500, 0],
    [-500, 0],
  ] as const) {
    assert.ok(Object.is(tradingFeeMicros(rate, cap, index, 1e6, 1e8), 0), `${rate} of ${index}`)
  }
})

test('a builder gets its share of a fee, half to even, and nothing of a rebate', () => {
  const builderFee = (rate: number, contracts: number, share = 500_000) => {
    const fee = tradingFeeMicros(rate, 1e6, 1000, 1e6, contracts * 1e8)
    workOutBuilderFee(worked, share)
    return [fee, worked.builderMicros]
  }
  assert.deepEqual(builderFee(1000, 1), [1, 0])
  assert.deepEqual(builderFee(1000, 3), [3, 2])
  assert.deepEqual(builderFee(1000, 4), [4, 2])
  assert.deepEqual(builderFee(1000, 4, 0), [4, 0])
  assert.deepEqual(builderFee(-1000, 4), [-4, 0])
})

test('an order reserves at the higher of both rates, and nothing at a rebate', () => {
  const worst = (maker: number, taker: number) =>
    new FeeSchedule({ ...feeParametersDefault, makerRate: maker, takerRate: taker }).worst
  assert.deepEqual([worst(0.0002, 0.0005), worst(0.0006, 0.0005), worst(-0.001, 0)], [500, 600, 0])
})

test('fees and reserves are exact for every size of their factors', () => {
  const seed = Number(process.env['SEED'] ?? 2031)
  const random = new Random(seed, 'trading fees')
  for (let round = 0; round < 20_000; round++) {
    const rate = 1 + random.below(random.pick([10, 1000, 100_000]))
    const capMillionths = random.pick([125_000, 333_333, 1, 1_000_000])
    // Odd ones: a product that ends in many zeros is exact beyond 2^53 anyway.
    const odd = () => random.pick([0, 1 + 2 * random.below(1e6)])
    const index = random.below(1e6) * random.pick([1, 1e3, 1e6, 8e9]) + odd()
    const price = random.below(1e6) * random.pick([1, 1e3, 1e5]) + odd()
    const lots = 1 + random.below(1e9) * random.pick([1, 1000, 10_000, 1_000_000]) + odd()
    const where = `seed ${seed}, round ${round}: ${[rate, capMillionths, index, price, lots]}`
    const byIndex = BigInt(rate) * BigInt(index)
    const byPrice = BigInt(capMillionths) * BigInt(price)
    const least = byIndex < byPrice ? byIndex : byPrice
    if (up(least * BigInt(lots)) >= Number.MAX_SAFE_INTEGER) continue
    const fee = tradingFeeMicros(rate, capMillionths, index, price, lots)
    assert.equal(fee, halfEven(least * BigInt(lots)), where)
    const reserve = reservedFeeMicros(rate, capMillionths, index, price, lots)
    assert.equal(reserve, up(least * BigInt(lots)), where)
    const rebate = halfEven(byIndex * BigInt(lots))
    if (rebate >= Number.MAX_SAFE_INTEGER) continue
    assert.equal(tradingFeeMicros(-rate, capMillionths, index, price, lots), 0 - rebate, where)
  }
})

const divisor = 100_000_000_000_000n

function halfEven(parts: bigint): number {
  const [floor, rest] = [parts / divisor, parts % divisor]
  const isUp = 2n * rest > divisor || (2n * rest === divisor && floor % 2n === 1n)
  return Number(isUp ? floor + 1n : floor)
}

function up(parts: bigint): number {
  return Number((parts + divisor - 1n) / divisor)
}

const worked = new TradingFee()
const tradingFeeMicros = feeBy(workOutFee)
const reservedFeeMicros = feeBy(workOutReservedFee)

/** Returns a function that computes a fee from an index, a price and lots. */
function feeBy(workOut: (fee: TradingFee, rate: number, capMillionths: number) => void) {
  return (
    rate: number,
    cap: number,
    indexMicros: number,
    priceMicros: number,
    sizeLots: number,
  ) => {
    workOut(Object.assign(worked, { indexMicros, priceMicros, sizeLots }), rate, cap)
    return worked.feeMicros
  }
}

function microsOf(text: string): number {
  return Math.round(Number(text) * 1e6)
}
