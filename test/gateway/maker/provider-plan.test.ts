import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RfqRequest } from '../../../gateway/client/quote-provider-client.js'
import {
  firmQuote,
  haveMoved,
  indicativeQuote,
  type QuotePlans,
  scopeOf,
} from '../../../gateway/maker/provider-plan.js'
import type { PlannedQuote } from '../../../gateway/maker/quote-plan.js'

const near = planned('BTC-20300628-100000-C', 1000, 30)
const far = planned('BTC-20300628-110000-C', 400, 12)

function planned(symbol: string, theo: number, halfSpread: number): PlannedQuote {
  const [bid, ask] = [String(theo - halfSpread), String(theo + halfSpread)]
  return { ...{ symbol, asset: null, level: 0, bid, ask, size: '0.2' }, theo, halfSpread }
}

function plansOf(...plans: readonly PlannedQuote[]): QuotePlans {
  return new Map(plans.map((plan) => [plan.symbol, plan]))
}

function request(...legs: readonly [plan: PlannedQuote, side: string, size: string][]): RfqRequest {
  const rows = legs.map(([{ symbol }, side, size]) => ({ instrument: symbol, side, size }))
  return { type: 'rfq_request', rfq_id: 'rfq', legs: rows } as unknown as RfqRequest
}

const shownOf = (symbol: string) => plansOf(near, far).get(symbol)

test('a taker buys at the ask and sells at the bid, both inside the book, and pays the difference', () => {
  const quote = firmQuote(request([near, 'buy', '2'], [far, 'sell', '2']), shownOf)!
  assert.deepEqual(
    quote.legs.map(({ instrument, side, size, price }) => [instrument, side, size, price]),
    [
      [near.symbol, 'buy', '2', '1024'],
      [far.symbol, 'sell', '2', '390.4'],
    ],
  )
  assert.deepEqual([quote.rfqId, quote.netPremium], ['rfq', '-1267.2'])
})

test('a firm quote has at most the displayed size', () => {
  assert.deepEqual(indicativeQuote(near), {
    instrument: near.symbol,
    ...{ bidPrice: '976', askPrice: '1024', maxBidSize: '5', maxAskSize: '5' },
  })
  assert.notEqual(firmQuote(request([near, 'sell', '5']), shownOf), null)
  assert.equal(firmQuote(request([near, 'sell', '5.00000001']), shownOf), null)
})

test('an order is quoted better than its reference by the needed step, unless that loses money', () => {
  const priceOf = (side: string, reference: string, patch: object = {}) => {
    const order = { reference_price: reference, min_improvement_tick: '0.1' }
    const asked = { ...request([near, side, '1']), ...order, requires_price_improvement: true }
    return firmQuote({ ...asked, ...patch }, shownOf)!.legs[0]!.price
  }
  assert.deepEqual([priceOf('buy', '1030'), priceOf('sell', '970')], ['1024', '976'])
  assert.deepEqual([priceOf('buy', '1024'), priceOf('sell', '976')], ['1023.9', '976.1'])
  assert.deepEqual([priceOf('buy', '1000.2'), priceOf('sell', '999.8')], ['1000.1', '999.9'])
  assert.deepEqual([priceOf('buy', '1000.1'), priceOf('sell', '999.9')], ['1024', '976'])
  assert.equal(priceOf('buy', '1010', { requires_price_improvement: false }), '1024')
})

test('a price near 0 is quoted inside the book, too', () => {
  const tiny = { ...near, bid: '0.01', ask: '0.02', theo: 0.001, halfSpread: 0.01 }
  const { bidPrice, askPrice } = indicativeQuote(tiny)
  assert.deepEqual([bidPrice, askPrice], ['0.011', '0.019'])
})

test('without a price of each leg there is no quote', () => {
  const other = planned('BTC-20300628-120000-C', 100, 3)
  assert.equal(firmQuote(request([near, 'buy', '1'], [other, 'sell', '1']), shownOf), null)
})

test('plans have moved if an instrument is added or removed, or by half a half spread', () => {
  const shown = plansOf(near, far)
  assert.equal(haveMoved(shown, plansOf({ ...near, theo: 1014 }, { ...far, theo: 405 })), false)
  assert.equal(haveMoved(shown, plansOf(near, { ...far, theo: 406 })), true)
  assert.equal(haveMoved(shown, plansOf(near)), true)
  assert.equal(haveMoved(shown, plansOf(near, { ...far, symbol: 'other' })), true)
})

test('each underlying has a scope of its own', () => {
  assert.match(scopeOf('BTC'), /^[0-9a-f]{32}$/)
  assert.notEqual(scopeOf('BTC'), scopeOf('ETH'))
})
