import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  basisOf,
  perpQuoteOf,
  rateText,
  untilFunding,
  yearlyText,
} from '../../../../gateway/web/model/perp-quote.js'

type Summary = Parameters<typeof perpQuoteOf>[0]

const summary = {
  ...{ instrument_name: 'BTC-PERP', best_bid_price: 99_990, best_ask_price: 100_030 },
  ...{ mark_price: 100_000, index_price: 100_000, open_interest: 2.5 },
  stats: { high: 101_000, low: 99_000, price_change: 1.5, volume: 3, volume_usd: 300_000 },
} as unknown as Summary

test('the quote of a perp is shown, and an unknown value is not 0', () => {
  const quote = perpQuoteOf(summary)
  assert.deepEqual(
    [quote.underlying, quote.bid, quote.ask, quote.change, quote.fundingRate],
    ['BTC', 99_990, 100_030, 0.015, null],
  )
  assert.equal(perpQuoteOf({ ...summary, best_bid_price: 0 } as Summary).bid, null)
})

test('the middle of the book differs from the index by its basis, and is unknown without both sides', () => {
  const quote = perpQuoteOf(summary)
  assert.equal(basisOf(quote)!.toFixed(6), '0.000100')
  assert.equal(basisOf({ ...quote, ask: null }), null)
})

test('a rate has its sign, and its value for a year', () => {
  assert.deepEqual([0.0001, -0.0005, 0, null].map(rateText), [
    ...['+0.0100%', '-0.0500%', '0.0000%', '–'],
  ])
  assert.equal(yearlyText(0.0001), '87.6%')
  assert.equal(yearlyText(null), '–')
})

test('an hour is paid when it ends', () => {
  const hour = 3_600_000
  assert.equal(untilFunding(10 * hour), '1h 0m')
  assert.equal(untilFunding(10.25 * hour), '0h 45m')
})
