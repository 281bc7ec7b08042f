import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { MarginMode, neverMillis, Side } from '../../../../schemas/domain.js'
import { AccountChange, InstrumentChange } from '../../../../schemas/record-values.js'
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

const perp = 'BTC-PERP'
const perpId = 2

/** Returns the market of the bench with a perp in addition to its two options. */
function perpMarket(): MarketBench {
  const bench = market()
  bench.script.instrument(perpId, perp, 0, neverMillis)
  return bench
}

/** Alice buys half a perp at 98,000. */
function buyHalf({ script }: MarketBench): void {
  const [priceMicros, sizeLots] = [98_000 * usd, contract / 2]
  script.trade(1, perpId, bob, alice, { priceMicros, sizeLots })
  script.fill({
    ...{ fillId: 1, tradeId: 1, orderId: 9, wallet: alice, account: 0, instrument: perpId },
    ...{ priceMicros, sizeLots, positionLots: sizeLots, costMicros: 49_000 * usd },
    cashMicros: 10_000 * usd,
  })
}

const namesOf = (bench: MarketBench, target: string): string[] =>
  bench
    .get(target)
    .body.result.map((row: { instrument_name: string }) => row.instrument_name)
    .sort()

test('/instruments lists perps as futures, without the fields of options', () => {
  const bench = perpMarket()
  assert.deepEqual(namesOf(bench, '/instruments'), [call, put])
  assert.deepEqual(namesOf(bench, '/instruments?kind=option&currency=BTC'), [call, put])
  assert.deepEqual(namesOf(bench, '/instruments?kind=future'), [perp])
  for (const query of ['currency=ETH', 'expired=true']) {
    assert.deepEqual(namesOf(bench, `/instruments?kind=future&${query}`), [], query)
  }
  const { tick_size_steps, ...row } = bench.get('/instruments?kind=future').body.result[0]
  assert.equal(tick_size_steps.length, 10)
  assert.deepEqual(row, {
    instrument_name: perp,
    instrument_id: perpId + 1,
    kind: 'future',
    instrument_type: 'linear',
    option_type: '',
    price_index: 'btc_usd',
    settlement_period: 'perpetual',
    settlement_currency: 'USDC',
    base_currency: 'BTC',
    counter_currency: 'USD',
    quote_currency: 'USD',
    expiration_timestamp: 0,
    creation_timestamp: start,
    option_token_address: null,
    rfq: false,
    orderbook: true,
    is_active: true,
    strike: 0,
    contract_size: 1,
    tick_size: 0.000001,
    min_trade_amount: 1e-8,
    maker_commission: 0,
    taker_commission: 0,
    block_trade_commission: 0,
    block_trade_min_trade_amount: 1e-8,
    block_trade_tick_size: 0.000001,
  })
})

test('/instruments drops a deleted perp', () => {
  const bench = perpMarket()
  bench.script.instrument(perpId, perp, 0, neverMillis, InstrumentChange.Deleted, 3)
  assert.deepEqual(namesOf(bench, '/instruments?kind=future'), [])
})

test('/instrument-specs lists perps together with options, with the margin of perps', () => {
  const rows = perpMarket().get('/instrument-specs').body.result
  assert.equal(rows.length, 3)
  const { min_price_increment_bands, listed_time_ns, event_ts_ns, ...row } = rows[perpId]
  assert.deepEqual(Object.keys(rows[perpId]).sort(), Object.keys(rows[0]).sort())
  assert.deepEqual(
    [min_price_increment_bands.length, listed_time_ns, event_ts_ns],
    [10, start * 1e6, start * 1e6],
  )
  assert.deepEqual(row, {
    instrument_id: perp,
    instrument_numeric_id: perpId + 1,
    exchange_symbol: perp,
    sym: 'BTC-USD',
    exchange: 'STRIKEBOOK',
    instrument_kind: 'PERP',
    option_kind: null,
    delivery: 'CASH',
    settle_asset: 'USDC',
    base_asset: 'BTC',
    quote_asset: 'USD',
    strike: '0',
    expiry_ns: 0,
    settlement_hour_utc: null,
    settlement_time_utc: null,
    contract_size: 1,
    min_trade_size: 1e-8,
    tick_size: 0.000001,
    price_decimals: 6,
    size_decimals: 8,
    state: 'OPEN',
    is_tradable: true,
    maker_fee_bps: 0,
    taker_fee_bps: 0,
    initial_margin_fraction: 0.1,
    maintenance_margin_fraction: 0.05,
    position_limit: null,
    option_token_address: null,
    settlement_oracle: null,
    condition_id: null,
    underlying_resolution_source: null,
  })
})

