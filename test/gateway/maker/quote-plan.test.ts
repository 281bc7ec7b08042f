import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OptionSummary } from '../../../gateway/client/generated/interface.js'
import { planQuote, requoteUrgency, roundFigures } from '../../../gateway/maker/quote-plan.js'
import { WindowBudget } from '../../../gateway/maker/window-budget.js'
import { parsePriceMicros, parseSizeLots } from '../../../schemas/decimal.js'

function row(markPrice: number | null, vega: number, underlyingPrice = 100_000): OptionSummary {
  return {
    instrument_id: 1,
    instrument_name: 'BTC-20270326-100000-C',
    base_currency: 'BTC',
    expiration_timestamp: 0,
    bid_price: 0,
    ask_price: 0,
    mark_price: markPrice ?? 0,
    theoretical_price: markPrice ?? 0,
    mark_iv: markPrice === null ? 0 : 0.5,
    underlying_price: underlyingPrice,
    greeks: { delta: 0, gamma: 0, vega, theta: 0, rho: 0 },
  } as OptionSummary
}

test('every quote is valid, two-sided and around the mark', () => {
  for (const mark of [0, 0.0001, 0.05, 1.2345, 99.999, 1630.55, 59_999.9, 100_000]) {
    for (const vega of [0, 0.02, 31]) {
      const quote = planQuote(row(mark, vega))!
      const bidMicros = parsePriceMicros(quote.bid)
      const askMicros = parsePriceMicros(quote.ask)
      assert.ok(
        bidMicros > 0 && askMicros > bidMicros,
        `${mark} ${vega}: ${quote.bid} ${quote.ask}`,
      )
      assert.ok(askMicros >= mark * 1e6)
      assert.ok(bidMicros <= Math.max(mark, 0.01) * 1e6)
      assert.ok(parseSizeLots(quote.size) > 0)
    }
  }
})

test('an option without a mark is not quoted', () => {
  assert.equal(planQuote(row(null, 1)), null)
  assert.equal(planQuote(row(5, 1, 0)), null)
})

test('sizes follow the price of the underlying', () => {
  const sizes = [100_000, 3500, 6000, 150].map((price) => planQuote(row(10, 1, price))!.size)
  assert.deepEqual(sizes, ['0.2', '6', '3', '100'])
})

test('a quote is renewed when the mark has left it by half its half spread', () => {
  const quote = planQuote(row(1000, 0))!
  assert.equal(quote.halfSpread, 30)
  assert.ok(requoteUrgency(quote, 1014) < 1)
  assert.ok(requoteUrgency(quote, 985) >= 1)
})

test('rounding to figures is towards the given side, and keeps round values', () => {
  assert.equal(roundFigures(1234.56, Math.floor), 1234)
  assert.equal(roundFigures(1234.56, Math.ceil), 1235)
  assert.equal(roundFigures(99_999, Math.ceil), 100_000)
  assert.equal(roundFigures(0.3, Math.floor), 0.3)
  assert.equal(roundFigures(-1, Math.floor), 0)
})

test('a rate budget starts anew each minute', () => {
  let nowMillis = 59_000
  const budget = new WindowBudget(2, () => nowMillis)
  assert.deepEqual([budget.take(), budget.take(), budget.take()], [true, true, false])
  nowMillis = 60_000
  assert.equal(budget.take(), true)
  budget.exhaust()
  assert.equal(budget.take(), false)
})
