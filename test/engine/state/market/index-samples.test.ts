import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimatePrice } from '../../../../engine/lifecycle/estimators.js'
import { StateReader, StateWriter } from '../../../../engine/memory/state-codec.js'
import { StateHash } from '../../../../engine/memory/state-hash.js'
import { IndexSamples } from '../../../../engine/state/market/index-samples.js'
import {
  Estimator,
  isEnough,
  settlementParametersDefault,
} from '../../../../engine/state/market/settlement-parameters.js'
import { Random } from '../../../simulation/run/random.js'
import { microsOf, observationsOf, settlementVectors } from '../../lifecycle/settlement-vectors.js'

const beginMillis = Date.UTC(2026, 0, 31, 7, 30)
const windowSeconds = 1800
const expiryMillis = beginMillis + windowSeconds * 1000
const unlimited = Number.POSITIVE_INFINITY

interface Seen {
  readonly millis: number
  readonly micros: number
}

function samplesOf(seen: readonly Seen[], hash = new StateHash()): IndexSamples {
  const samples = new IndexSamples(0, hash)
  for (const { millis, micros } of seen) {
    samples.take(beginMillis + millis, micros, beginMillis, unlimited)
  }
  return samples
}

function read(samples: IndexSamples, maxCarryMillis: number, untilMillis = expiryMillis): number[] {
  const out = new Float64Array(windowSeconds)
  const window = { expiryMillis, windowSeconds, untilMillis, maxCarryMillis }
  return [...out.subarray(0, samples.read(window, out))]
}

for (const vector of settlementVectors.price) {
  test(`vector ${vector.id}: ${vector.name.replaceAll('_', ' ')}`, () => {
    const maxCarry = vector.max_carry_ms === undefined ? 60_000 : (vector.max_carry_ms ?? 0)
    const valid = read(samplesOf(observationsOf(vector)), maxCarry)
    assert.equal(valid.length, vector.valid_samples)
    assert.equal(isEnough(valid.length, windowSeconds, 0.9), vector.outcome === 'price')
    if (vector.outcome === 'pending') return
    const wanted = [vector.twap!, vector.trimmed_median_of_means!].map(microsOf)
    const prices = [Estimator.Twap, Estimator.TrimmedMedianOfMeans].map((estimator) => {
      const parameters = { ...settlementParametersDefault, estimator }
      return estimatePrice(Float64Array.from(valid), valid.length, parameters)
    })
    assert.deepEqual(prices, wanted)
  })
}

test('a sample is the last observation at or before its second, to the millisecond', () => {
  const samples = samplesOf([
    { millis: 0, micros: 10 },
    { millis: 1000, micros: 11 },
    { millis: 1001, micros: 12 },
    { millis: 2999, micros: 13 },
    { millis: 3000, micros: 14 },
  ])
  assert.deepEqual(read(samples, 0, beginMillis + 4000), [10, 11, 12, 14, 14])
})

test('an observation of the same time replaces the previous one', () => {
  const samples = samplesOf([
    { millis: 500, micros: 1 },
    { millis: 500, micros: 2 },
  ])
  assert.deepEqual(read(samples, 0, beginMillis + 1000), [2])
})

test('an observation that arrives late counts by its own time', () => {
  const samples = samplesOf([{ millis: 0, micros: 10 }])
  assert.equal(read(samples, 0, beginMillis + 9000).at(-1), 10)
  samples.take(beginMillis + 4000, 20, beginMillis, unlimited)
  const seconds = read(samples, 0, beginMillis + 9000)
  assert.deepEqual(seconds, [10, 10, 10, 10, 20, 20, 20, 20, 20, 20])
})

test('samples equal those of a list of all observations, whatever was dropped', () => {
  const seed = Number(process.env['SEED'] ?? 4711)
  const random = new Random(seed, 'samples')
  for (let round = 0; round < 60; round++) {
    const seen: Seen[] = []
    const samples = new IndexSamples(0, new StateHash())
    let millis = -random.below(5_000_000)
    while (millis < windowSeconds * 1000) {
      seen.push({ millis, micros: 1 + random.below(1000) })
      // Before the window, its beginning is the earliest time that an expiry can request.
      const nowMillis = Math.min(millis, windowSeconds * 1000) + beginMillis
      const last = seen.at(-1)!
      samples.take(beginMillis + millis, last.micros, nowMillis - windowSeconds * 1000, unlimited)
      millis += random.pick([1, 300, 1000, 1001, 20_000, 130_000])
    }
    const maxCarry = random.pick([0, 60_000])
    const where = `seed ${seed}, round ${round}`
    assert.deepEqual(read(samples, maxCarry), naive(seen, maxCarry), where)
    assert.ok(samples.count <= windowSeconds + 2, `${where}: ${samples.count} kept`)
  }
})

test('future times cannot fill the memory', () => {
  const samples = new IndexSamples(0, new StateHash())
  for (let second = 0; second < 10_000; second++) {
    samples.take(beginMillis + second * 1000, 1, beginMillis, 100)
  }
  assert.equal(samples.count, 100)
})

test('a snapshot restores the same samples and the same hash', () => {
  const hash = new StateHash()
  const seen = observationsOf(settlementVectors.price[5]!)
  const samples = samplesOf(seen, hash)
  const writer = new StateWriter()
  samples.save(writer)
  const copyHash = new StateHash()
  const copy = new IndexSamples(0, copyHash)
  copy.load(new StateReader(writer.result()))
  assert.deepEqual({ ...copyHash }, { ...hash })
  assert.deepEqual(read(copy, 60_000), read(samples, 60_000))
})

/** Sample k at begin + k seconds is the last observation at or before it, if that one is not too old. */
function naive(seen: readonly Seen[], maxCarryMillis: number): number[] {
  const out: number[] = []
  for (let k = 0; k < windowSeconds; k++) {
    const last = seen.filter(({ millis }) => millis <= k * 1000).at(-1)
    if (last === undefined) continue
    if (maxCarryMillis > 0 && k * 1000 - last.millis > maxCarryMillis) continue
    out.push(last.micros)
  }
  return out
}
