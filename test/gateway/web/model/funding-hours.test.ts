import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundingHours } from '../../../../gateway/web/model/funding-hours.js'

const hour = 3_600_000
const now = 13.5 * hour
/** Returns a point at the boundary of an hour, with the funding realized until then. */
const point = (hours: number, usd?: number) => ({
  ...{ timestamp: hours * hour, equity: '0', net_deposits: '0' },
  attribution: {
    'BTC-PERP': [1, 100_000, 7, 3, 10],
    ...(usd === undefined ? {} : { funding: [0, 0, usd, 0, usd] }),
  },
})

test('hours show the funding between their boundaries, and the running one the funding so far', () => {
  const points = [point(10, -1), point(11, -1.5), point(12, -1.5), point(13, 0.25)]
  assert.deepEqual(fundingHours(points, 0.3, false, now), [
    { fromMillis: 13 * hour, usd: 0.05 },
    { fromMillis: 12 * hour, usd: 1.75 },
    { fromMillis: 10 * hour, usd: -0.5 },
  ])
})

test('a wallet that is younger than the points shows its first hour, too', () => {
  const points = [point(10, -0.1), point(11, -0.3)]
  assert.deepEqual(fundingHours(points, -0.3, true, now), [
    { fromMillis: 10 * hour, usd: -0.2 },
    { fromMillis: 9 * hour, usd: -0.1 },
  ])
})

test('for a wallet without a boundary everything is in this hour, and without funding no hour was paid', () => {
  assert.deepEqual(fundingHours([], -2, true, now), [{ fromMillis: 13 * hour, usd: -2 }])
  assert.deepEqual(fundingHours([point(10), point(11)], 0, true, now), [])
})
