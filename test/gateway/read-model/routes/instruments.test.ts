import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HaltMode, InstrumentState } from '../../../../schemas/domain.js'
import { InstrumentChange } from '../../../../schemas/record-values.js'
import { call, expiry, market, put, start } from '../../../support/market-bench.js'

test('/instrument-specs has every field, nanoseconds as exact integers', () => {
  const bench = market()
  const { body, text } = bench.get('/instrument-specs?currency=BTC')
  const [row] = body.result
  const { min_price_increment_bands, expiry_ns, listed_time_ns, event_ts_ns, ...others } = row
  assert.deepEqual(others, {
    instrument_id: call,
    instrument_numeric_id: 1,
    exchange_symbol: call,
    sym: 'BTC-USD',
    exchange: 'STRIKEBOOK',
    instrument_kind: 'OPTION',
    option_kind: 'C',
    delivery: 'CASH',
    settle_asset: 'USDC',
    base_asset: 'BTC',
    quote_asset: 'USD',
    strike: '110000',
    settlement_hour_utc: 8,
    settlement_time_utc: '08:00',
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
    maintenance_margin_fraction: 0.075,
    position_limit: null,
    option_token_address: null,
    settlement_oracle: null,
    condition_id: null,
    underlying_resolution_source: null,
  })
  for (const [name, millis] of Object.entries({ expiry_ns: expiry, listed_time_ns: start })) {
    assert.ok(text.includes(`"${name}":${millis}000000,`), name)
  }
  assert.equal(min_price_increment_bands.length, 10)
  assert.deepEqual([expiry_ns, listed_time_ns, event_ts_ns].map(Number.isFinite), [
    true,
    true,
    true,
  ])
})

test('/instrument-specs follows states and halts, and drops deleted ones', () => {
  const bench = market()
  const seen = () =>
    // biome-ignore lint/suspicious/noExplicitAny: rows of an answer
    bench.get('/instrument-specs').body.result.map((row: any) => [row.state, row.is_tradable])
  const { script } = bench
  script.halt(0, HaltMode.Halted)
  assert.deepEqual(seen(), [
    ['OPEN', false],
    ['OPEN', false],
  ])
  script.halt(-1, HaltMode.Open)
  const { Expired, Deleted } = InstrumentChange
  const { ExpiredPendingPrice, Settled } = InstrumentState
  script.instrument(0, call, 0, expiry, Expired, ExpiredPendingPrice)
  assert.deepEqual(seen(), [
    ['SETTLEMENT', false],
    ['OPEN', true],
  ])
  script.instrument(0, call, 0, expiry, Expired, Settled)
  script.instrument(1, put, 0, expiry, Deleted, InstrumentState.Deleted)
  assert.deepEqual(seen(), [['DELIVERED', false]])
  assert.deepEqual(bench.get('/instrument-specs?currency=ETH').body.result, [])
})
