import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readLoadOptions } from '../../bench/load/load-options.js'
import { runOverload } from '../../bench/load/overload.js'
import { LoadVenue } from '../../scripts/load-venue.js'

// A short look at what `npm run test:overload` measures: on a machine that runs other tests beside
// it, figures are wide, so its borders are too.

const venue = new LoadVenue()

before(() => venue.start())
after(() => venue.dispose())

test('three times its capacity is refused explicitly, cancels and what fits are served', async () => {
  const address = [`--url=${venue.url}`, `--operator-url=${venue.operatorUrl}`]
  const shape = ['--mix=5,5,0,90', '--open-orders=200', '--http-connections=128']
  const claims = await runOverload({
    load: readLoadOptions([...address, `--operator-token=${venue.token}`, ...shape], {}),
    seconds: 2.5,
    calmSeconds: 0.7,
    kneeSeconds: 0.4,
    kneeRefinements: 0,
    kneeP99Millis: 1000,
    firstRate: 2000,
    factor: 3,
    goodputShareMin: 0.2,
    cancelMillisMax: 5000,
    recoverySecondsMax: 5,
    latencySlackMillis: 1000,
    onLine: () => {},
  })
  assert.deepEqual(
    claims.filter(({ isKept }) => !isKept),
    [],
  )
  assert.equal(claims.length, 8)
})
