import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoffMicros, settlementFeeMicros } from '../../../engine/lifecycle/payoff.js'
import { valueMicros } from '../../../engine/risk/money.js'
import { Right } from '../../../schemas/domain.js'
import { Random } from '../../simulation/run/random.js'
import { feeVectors, lotsOf, microsOf, settlementVectors } from './settlement-vectors.js'

const rights = { call: Right.Call, put: Right.Put } as const
const rate = 0.00015
const cap = 0.125

for (const vector of settlementVectors.payout) {
  test(`the engine computes payoff and value of ${vector.size} in vector ${vector.id}`, () => {
    const { right, strike, settlement_price: price, size } = vector
    const payoff = payoffMicros(rights[right], microsOf(strike), microsOf(price))
    assert.equal(payoff, microsOf(vector.payoff_per_contract))
    assert.equal(valueMicros(payoff, lotsOf(size)), microsOf(vector.settlement_value))
  })
}

test('each value is rounded by itself, and the rest is dust', () => {
  for (const vector of settlementVectors.dust) {
    const { right, strike, settlement_price: price } = vector
    const payoff = payoffMicros(rights[right], microsOf(strike), microsOf(price))
    const values = vector.sizes.map((size) => valueMicros(payoff, lotsOf(size)))
    assert.deepEqual(values, vector.settlement_values.map(microsOf))
    const dust = -values.reduce((sum, value) => sum + value, 0) + 0
    assert.equal(dust, microsOf(vector.dust_account))
  }
})

for (const vector of feeVectors.filter(({ kind }) => kind === 'settlement')) {
  test(`the engine charges a settlement fee of ${vector.fee} in vector ${vector.id}`, () => {
    const { index_price: price, premium, size, fee } = vector
    const micros = settlementFeeMicros(microsOf(price), microsOf(premium), lotsOf(size), rate, cap)
    assert.equal(micros, microsOf(fee))
  })
}

test('without a rate there is no fee', () => {
  assert.equal(settlementFeeMicros(105_000e6, 5000e6, 1e8, 0, cap), 0)
})

test('fees are min(rate × price, cap × payoff) × size, rounded once, half to even', () => {
  const seed = Number(process.env['SEED'] ?? 815)
  const random = new Random(seed, 'fees')
  for (let round = 0; round < 5000; round++) {
    const price = 1 + random.below(1e9) * random.pick([1, 1000, 1e6])
    const payoff = random.below(1e9) * random.pick([1, 1000])
    const lots = 1 + random.below(1e9) * random.pick([1, 10_000])
    const millionths = random.pick([1, 150, 100_000])
    const caps = random.pick([1, 125_000, 333_333, 1_000_000])
    const wanted = feeTwin(BigInt(price), BigInt(payoff), BigInt(lots), BigInt(millionths), caps)
    const micros = settlementFeeMicros(price, payoff, lots, millionths / 1e6, caps / 1e6)
    assert.equal(micros, wanted, `seed ${seed}, round ${round}`)
  }
})

function feeTwin(
  price: bigint,
  payoff: bigint,
  lots: bigint,
  millionths: bigint,
  caps: number,
): number {
  const scale = 10n ** 20n
  const byPrice = (price * millionths * scale) / 1_000_000n
  const byPayoff = (payoff * BigInt(caps) * scale) / 1_000_000n
  const whole = (byPrice < byPayoff ? byPrice : byPayoff) * lots
  const divisor = scale * 100_000_000n
  const [floor, rest] = [whole / divisor, whole % divisor]
  const isUp = 2n * rest > divisor || (2n * rest === divisor && floor % 2n === 1n)
  return Number(isUp ? floor + 1n : floor)
}
