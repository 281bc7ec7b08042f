import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walletOf } from '../../../../bench/event-script.js'
import { engineConfigDefault } from '../../../../engine/state/market/engine-config.js'
import { MarginMode, Side } from '../../../../schemas/domain.js'
import { AccountChange } from '../../../../schemas/record-values.js'
import {
  alice,
  call,
  contract,
  type MarketBench,
  market,
  put,
  usd,
} from '../../../support/market-bench.js'

function shortBoth(bench: MarketBench): void {
  for (const instrument of [0, 1]) {
    bench.script.fill({
      ...{ fillId: 1, tradeId: 1, orderId: 1, wallet: alice, account: 0, instrument },
      ...{ side: Side.Sell, priceMicros: 1000 * usd, positionLots: -contract },
      cashMicros: (11_000 + instrument * 1000) * usd,
    })
  }
}

const gridOf = (bench: MarketBench, wallet = alice) => bench.get(`/risk/grid?wallet=${wallet}`).body

test('the standard grid: worst by weighted loss, totals before the weight', () => {
  const bench = market()
  shortBoth(bench)
  const { data, success, error } = gridOf(bench)
  assert.deepEqual([success, error, data.model], [true, null, 'standard'])
  // Short P90k + short C110k, worst V4, IM by the minimum of two shorts
  assert.equal(data.position_initial_margin, '20000')
  assert.equal(data.position_maintenance_margin, '15000')
  assert.equal(data.total_initial_margin, '20000')
  const [{ underlying, scenarios, extended_risk_matrix: matrix }] = data.underlyings
  assert.equal(underlying, 'BTC')
  assert.equal(scenarios.length, 18)
  assert.equal(scenarios[matrix.worst_scenario_index].id, 'V4')
  assert.ok(Math.abs(Number(matrix.worst_scenario_pnl) + 10_647.2372) < 1e-4)
  const { total_pnl, ...definition } = scenarios[0]
  assert.deepEqual(definition, {
    id: 'SP1',
    kind: 'SpotChange',
    spot_shock_pct: '-0.4',
    vol_shock_pct: '0',
    skew_shock: '0',
    kurtosis_shock: '0',
    pnl_weight: '0.35',
    is_tail: false,
  })
  assert.deepEqual(matrix.scenarios[0], definition)
  assert.equal(total_pnl, matrix.total_pnls[0])
  const [ofCall, ofPut] = matrix.instruments
  assert.deepEqual([ofCall.symbol, ofPut.symbol], [call, put])
  assert.deepEqual([ofCall.amount, ofCall.base_amount, ofCall.underlying], ['-1', '-1', 'BTC'])
  assert.equal(ofCall.current_value, '-3270.260505')
  for (const [place, total] of matrix.total_pnls.entries()) {
    const sum = Number(ofCall.scenario_pnls[place]) + Number(ofPut.scenario_pnls[place])
    assert.ok(Math.abs(sum - Number(total)) < 1e-6, scenarios[place].id)
  }
})

test('the portfolio grid has tails', () => {
  const bench = market()
  shortBoth(bench)
  const marginMode = MarginMode.Portfolio
  const change = AccountChange.Modes
  bench.script.account({ account: 0, wallet: alice, cashMicros: 0, marginMode, change })
  const { data } = gridOf(bench)
  const [{ scenarios, extended_risk_matrix: matrix }] = data.underlyings
  assert.equal(data.model, 'portfolio')
  assert.equal(scenarios[matrix.worst_scenario_index].id, 'T4')
  assert.ok(Math.abs(Number(matrix.worst_scenario_pnl) + 29_118.2193) < 1e-4)
  assert.ok(Math.abs(Number(data.scanning_risk) - 10_191.3768) < 1e-4)
  assert.deepEqual([data.option_floor, data.gamma_overlay], ['3000', '0'])
  assert.equal(scenarios.filter((row: { is_tail: boolean }) => row.is_tail).length, 4)
})

test('a wallet without positions sees the scenarios of its model, all at 0', () => {
  const { data } = gridOf(market(), walletOf(77))
  const [{ scenarios, extended_risk_matrix: matrix }] = data.underlyings
  assert.equal(scenarios.length, 18)
  assert.deepEqual(
    new Set(scenarios.map((row: { total_pnl: string }) => row.total_pnl)),
    new Set(['0']),
  )
  assert.deepEqual(
    [matrix.instruments, matrix.worst_scenario_index, matrix.worst_scenario_pnl],
    [[], 0, '0'],
  )
  assert.equal(data.parameters.short_minimum_im, 0.1)
  assert.equal(data.parameters.floor_netting, 'instrument')
  assert.equal(data.equity, '0')
})

test('defined_risk has no scenarios', () => {
  const { data } = gridOf(market({ ...engineConfigDefault, standardIsDefinedRisk: true }))
  assert.equal(data.model, 'defined_risk')
  assert.deepEqual(data.underlyings[0].scenarios, [])
})

test('a missing or bad wallet fails in the envelope of the endpoint', () => {
  const bench = market()
  const missing = bench.get('/risk/grid')
  assert.deepEqual(
    [missing.status, missing.body.code, missing.body.data],
    [400, 'missing_field', null],
  )
  assert.equal(bench.get('/risk/grid?wallet=x').body.code, 'invalid_wallet')
})