test('markets and summaries are of options: neither rows nor totals include a perp', () => {
  const bench = perpMarket()
  const [before] = bench.get('/markets').body.data
  buyHalf(bench)
  const [row, ...others] = bench.get('/markets').body.data
  assert.deepEqual(others, [])
  assert.deepEqual(
    [row.expiry, row.total_volume_24h, row.total_open_interest],
    [expiry / 1000, '0', '0'],
  )
  assert.deepEqual(row, before)
  assert.deepEqual(namesOf(bench, '/options-summary'), [call, put])
  assert.deepEqual(namesOf(bench, '/options-summary?kind=future'), [])
})

test('an underlying with only a perp has no market', () => {
  const bench = new MarketBench()
  bench.script.bootstrapBegin()
  bench.script.instrument(0, perp, 0, neverMillis, InstrumentChange.Bootstrap)
  bench.script.bootstrapEnd()
  assert.deepEqual(bench.get('/markets').body.data, [])
  const { body } = bench.get(`/orderbook?symbol=${perp}`)
  const { mark_price, theoretical_price, estimated_delivery_price, greeks } = body.result
  assert.deepEqual([mark_price, estimated_delivery_price], [0, 0], 'no index, no mark')
  assert.deepEqual([theoretical_price, greeks], [undefined, undefined])
})

test('/orderbook of a perp: marked at the index, without volatility or settlement', () => {
  const bench = perpMarket()
  const { script } = bench
  buyHalf(bench)
  script.level(perpId, Side.Buy, 99_990 * usd, 2 * contract)
  script.timeMillis = start + 5
  script.level(perpId, Side.Sell, 100_010 * usd, contract)
  for (const name of [perp, String(perpId + 1)]) {
    const { result, as_of_seq } = bench.get(`/orderbook?instrument_id=${name}`).body
    assert.deepEqual(result, {
      instrument_name: perp,
      timestamp: start + 5,
      state: 'open',
      change_id: as_of_seq,
      bids: [[99_990, 2]],
      asks: [[100_010, 1]],
      best_bid_price: 99_990,
      best_ask_price: 100_010,
      best_bid_amount: 2,
      best_ask_amount: 1,
      last_price: 98_000,
      mark_price: 100_000,
      theoretical_price: 100_000,
      index_price: 100_000,
      underlying_price: 100_000,
      underlying_index: 'BTC_USD',
      settlement_price: 0,
      min_price: 0.000001,
      max_price: 1_000_000_000,
      open_interest: 0.5,
      interest_rate: 0,
      estimated_delivery_price: 100_000,
      option_token_address: null,
      stats: { high: 98_000, low: 98_000, price_change: 0, volume: 0.5, volume_usd: 50_000 },
      greeks: { delta: 1, gamma: 0, vega: 0, theta: 0, rho: 0 },
    })
  }
})

test('/orderbook of a perp has no price band, also where options have one', () => {
  const bands = { ...engineConfigDefault.bands, enabled: true }
  const bench = market({ ...engineConfigDefault, bands })
  bench.script.instrument(perpId, perp, 0, neverMillis)
  const { min_price, max_price } = bench.get(`/orderbook?symbol=${perp}`).body.result
  assert.deepEqual([min_price, max_price], [0.000001, 1_000_000_000])
})

test('the day of a perp ends like that of an option, and its mark follows the index', () => {
  const bench = perpMarket()
  const { script, clock } = bench
  buyHalf(bench)
  script.timeMillis = clock.millis = start + day
  script.indexPrice(0, 90_000 * usd)
  script.remarked(0)
  const { stats, mark_price, open_interest } = bench.get(`/orderbook?symbol=${perp}`).body.result
  assert.deepEqual([mark_price, open_interest], [90_000, 0.5])
  assert.deepEqual([stats.volume, stats.volume_usd, stats.high], [0, 0, null])
})

