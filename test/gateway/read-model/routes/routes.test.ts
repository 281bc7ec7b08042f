import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { HaltMode, InstrumentState, OrderStatus, Side } from '../../../../schemas/domain.js'
import { AgentChange, InstrumentChange } from '../../../../schemas/record-values.js'
import {
  alice,
  bob,
  call,
  contract,
  day,
  expiry,
  MarketBench,
  market,
  put,
  start,
  usd,
} from '../../../support/market-bench.js'

test('/instruments lists the active options with their grid', () => {
  const bench = market()
  const { body, text } = bench.get('/instruments?currency=BTC')
  assert.deepEqual(Object.keys(body), [
    ...['jsonrpc', 'result', 'testnet', 'usIn', 'usOut', 'usDiff', 'as_of_seq'],
  ])
  assert.deepEqual([body.jsonrpc, body.testnet, body.usIn], ['2.0', true, start * 1000])
  assert.equal(body.result.length, 2)
  const { tick_size_steps, ...row } = body.result[0]
  assert.deepEqual(row, {
    instrument_name: call,
    instrument_id: 1,
    kind: 'option',
    instrument_type: 'linear',
    option_type: 'call',
    price_index: 'btc_usd',
    settlement_period: 'day',
    settlement_currency: 'USDC',
    base_currency: 'BTC',
    counter_currency: 'USD',
    quote_currency: 'USD',
    expiration_timestamp: expiry,
    creation_timestamp: start,
    option_token_address: null,
    rfq: true,
    orderbook: true,
    is_active: true,
    strike: 110000,
    contract_size: 1,
    tick_size: 0.000001,
    min_trade_amount: 1e-8,
    maker_commission: 0,
    taker_commission: 0,
    block_trade_commission: 0,
    block_trade_min_trade_amount: 1e-8,
    block_trade_tick_size: 0.000001,
  })
  assert.ok(text.includes('"min_trade_amount":0.00000001'), 'no exponent in the text')
  assert.deepEqual(tick_size_steps.slice(0, 3), [
    { above_price: 0.1, tick_size: 0.00001 },
    { above_price: 1, tick_size: 0.0001 },
    { above_price: 10, tick_size: 0.001 },
  ])
  assert.deepEqual(tick_size_steps.at(-1), { above_price: 100000000, tick_size: 10000 })
})

test('/instruments shows expired ones on request, and deleted ones never', () => {
  const bench = market()
  const { script } = bench
  const idsOf = (query: string) =>
    bench
      .get(`/instruments${query}`)
      .body.result.map((row: { instrument_id: number }) => row.instrument_id)
  assert.deepEqual(idsOf(''), [1, 2])
  const expired = InstrumentState.ExpiredPendingPrice
  script.instrument(0, call, 0, expiry, InstrumentChange.Expired, expired)
  assert.deepEqual([idsOf(''), idsOf('?expired=true')], [[2], [1]])
  script.instrument(1, put, 0, expiry, InstrumentChange.Deleted, InstrumentState.Deleted)
  assert.deepEqual([idsOf(''), idsOf('?expired=1')], [[], [1]])
  script.instrument(2, put, 0, expiry)
  assert.deepEqual(idsOf(''), [3])
  assert.deepEqual([idsOf('?currency=ETH'), idsOf('?kind=future')], [[], []])
})

test('/markets groups the instruments of an expiry, with marks and volumes', () => {
  const bench = market()
  const { script } = bench
  script.trade(1, 0, alice, bob, { priceMicros: 3000 * usd, sizeLots: contract / 2 })
  const { body } = bench.get('/markets')
  assert.equal(body.success, true)
  const [row] = body.data
  assert.deepEqual(
    { ...row, instruments: row.instruments.length },
    {
      underlying: 'BTC',
      expiry: expiry / 1000,
      index_price: '100000',
      atm_vol: '0.6',
      instruments: 2,
      total_volume_24h: '50000',
      total_open_interest: '0',
      prev_day_px: null,
      prev_day_price: null,
    },
  )
  assert.deepEqual(row.instruments[1], {
    instrument_id: 1,
    id: call,
    underlying: 'BTC',
    strike: '110000',
    expiry: expiry / 1000,
    option_type: 'call',
    option_token_address: null,
    mark_iv: '0.6',
    volume_24h: '50000',
    open_interest: '0',
    prev_day_px: null,
    updated_at: new Date(start).toISOString(),
    status: 'ACTIVE',
    trading_mode: 'orderbook|rfq',
  })
  assert.equal('instruments' in bench.get('/markets?include_instruments=false').body.data[0], false)
})

