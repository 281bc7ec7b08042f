import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { longTest } from '../support/long-test.js'
import { listMarket } from './support/listed-market.js'
import { symbolOf } from './support/signed-body.js'
import { SteppedVenue } from './support/stepped-venue.js'
import { assertError, eventually, type Wire } from './support/venue.js'

const symbol = symbolOf('BTC', 110_000)
const series = `/historical-theos?instrument_name=${symbol}`
const fiveMinutes = 300_000
const venue = new SteppedVenue()

before(() => venue.start())
after(() => venue.dispose())

/** Restarts the venue on the same data, with its clock ahead by this much. */
async function restartAfter(millis: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await venue.end(signal)
  venue.stepTo(millis)
  await venue.start()
}

/** Marks the option at an index, and returns its theo once it is above a bound. */
async function markAt(price: string, boundUsd: number): Promise<number> {
  await listMarket(venue, [symbol])
  await venue.set('/index-prices', { prices: [{ underlying: 'BTC', price }] })
  let theo = Number.NaN
  await eventually(`a theo above ${boundUsd}`, async () => {
    theo = (await venue.read(`/orderbook?symbol=${symbol}`)).result.theoretical_price
    return theo > boundUsd
  })
  return theo
}

async function pointsOf(interval: string): Promise<Wire[]> {
  const { success, error, data } = await venue.read(`${series}&interval=${interval}`)
  assert.deepEqual([success, error], [true, null])
  assert.deepEqual([data.instrument_name, data.interval], [symbol, interval])
  return data.points
}

const isNear = (price: number, theo: number) => Math.abs(price / theo - 1) < 0.02

longTest('the venue records theoretical prices over time, and they survive restarts', async () => {
  const startMillis = Date.now()
  const low = await markAt('100000', 0)
  await restartAfter(fiveMinutes, 'SIGTERM')
  const high = await markAt('120000', 2 * low)
  const afterOne = await pointsOf('5m')
  assert.ok(isNear(afterOne[0].theoretical_price, low))
  await restartAfter(2 * fiveMinutes, 'SIGKILL')
  await listMarket(venue, [symbol])
  const points = await pointsOf('5m')
  assert.deepEqual(points.slice(0, afterOne.length), afterOne)
  assert.ok(isNear(points.at(-1).theoretical_price, high))
  for (const [index, { timestamp }] of points.entries()) {
    assert.equal(timestamp % fiveMinutes, 0)
    assert.ok(timestamp > startMillis - fiveMinutes)
    assert.ok(index === 0 || timestamp > points[index - 1].timestamp)
  }
  const [day] = (await pointsOf('1d')).slice(-1)
  assert.equal(day.theoretical_price, points.at(-1).theoretical_price)
  const { data } = await venue.read(`/historical-theos/batch?instrument_names=${symbol},X&limit=1`)
  assert.deepEqual(Object.keys(data), [symbol, 'X'])
  assert.deepEqual(data[symbol].points, (await pointsOf('1h')).slice(-1))
  assert.deepEqual(data['X'].points, [])
  for (const path of [`${series}&interval=1m`, '/historical-theos/batch?instrument_names=']) {
    const refused = await venue.get(path)
    assertError(refused, 400, 'invalid_parameter')
    assert.equal(refused.body.data, null)
  }
})