test('/portfolio shows a perp position as one', () => {
  const bench = perpMarket()
  buyHalf(bench)
  const { positions, span_margin } = bench.get(`/portfolio?wallet=${alice}`).body.data
  const { hypercore_margin_required, option_margin_required, equity } = span_margin
  assert.deepEqual(
    [hypercore_margin_required, option_margin_required, equity],
    ['5000', '0', '11000'],
  )
  assert.deepEqual(positions.slice(1), [])
  const { margin_ratio, ...position } = positions[0]
  assert.ok(Math.abs(Number(margin_ratio) - 2500 / 11_000) < 1e-9)
  assert.deepEqual(position, {
    wallet_address: alice,
    symbol: perp,
    amount: '0.5',
    entry_price: '98000',
    margin_posted: '5000',
    maintenance_margin: '2500',
    realized_pnl: '0',
    unrealized_pnl: '1000',
    updated_at: new Date(start).toISOString(),
    instrument_type: 'perp',
    notional_value: '50000',
    liquidation_price: '0',
  })
})

test('a perp position without a mark has no profit or loss, as in equity', () => {
  const bench = new MarketBench()
  const { script } = bench
  script.bootstrapBegin()
  script.instrument(0, perp, 0, neverMillis, InstrumentChange.Bootstrap)
  script.account({ account: 0, wallet: alice, cashMicros: 10_000 * usd })
  script.position(0, alice, 0, contract / 2, 49_000 * usd)
  script.bootstrapEnd()
  const { positions, equity } = bench.get(`/portfolio?wallet=${alice}`).body.data
  const [{ notional_value, unrealized_pnl }] = positions
  assert.deepEqual([notional_value, unrealized_pnl, equity], ['0', '0', '10000'])
})

test('/risk/grid has perps under the portfolio model, the only one with scenarios for them', () => {
  const bench = perpMarket()
  buyHalf(bench)
  const matrixOf = () => {
    const [row] = bench.get(`/risk/grid?wallet=${alice}`).body.data.underlyings
    return row.extended_risk_matrix
  }
  const ofStandard = matrixOf()
  assert.deepEqual(ofStandard.instruments, [])
  assert.deepEqual(new Set(ofStandard.total_pnls), new Set(['0']))
  bench.script.account({
    ...{ account: 0, wallet: alice, cashMicros: 10_000 * usd },
    ...{ marginMode: MarginMode.Portfolio, change: AccountChange.Modes },
  })
  const { instruments, scenarios, total_pnls } = matrixOf()
  assert.deepEqual([instruments[0].symbol, instruments[0].amount], [perp, '0.5'])
  for (const [place, { spot_shock_pct }] of scenarios.entries()) {
    const pnl = 50_000 * Number(spot_shock_pct)
    assert.ok(Math.abs(Number(total_pnls[place]) - pnl) < 1e-6, scenarios[place].id)
  }
})

test('/risk/simulate/orders accepts the symbol of a perp', () => {
  const bench = perpMarket()
  const order = { side: 'Buy', size: '0.01', price: '100000' }
  const reasonOf = (symbol: string) => {
    const body = JSON.stringify({ wallet: alice, orders: [{ ...order, symbol }] })
    const { status, body: answer } = bench.get(`/risk/simulate/orders?${body}`)
    assert.equal(status, 200, answer.message)
    return answer.data.rejection_reason
  }
  assert.equal(reasonOf(perp), null)
  assert.equal(reasonOf('ETH-PERP'), 'Invalid symbol: ETH-PERP')
})

test("a preview begins with the wallet's perp position", () => {
  const bench = perpMarket()
  buyHalf(bench)
  const held = bench.get(`/portfolio?wallet=${alice}`).body.data
  const orders = [{ symbol: perp, side: 'Sell', size: '0.5', price: '100000' }]
  const body = JSON.stringify({ wallet: alice, orders })
  const { data } = bench.get(`/risk/simulate/orders?${body}`).body
  assert.deepEqual([data.equity, data.consumed_im], [held.equity, held.total_margin_used])
  assert.deepEqual(bench.get(`/portfolio?wallet=${alice}`).body.data, held)
})

test('a perp position of the bootstrap has its entry price', () => {
  const bench = new MarketBench()
  const { script } = bench
  script.bootstrapBegin()
  script.indexPrice(0, 100_000 * usd)
  script.instrument(0, perp, 0, neverMillis, InstrumentChange.Bootstrap)
  script.remarked(0)
  script.account({ account: 0, wallet: alice, cashMicros: 10_000 * usd })
  script.position(0, alice, 0, -contract / 2, -49_000 * usd)
  script.bootstrapEnd()
  const [position] = bench.get(`/portfolio?wallet=${alice}`).body.data.positions
  const { amount, entry_price, unrealized_pnl, notional_value } = position
  assert.deepEqual([amount, entry_price], ['-0.5', '98000'])
  assert.deepEqual([unrealized_pnl, notional_value], ['-1000', '-50000'])
})
