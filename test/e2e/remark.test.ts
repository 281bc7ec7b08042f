import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { longTest } from '../support/long-test.js'
import { orderActions } from './support/order-actions.js'
import { dateText, expirySeconds } from './support/signed-body.js'
import { eventually, Venue, type Wire } from './support/venue.js'

// A chain so long that its re-mark takes several engine steps, read by clients while the index moves.

const venue = new Venue({ arguments: ['--set', 'pricing.remarkRows=8'] })
const strikes = Array.from({ length: 50 }, (_, place) => 75_000 + place * 1_000)
const date = dateText(30)
const symbolOf = (strike: number, right: 'C' | 'P') => `BTC-${date}-${strike}-${right}`
const { fundedWallet, place } = orderActions(venue, symbolOf(100_000, 'C'))

before(async () => {
  await venue.start()
  const points = [{ strike: '100000', iv: '0.6' }]
  await venue.set('/vol-surfaces', { underlying: 'BTC', expiry: expirySeconds(), points })
  for (const strike of strikes) {
    for (const right of ['C', 'P'] as const) {
      await venue.set('/instruments', { symbol: symbolOf(strike, right) })
    }
  }
  await index(100_000)
  await eventually('there are marks', async () =>
    (await markedIndexes()).every((one) => one === 100_000),
  )
})
after(() => venue.dispose())

const index = (price: number) =>
  venue.set('/index-prices', { prices: [{ underlying: 'BTC', price: String(price) }] })

/** Returns the index that the marks of each call and put imply: C - P + K, since the rate is 0. */
async function markedIndexes(): Promise<number[]> {
  const { result } = await venue.read('/options-summary?currency=BTC')
  const marks = new Map<string, number>()
  for (const row of result as Wire[]) marks.set(row.instrument_name, row.mark_price)
  return strikes.map((strike) => {
    const [call, put] = [symbolOf(strike, 'C'), symbolOf(strike, 'P')].map((name) =>
      marks.get(name),
    )
    return Math.round((call! - put! + strike) * 1000) / 1000
  })
}

test('no answer shows an underlying half re-marked, and no order waits for the end of a re-mark', async () => {
  const by = await fundedWallet()
  const seen = new Set<number>()
  let isMoving = true
  const moving = (async () => {
    for (let step = 1; step <= 60; step++) await index(100_000 + step * 10)
    isMoving = false
  })()
  const bid = { price: '1', size: '0.01', tif: 'ioc' }
  let placed = 0
  while (isMoving) {
    const indexes = new Set(await markedIndexes())
    assert.equal(indexes.size, 1, `marks of different indexes: ${[...indexes]}`)
    for (const one of indexes) seen.add(one)
    if (++placed <= 50) assert.equal((await place(by, bid)).status, 'CANCELED')
  }
  await moving
  await eventually('the marks are of the last index', async () =>
    (await markedIndexes()).every((one) => one === 100_600),
  )
  assert.ok(
    [...seen].every((one) => one % 10 === 0 && one >= 100_000),
    `${[...seen]}`,
  )
})

longTest('a venue killed during re-marks returns with the same marks and state hash', async () => {
  for (let step = 1; step <= 20; step++) await index(101_000 + step)
  await venue.end('SIGKILL')
  await venue.start()
  await eventually('the marks are of the last index', async () =>
    (await markedIndexes()).every((one) => one === 101_020),
  )
})
