import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { HaltMode, InstrumentState, Side } from '../../../../schemas/domain.js'
import { InstrumentChange } from '../../../../schemas/record-values.js'
import {
  alice,
  call,
  contract,
  expiry,
  type MarketBench,
  market,
  put,
  usd,
} from '../../../support/market-bench.js'

const sell = { symbol: call, side: 'Sell', size: '1', price: '3270' }

function simulate(bench: MarketBench, orders: unknown, changes: object = {}) {
  const body = JSON.stringify({ wallet: alice, execution_mode: 'resting', orders, ...changes })
  return bench.get(`/risk/simulate/orders?${body}`)
}

test('the example of the specification: rejected, with the values of the reason', () => {
  const bench = market()
  const { status, body } = simulate(bench, [sell])
  const { data } = body
  assert.deepEqual([status, body.success, body.as_of_seq], [200, true, 0])
  assert.equal(data.admissible, false)
  assert.match(
    data.rejection_reason,
    /^Insufficient margin: required=10948\.2151\d*, equity=10000, /,
  )
  assert.match(data.rejection_reason, new RegExp(`required=${data.required.replace('.', '\\.')},`))
  assert.deepEqual([data.equity, data.consumed_im, data.consumed_mm], ['10000', '0', '0'])
  assert.equal(data.incremental_im, data.required)
  assert.ok(Math.abs(Number(data.incremental_mm) - 8758.363676) < 1e-3)
  assert.deepEqual(data.scenario, { kind: 'VolChange', id: 'V4' })
})

test('an admissible order costs its reserve, and is not placed', () => {
  const bench = market()
  const buy = { symbol: call, side: 'Buy', size: '2', price: '3200' }
  for (let again = 0; again < 2; again++) {
    const { data } = simulate(bench, [buy]).body
    assert.deepEqual([data.admissible, data.rejection_reason, data.scenario], [true, null, null])
    assert.deepEqual([data.required, data.consumed_im, data.incremental_im], ['6400', '0', '6400'])
  }
  const { total_margin_used } = bench.get(`/portfolio?wallet=${alice}`).body.data
  assert.equal(total_margin_used, '0')
})

test('orders are added together: the second one includes the first', () => {
  const bench = market()
  const buy = { symbol: call, side: 'Buy', size: '2', price: '3200' }
  const { data } = simulate(bench, [buy, { ...buy, symbol: put, size: '3' }]).body
  assert.equal(data.rejection_reason, 'Insufficient cash (Standard): needed=16000, available=10000')
  assert.equal(data.required, '16000')
})

test('positions and working orders of the wallet count', () => {
  const bench = market()
  const { script } = bench
  const mine = { wallet: alice, account: 0, instrument: 0 }
  script.fill({
    ...{ ...mine, fillId: 1, tradeId: 1, orderId: 1, priceMicros: 3000 * usd },
    ...{ positionLots: contract, costMicros: 3000 * usd, cashMicros: 7000 * usd },
  })
  script.order({ ...mine, instrument: 1, orderId: 2, priceMicros: 100 * usd })
  const before = bench.get(`/portfolio?wallet=${alice}`).body.data
  const { data } = simulate(bench, [{ ...sell, price: '3300' }]).body
  assert.deepEqual([data.admissible, data.equity], [true, before.equity])
  assert.equal(data.consumed_im, before.total_margin_used)
  assert.equal(data.incremental_im, '0', 'a sell of what is held, above the mark')
  assert.deepEqual(bench.get(`/portfolio?wallet=${alice}`).body.data, before)
  script.order({ ...mine, side: Side.Sell, orderId: 3, priceMicros: 3300 * usd })
  assert.notEqual(simulate(bench, [{ ...sell, price: '3300' }]).body.data.incremental_im, '0')
})

test('an unknown wallet has no funds', () => {
  const { data } = simulate(market(), [sell], { wallet: walletOf(9) }).body
  assert.equal(data.rejection_reason, 'Account has no funds. Please deposit before trading.')
})