test('/markets has the prices of a day ago, and drops volumes after a day', () => {
  const bench = market()
  const { script, clock } = bench
  script.trade(1, 0, alice, bob)
  script.timeMillis = clock.millis = start + day
  script.indexPrice(0, 90_000 * usd)
  script.remarked(0)
  const [row] = bench.get('/markets').body.data
  assert.deepEqual([row.prev_day_price, row.total_volume_24h], ['100000', '0'])
  assert.equal(row.instruments[1].prev_day_px, '3270.260505')
})

test('without an index nothing is invented', () => {
  const bench = new MarketBench()
  bench.script.bootstrapBegin()
  bench.script.instrument(0, call, 0, expiry)
  bench.script.bootstrapEnd()
  const [row] = bench.get('/markets').body.data
  assert.deepEqual([row.index_price, row.atm_vol, row.instruments[0].mark_iv], ['0', null, null])
  const book = bench.get('/orderbook?instrument_id=1').body.result
  assert.deepEqual([book.mark_price, book.index_price, book.greeks], [0, 0, undefined])
  const [summary] = bench.get('/options-summary').body.result
  assert.deepEqual([summary.mark_price, summary.mark_iv, summary.mid_price], [0, 0, 0])
  const { delta, gamma, vega, theta, rho } = summary.greeks
  assert.deepEqual([summary.theoretical_price, delta, gamma, vega, theta, rho], [0, 0, 0, 0, 0, 0])
})

test('an index that is too old counts as unknown', () => {
  const bench = market()
  bench.clock.millis = start + 60_001
  assert.equal(bench.get('/markets').body.data[0].index_price, '0')
})

test('/orderbook shows levels best first, and marks with their greeks', () => {
  const bench = market()
  const { script } = bench
  for (const price of [3100, 3200, 3000]) script.level(0, Side.Buy, price * usd, contract)
  script.timeMillis = start + 5
  script.level(0, Side.Sell, 3300 * usd, 3)
  const { body, text } = bench.get(`/orderbook?instrument_id=${call}&depth=2`)
  const { greeks, bid_iv, ask_iv, ...book } = body.result
  assert.deepEqual(book, {
    instrument_name: call,
    timestamp: start + 5,
    state: 'open',
    change_id: 4,
    bids: [
      [3200, 1],
      [3100, 1],
    ],
    asks: [[3300, 0.00000003]],
    best_bid_price: 3200,
    best_ask_price: 3300,
    best_bid_amount: 1,
    best_ask_amount: 0.00000003,
    last_price: null,
    mark_price: 3270.260505,
    theoretical_price: 3270.260505,
    mark_iv: 0.6,
    index_price: 100000,
    underlying_price: 100000,
    underlying_index: 'BTC_USD',
    settlement_price: 0,
    min_price: 0.000001,
    max_price: 1000000000,
    open_interest: 0,
    interest_rate: 0,
    estimated_delivery_price: 100000,
    option_token_address: null,
    stats: { high: null, low: null, price_change: null, volume: 0, volume_usd: 0 },
  })
  assert.ok(Math.abs(greeks.delta - 0.3198656857) < 1e-9)
  assert.ok(Math.abs(greeks.vega - 102.505855988) < 1e-6)
  assert.ok(bid_iv < 0.6 && ask_iv > 0.6)
  assert.ok(text.includes('[[3300,0.00000003]]'))
})

test('/orderbook shows the price band if orders have one', () => {
  const bands = { ...engineConfigDefault.bands, enabled: true }
  const bench = market({ ...engineConfigDefault, bands })
  const limits = (id: number) => {
    const { min_price, max_price } = bench.get(`/orderbook?instrument_id=${id}`).body.result
    return [min_price, max_price]
  }
  assert.deepEqual(limits(1), [1683.104407, 5489.830295])
  bench.script.instrument(2, 'ETH-20260925-110000-C', 1, expiry)
  assert.deepEqual(limits(3), [0.000001, 1000000000], 'no mark: those of any order')
})

test('/orderbook accepts a number, a symbol in either date form, and its aliases', () => {
  const bench = market()
  for (const query of [
    ...['instrument_id=1', `instrument_name=${call}`, 'symbol=BTC-25SEP26-110000.0-C'],
  ]) {
    assert.equal(bench.get(`/orderbook?${query}`).body.result.instrument_name, call, query)
  }
})

test('/orderbook of a missing instrument is error 13020 in an answer of 200', () => {
  const bench = market()
  for (const name of ['0', '3', 'BTC-20260925-1-C', 'nonsense', 'BTC-PERP', '-1', '']) {
    const { status, body } = bench.get(`/orderbook?instrument_id=${name}`)
    assert.equal(status, 200)
    assert.deepEqual([body.result, body.error], [null, { code: 13020, message: 'not_found' }], name)
  }
})

