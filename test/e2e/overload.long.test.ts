import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runOverload } from '../../bench/load/overload.js'
import { LoadVenue } from '../../bench/load-venue.js'

// `npm run soak -- overload` measures a venue under overload. These tests check only what holds on every machine, also
// on a slow or busy one.

const venue = new LoadVenue({ arguments: ['--set=takeMemory=false'] })
/** Commands in a burst, at a rate that no machine can follow. */
const burst = 15_000
const burstPerSecond = 20_000
const calmPerSecond = 400

before(() => venue.start())
after(() => venue.dispose())

test('an overloaded venue rejects explicitly what it cannot do, and serves cancels and what fits', async () => {
  const shape = ['--mix=5,5,0,90', '--open-orders=50', '--http-connections=64', '--drain=200']
  const claims = await runOverload({
    load: venue.loadOptions(shape),
    seconds: burst / burstPerSecond,
    calmSeconds: 0.3,
    kneeSeconds: 0.3,
    kneeRefinements: 0,
    kneeP99Millis: 1000,
    firstRate: calmPerSecond,
    capacityPerSecond: calmPerSecond,
    factor: burstPerSecond / calmPerSecond,
    goodputShareMin: 0,
    cancelMillisMax: 0,
    recoverySecondsMax: 0,
    latencySlackMillis: 0,
    onLine: () => {},
  })
  const structural = claims.filter(({ isStructural }) => isStructural)
  assert.deepEqual(
    structural.filter(({ isKept }) => !isKept),
    [],
  )
  assert.deepEqual([structural.length, claims.length], [3, 9])
})