test("the core's checks before the funds come first", () => {
  const bench = market()
  const reason = (order: object) => simulate(bench, [order]).body.data.rejection_reason
  assert.equal(reason({ ...sell, symbol: 'BTC-20260925-1-C' }), 'Invalid symbol: BTC-20260925-1-C')
  bench.script.halt(0, HaltMode.Halted)
  assert.equal(reason(sell), 'Trading is halted for BTC')
  bench.script.halt(0, HaltMode.CancelOnly)
  assert.equal(reason(sell), 'Only cancels are accepted for BTC')
  bench.script.halt(0, HaltMode.Open)
  const state = InstrumentState.ExpiredPendingPrice
  bench.script.instrument(0, call, 0, expiry, InstrumentChange.Expired, state)
  assert.equal(reason(sell), 'Instrument has expired')
})

test('bad bodies have their codes', () => {
  const bench = market()
  const code = (text: string) => bench.get(`/risk/simulate/orders?${text}`).body.code
  assert.equal(code('{}'), 'missing_field')
  const of = (orders: unknown, changes: object = {}) => simulate(bench, orders, changes).body.code
  assert.equal(of([sell], { wallet: 'x' }), 'invalid_wallet')
  assert.equal(of([sell], { wallet: walletOf(0) }), 'invalid_wallet')
  assert.equal(of([sell], { wallet: 5 }), 'invalid_parameter')
  assert.equal(of([{ ...sell, price: '1000000000', size: '10' }]), 'invalid_field')
  assert.equal(of([sell], { execution_mode: 'taker' }), 'invalid_field')
  assert.equal(of([sell], { execution_mode: 1 }), 'invalid_parameter')
  assert.equal(of(null), 'missing_field')
  assert.equal(of([]), 'invalid_parameter')
  assert.equal(of(Array(11).fill(sell)), 'invalid_parameter')
  assert.equal(of(Array(10).fill(sell)), undefined)
  assert.equal(of([5]), 'missing_field')
  assert.equal(of([null]), 'missing_field')
  assert.equal(of([{ ...sell, size: 1 }]), 'invalid_parameter')
  assert.equal(of([{ ...sell, size: '0' }]), 'invalid_field')
  assert.equal(of([{ ...sell, price: '123456' }]), 'invalid_field')
  assert.equal(of([{ ...sell, side: 'buy' }]), 'invalid_field')
  assert.equal(of([{ ...sell, symbol: 'BTC' }]), 'invalid_field')
})

test('of several orders that fail the first one gives the reason, of any kind', () => {
  const bench = market()
  const unlisted = { ...sell, symbol: 'BTC-20260131-77000-C' }
  const dear = { ...sell, size: '50' }
  const dataOf = (...orders: object[]) => simulate(bench, orders).body.data
  const ofMargin = dataOf(dear, unlisted)
  assert.match(ofMargin.rejection_reason, /^Insufficient margin: required=/)
  assert.deepEqual(ofMargin.scenario, { kind: 'VolChange', id: 'V4' })
  const ofSymbol = dataOf(unlisted, dear)
  assert.equal(ofSymbol.rejection_reason, 'Invalid symbol: BTC-20260131-77000-C')
  assert.equal(ofSymbol.scenario, null)
})

test('orders that the sums of a wallet or book could not hold fail before the margin check', () => {
  const bench = market()
  const { script } = bench
  const exactLots = 2 ** 52
  script.maxIndex(0, 4000 * usd)
  script.level(0, Side.Buy, 100 * usd, exactLots - 2 * contract)
  script.level(0, Side.Sell, 9000 * usd, contract - 1)
  const buy = { symbol: put, side: 'Buy', size: '1', price: '100' }
  const reasonOf = (...orders: unknown[]) => simulate(bench, orders).body.data.rejection_reason
  assert.equal(reasonOf({ ...buy, symbol: call }), null, 'a lot below the bound')
  const text = 'working orders of this instrument must stay below 45035996.27370496 contracts'
  for (const orders of [
    [{ ...buy, symbol: call, size: '1.00000001' }],
    [
      { ...buy, symbol: call, size: '0.5' },
      { ...buy, symbol: call, size: '0.50000001' },
    ],
  ]) {
    assert.equal(reasonOf(...orders), `Limit exceeded: ${text}`)
  }
  const { data } = simulate(bench, [buy, { ...buy, size: '90000' }]).body
  assert.match(
    data.rejection_reason,
    /^Limit exceeded: the order costs \d+ .* \d+ now and must stay below 4503599627\.370496$/,
  )
  assert.equal(data.required, '100', 'what no sum can hold counts in none')
})