test('/orderbook is closed when nothing may rest', () => {
  const bench = market()
  const stateOf = () => bench.get('/orderbook?instrument_id=1').body.result.state
  bench.script.halt(0, HaltMode.CancelOnly)
  assert.equal(stateOf(), 'closed')
  bench.script.halt(0, HaltMode.Open)
  assert.equal(stateOf(), 'open')
  const expired = InstrumentState.ExpiredPendingPrice
  bench.script.instrument(0, call, 0, expiry, InstrumentChange.Expired, expired)
  assert.equal(stateOf(), 'closed')
})

test('a cleared book has no levels', () => {
  const bench = market()
  bench.script.level(0, Side.Buy, usd, contract)
  bench.script.cleared(0)
  const { result } = bench.get('/orderbook?instrument_id=1').body
  assert.deepEqual([result.bids, result.best_bid_price, result.change_id], [[], 0, 2])
})

test('/options-summary has a row per active option', () => {
  const bench = market()
  const { script } = bench
  script.level(0, Side.Buy, 3200 * usd, contract)
  script.level(0, Side.Sell, 3300 * usd, 2 * contract)
  script.trade(1, 0, alice, bob, { priceMicros: 3000 * usd, sizeLots: contract })
  script.trade(2, 0, alice, bob, { priceMicros: 3300 * usd, sizeLots: contract })
  const { body } = bench.get('/options-summary?expiry=2026-09-25&rfq_provider_quotes=true&limit=5')
  assert.equal(body.result.length, 2)
  const { greeks, bid_iv, ask_iv, ...row } = body.result[0]
  assert.deepEqual(row, {
    instrument_id: 1,
    instrument_name: call,
    underlying_index: 'BTC_USD',
    base_currency: 'BTC',
    quote_currency: 'USD',
    option_token_address: null,
    expiration_timestamp: expiry,
    creation_timestamp: start,
    last: 3300,
    high: 3300,
    low: 3000,
    price_change: 10,
    volume: 2,
    volume_usd: 200000,
    open_interest: 0,
    underlying_price: 100000,
    estimated_delivery_price: 100000,
    interest_rate: 0,
    mark_price: 3270.260505,
    theoretical_price: 3270.260505,
    mark_iv: 0.6,
    bid_price: 3200,
    ask_price: 3300,
    mid_price: 3250,
    best_bid_size: 1,
    best_ask_size: 2,
    rfq_provider_quotes: [],
  })
  assert.ok(greeks.delta > 0 && bid_iv < ask_iv)
})

test('/options-summary filters by expiry and kind', () => {
  const bench = market()
  const countOf = (query: string) => bench.get(`/options-summary?${query}`).body.result.length
  assert.equal(countOf(`expiry=${expiry / 1000}`), 2)
  assert.equal(countOf('expiry=2026-09-26'), 0)
  assert.equal(countOf('kind=future'), 0)
  assert.equal('rfq_provider_quotes' in bench.get('/options-summary').body.result[0], false)
})

test('/authorized-agents follows approvals and revocations', () => {
  const bench = market()
  const { script } = bench
  const agents = [walletOf(11), walletOf(12)]
  for (const agent of agents) script.agent(AgentChange.Approved, 0, alice, agent)
  const { body } = bench.get(`/authorized-agents?wallet=${alice.toUpperCase().replace('X', 'x')}`)
  assert.deepEqual(body, { agents, api_wallets: [], as_of_seq: 2 })
  script.agent(AgentChange.Revoked, 0, alice, agents[0]!)
  assert.deepEqual(bench.get(`/authorized-agents?wallet=${alice}`).body.agents, [agents[1]])
  assert.deepEqual(bench.get(`/authorized-agents?wallet=${bob}`).body.agents, [])
})

test('/authorized-agents has the API wallets, by their names', () => {
  const bench = market()
  const { script } = bench
  const [one, other] = [walletOf(11), walletOf(12)]
  script.apiWallet(AgentChange.Approved, alice, one, 1)
  script.apiWallet(AgentChange.Approved, alice, other, 2)
  script.apiWallet(AgentChange.Revoked, alice, one, 1)
  const { body } = bench.get(`/authorized-agents?wallet=${alice}`)
  const named = (first: string) => `0x${first}${'0'.repeat(62)}`
  assert.deepEqual(body.api_wallets, [{ name: named('02'), address: other }])
  assert.deepEqual(body.agents, [])
})

