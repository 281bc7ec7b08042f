import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimatePrice, meanMicros } from '../../../engine/lifecycle/estimators.js'
import {
  Estimator,
  isEnough,
  settlementParametersDefault,
  trimCount,
} from '../../../engine/state/market/settlement-parameters.js'
import { priceMicrosMax } from '../../../schemas/bounds.js'
import { Random } from '../../simulation/run/random.js'

const twap = settlementParametersDefault
const medianOfMeans = { ...twap, estimator: Estimator.TrimmedMedianOfMeans }

function prices(count: number, usdOf: (second: number) => number): Float64Array {
  return Float64Array.from({ length: count }, (_, second) => Math.round(usdOf(second) * 1e6))
}

function bothOf(samples: Float64Array): number[] {
  return [twap, medianOfMeans].map(
    (parameters) => estimatePrice(samples.slice(), samples.length, parameters) / 1e6,
  )
}

test('both estimators match the worked examples', () => {
  const levels = prices(1800, (second) => (second < 900 ? 104_900 : 105_100))
  assert.deepEqual(bothOf(levels), [105_000, 104_975])
  assert.deepEqual(bothOf(prices(1800, (second) => 103_100.5 + second)), [104_000, 103_990])
  const spike = prices(1800, (second) => (second >= 700 && second < 720 ? 150_000 : 100_000))
  assert.deepEqual(bothOf(spike), [100_555.555556, 100_000])
})

test('the order of the samples does not matter', () => {
  const rising = prices(1800, (second) => 103_100.5 + second)
  assert.deepEqual(bothOf(rising.slice().reverse()), bothOf(rising))
})

test('the estimators round a half to the even micro', () => {
  assert.equal(meanMicros(Float64Array.of(1, 2), 0, 2), 2)
  assert.equal(meanMicros(Float64Array.of(2, 3), 0, 2), 2)
  assert.equal(meanMicros(Float64Array.of(9, 2, 3), 1, 2), 2)
})

test('sums far beyond 2^53 stay exact', () => {
  const highest = new Float64Array(86_400).fill(priceMicrosMax)
  assert.deepEqual(bothOf(highest), [1e9, 1e9])
  highest[0] = priceMicrosMax - 86_400
  assert.equal(meanMicros(highest, 0, highest.length), priceMicrosMax - 1)
})

test('one, two and a few samples give a price too', () => {
  for (const usd of [[7], [7, 8], [1, 2, 9], [1, 2, 3, 10], [1, 1, 1, 4, 4]]) {
    const samples = prices(usd.length, (i) => usd[i]!)
    assert.deepEqual(bothOf(samples), [twinOf(samples, false), twinOf(samples, true)], `${usd}`)
  }
})

test('on random samples both estimators equal plain arithmetic of any length', () => {
  const seed = Number(process.env['SEED'] ?? 20_261)
  const random = new Random(seed, 'estimators')
  for (let round = 0; round < 300; round++) {
    const count = random.between(1, round % 10 === 0 ? 3600 : 120)
    const spread = random.pick([1, 5, 1000, 1e6, 1e15])
    const samples = Float64Array.from(
      { length: count },
      () => 1 + Math.floor((random.below(1_000_000) / 1_000_000) * spread),
    )
    const where = `seed ${seed}, round ${round}, ${count} samples up to ${spread}`
    assert.deepEqual(bothOf(samples), [twinOf(samples, false), twinOf(samples, true)], where)
  }
})

test('nine tenths of the window suffice, one sample less does not', () => {
  assert.equal(isEnough(1620, 1800, 0.9), true)
  assert.equal(isEnough(1619, 1800, 0.9), false)
  assert.equal(isEnough(0, 1800, 0), false)
  assert.equal(isEnough(1, 1, 1), true)
})

test('a share of a count rounds down, without floating-point errors', () => {
  for (let count = 0; count <= 10_000; count++) {
    assert.equal(trimCount(count, 0.05), Math.floor(count / 20), `${count}`)
  }
})

/** Rule of the specification, word by word, in integers of any length; USD. */
function twinOf(samples: Float64Array, isMedian: boolean): number {
  let sorted = [...samples].map(BigInt)
  if (!isMedian) return roundedUsd(sumOf(sorted), BigInt(sorted.length))
  sorted.sort((a, b) => (a < b ? -1 : Number(a > b)))
  const drop = Math.floor(sorted.length / 20)
  sorted = sorted.slice(drop, sorted.length - drop)
  const buckets = Math.floor(Math.sqrt(sorted.length))
  const width = Math.floor(sorted.length / buckets)
  const means = Array.from({ length: buckets }, (_, bucket) => {
    const end = bucket === buckets - 1 ? sorted.length : (bucket + 1) * width
    const part = sorted.slice(bucket * width, end)
    return { sum: sumOf(part), count: BigInt(part.length) }
  })
  means.sort((a, b) => Number(a.sum * b.count - b.sum * a.count))
  const upper = means[Math.floor(buckets / 2)]!
  if (buckets % 2 === 1) return roundedUsd(upper.sum, upper.count)
  const lower = means[buckets / 2 - 1]!
  const sum = lower.sum * upper.count + upper.sum * lower.count
  return roundedUsd(sum, 2n * lower.count * upper.count)
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n)
}

function roundedUsd(numerator: bigint, divisor: bigint): number {
  const floor = numerator / divisor
  const twice = 2n * (numerator % divisor)
  const isUp = twice > divisor || (twice === divisor && floor % 2n === 1n)
  return Number(isUp ? floor + 1n : floor) / 1e6
}
