import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mulDivHalfEven } from '../../engine/risk/money.js'
import { isLongRun, longTest } from '../support/long-test.js'
import { tradingAlone } from '../support/planted-fault.js'
import type { FaultKind } from './run/fault-plan.js'
import { simulate } from './simulation.js'

test('two runs of one seed are the same, bit for bit', () => {
  for (const seed of isLongRun ? [11, 12] : [11]) {
    const [one, other] = [simulate({ seed, steps: 200 }), simulate({ seed, steps: 200 })]
    assert.equal(one.failure, null)
    assert.equal(other.traceHash, one.traceHash, `seed ${seed}`)
    assert.deepEqual([...other.statistics.counts], [...one.statistics.counts], `seed ${seed}`)
  }
})

test('a run ignores amounts that other code in the process has clamped', () => {
  mulDivHalfEven(2 ** 52, 2 ** 52, 1)
  assert.equal(simulate({ seed: 13, steps: 5 }).failure, null)
})

test('another seed gives another run', () => {
  const hashes = [1, 2, 3].map((seed) => simulate({ seed, steps: 30 }).traceHash)
  assert.equal(new Set(hashes).size, hashes.length)
})

test('a kind of fault that is left out never strikes', () => {
  for (const seed of isLongRun ? [21, 22, 23] : [21]) {
    const { statistics, failure } = simulate({
      seed,
      steps: 150,
      without: new Set(['stall', 'flip']),
    })
    assert.equal(failure, null)
    assert.equal(statistics.of('fault stall') + statistics.of('fault flip'), 0)
  }
})

longTest('a life without crashes is long enough for the log to overtake a slow gateway', () => {
  const crashes: FaultKind[] = ['crash', 'power', 'short', 'flush-failed', 'disk-full']
  const without = new Set<FaultKind>([...crashes, ...tradingAlone])
  let overtaken = 0
  // In about one life in thirty the log overtakes a gateway; any new kind of command changes which. Seed 30 does it
  // with the current code.
  for (let seed = 30; overtaken === 0 && seed <= 120; seed++) {
    const { statistics, failure } = simulate({ seed, steps: 1000, without })
    assert.equal(failure, null, `seed ${seed}`)
    overtaken += statistics.of('gateway overtaken')
  }
  assert.ok(overtaken > 0)
})