test('/user-tier returns tier and limits', () => {
  const bench = market()
  assert.deepEqual(bench.get(`/user-tier?wallet=${bob}`).body, {
    success: true,
    data: {
      wallet_address: bob,
      tier: 'market_maker',
      limits: {
        max_open_orders: 2000,
        max_open_positions: -1,
        orders_per_minute: 600,
        cancels_per_minute: 1200,
        api_requests_per_minute: 6000,
      },
    },
    error: null,
    as_of_seq: 0,
  })
  assert.equal(bench.get(`/user-tier?wallet=${walletOf(99)}`).body.data.tier, 'default')
})

test('/portfolio of an unknown wallet is all zeros', () => {
  const { data } = market().get(`/portfolio?wallet=${walletOf(77)}`).body
  assert.deepEqual(data.positions, [])
  assert.deepEqual([data.equity, data.total_margin_used, data.available_balance], ['0', '0', '0'])
  assert.deepEqual([data.margin_mode, data.margin_summary.initial_margin], ['standard', '0'])
})

test('/portfolio follows fills and working orders with the margins of the core', () => {
  const bench = market()
  const { script } = bench
  const sell = { wallet: alice, account: 0, instrument: 0, side: Side.Sell }
  const filled = { priceMicros: 3270 * usd, sizeLots: contract, cumFilledLots: contract }
  const after = { positionLots: -contract, costMicros: -3270 * usd, cashMicros: 13_270 * usd }
  script.order({ ...sell, orderId: 16, priceMicros: 3270 * usd, status: OrderStatus.Acked })
  script.timeMillis = start + 9
  script.fill({ ...sell, ...filled, ...after, fillId: 2, tradeId: 1, orderId: 16 })
  const done = { filledLots: contract, status: OrderStatus.Filled }
  script.order({ ...sell, ...done, orderId: 16, priceMicros: 3270 * usd })
  const buy = { wallet: alice, account: 0, instrument: 1, side: Side.Buy }
  script.order({ ...buy, orderId: 32, priceMicros: 100 * usd })
  const { data } = bench.get(`/portfolio?wallet=${alice}`).body
  const [{ margin_posted, maintenance_margin, margin_ratio, ...position }] = data.positions
  assert.deepEqual(position, {
    wallet_address: alice,
    symbol: call,
    amount: '-1',
    entry_price: '3270',
    realized_pnl: '0',
    unrealized_pnl: '-0.260505',
    updated_at: new Date(start + 9).toISOString(),
    instrument_type: 'option',
    notional_value: '-3270.260505',
    liquidation_price: '0',
  })
  assert.ok(Math.abs(Number(margin_posted) - 10_947.9546) < 1e-4)
  assert.ok(Math.abs(Number(maintenance_margin) - 8758.3637) < 1e-4)
  assert.ok(Math.abs(Number(margin_ratio) - 8758.3637 / 9999.739495) < 1e-6)
  assert.equal(data.equity, '9999.739495')
  const summary = data.margin_summary
  assert.deepEqual([summary.open_orders_im, summary.open_orders_premium_reserved], ['100', '100'])
  const used = Number(summary.position_im) + Number(summary.open_orders_im)
  assert.ok(Math.abs(Number(data.total_margin_used) - used) < 1e-9)
  assert.ok(Math.abs(Number(data.available_balance) - (9999.739495 - used)) < 1e-6)
  assert.equal(summary.initial_margin, data.available_balance)
  assert.equal(data.portfolio_snapshot_timestamp_ms, start + 9)
  assert.equal(data.span_margin.hypercore_margin_required, '0')
  const [row] = bench.get('/markets').body.data
  assert.equal(row.total_open_interest, '0')
})

test('/portfolio drops the reserve of an ended order', () => {
  const bench = market()
  const { script } = bench
  const order = { wallet: alice, account: 0, instrument: 0, orderId: 16, priceMicros: 100 * usd }
  const reserved = () => bench.get(`/portfolio?wallet=${alice}`).body.data.total_margin_used
  script.order(order)
  assert.equal(reserved(), '100')
  script.order({ ...order, filledLots: contract / 4, status: OrderStatus.PartiallyFilled })
  assert.equal(reserved(), '75')
  script.order({ ...order, status: OrderStatus.Canceled })
  assert.equal(reserved(), '0')
  script.order({ ...order, status: OrderStatus.Canceled })
  assert.equal(reserved(), '0')
})

test('a bootstrap position leaves the cash unchanged', () => {
  const bench = new MarketBench()
  const { script } = bench
  bench.bootstrap()
  script.bootstrapBegin()
  script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
  script.account({ account: 0, wallet: alice, cashMicros: 500 * usd })
  script.position(0, alice, 0, 2 * contract, 3000 * usd)
  script.order({ wallet: alice, account: 0, instrument: 0, orderId: 16, priceMicros: 7 * usd })
  script.bootstrapEnd()
  const { data } = bench.get(`/portfolio?wallet=${alice}`).body
  assert.deepEqual([data.equity, data.withdrawable_usdc !== undefined], ['500', true])
  assert.deepEqual([data.positions[0].amount, data.positions[0].entry_price], ['2', '1500'])
  assert.equal(data.margin_summary.open_orders_premium_reserved, '7')
  assert.equal(bench.get('/markets').body.data[0].total_open_interest, '2')
  assert.deepEqual(bench.get(`/authorized-agents?wallet=${alice}`).body.agents, [])
})

test('a second bootstrap starts from nothing', () => {
  const bench = market()
  bench.script.level(0, Side.Buy, usd, contract)
  bench.script.agent(AgentChange.Approved, 0, alice, bob)
  bench.bootstrap()
  assert.deepEqual(bench.get('/orderbook?instrument_id=1').body.result.bids, [])
  assert.deepEqual(bench.get(`/authorized-agents?wallet=${alice}`).body.agents, [])
  assert.equal(bench.get('/instruments').body.result.length, 2)
})

test('marks of a bootstrap have the time in its record, not that of the start', () => {
  const markOf = (markedMillis: number) => {
    const bench = new MarketBench()
    const { script } = bench
    script.bootstrapBegin()
    script.indexPrice(0, 100_000 * usd)
    script.instrument(0, call, 0, expiry, InstrumentChange.Bootstrap)
    script.surface(0, expiry, [100_000, 0.6])
    script.timeMillis = markedMillis
    script.remarked(0)
    script.timeMillis = start
    script.bootstrapEnd()
    const { result } = bench.get(`/orderbook?instrument_id=${call}`).body
    assert.equal(result.timestamp, start)
    return result.mark_price
  }
  assert.equal(markOf(start), 3270.260505)
  assert.ok(markOf(start - day) > markOf(start))
})

test('an underlying that was priced before it was listed keeps its index', () => {
  const bench = new MarketBench()
  const { script } = bench
  script.bootstrapBegin()
  script.indexPrice(0, 4000 * usd)
  script.indexPrice(1, 100_000 * usd)
  script.instrument(0, call, 1, expiry)
  script.instrument(1, 'ETH-20260925-4000-C', 0, expiry)
  script.bootstrapEnd()
  const prices = bench
    .get('/markets')
    .body.data.map((row: { underlying: string; index_price: string }) => [
      row.underlying,
      row.index_price,
    ])
  assert.deepEqual(prices, [
    ['ETH', '4000'],
    ['BTC', '100000'],
  ])
})

test('bad queries fail with their codes and envelopes', () => {
  const bench = market()
  const cases = [
    ['/instruments?kind=spot', 'invalid_parameter', []],
    ['/instruments?expired=maybe', 'invalid_parameter', []],
    ['/markets?include_instruments=2', 'invalid_parameter', ['success']],
    ['/orderbook', 'missing_field', []],
    ['/orderbook?depth=5', 'missing_field', []],
    ['/orderbook?instrument_id=1&depth=0', 'invalid_parameter', []],
    ['/orderbook?instrument_id=1&depth=1001', 'invalid_parameter', []],
    ['/orderbook?instrument_id=1&symbol=0', 'invalid_parameter', []],
    ['/options-summary?expiry=25SEP26', 'invalid_parameter', []],
    ['/options-summary?limit=101', 'invalid_parameter', []],
    ['/options-summary?limit=1&provider_quotes_limit=1', 'invalid_parameter', []],
    ['/options-summary?rfq_provider_quotes=x', 'invalid_parameter', []],
    ['/portfolio', 'missing_field', ['success', 'data']],
    ['/portfolio?wallet=0x0', 'invalid_wallet', ['success', 'data']],
    [`/portfolio?wallet=${alice}&wallet=${bob}`, 'invalid_parameter', ['success', 'data']],
    ['/authorized-agents', 'missing_field', []],
    ['/user-tier?wallet=x', 'invalid_wallet', ['success', 'data']],
  ] as const
  for (const [target, code, frame] of cases) {
    const { status, body } = bench.get(target)
    assert.equal(status, 400, target)
    assert.deepEqual(Object.keys(body), [...frame, 'code', 'message', 'error'], target)
    assert.deepEqual([body.code, body.error], [code, code], target)
  }
})
