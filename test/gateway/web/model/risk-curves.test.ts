import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type GridScenario,
  riskCurve,
  scenarioWords,
  signedPercent,
  weighedProfit,
  worstScenario,
} from '../../../../gateway/web/model/risk-curves.js'

function scenario(
  id: string,
  [spot, vol, profit, weight = 1]: readonly number[],
  kind = 'SpotChange',
): GridScenario {
  return {
    ...{ id, kind, spot_shock_pct: String(spot), vol_shock_pct: String(vol) },
    ...{ skew_shock: '0', kurtosis_shock: '0' },
    ...{ pnl_weight: String(weight), total_pnl: String(profit) },
  }
}

const scenarios = [
  scenario('SP1', [-0.4, 0, -1000, 0.35]),
  scenario('SP2', [-0.2, 0, -500]),
  scenario('SP9', [0.2, 0, 700]),
  scenario('V1', [0, 0.5, 50], 'VolChange'),
  scenario('V3', [-0.2, 0.5, -300], 'VolChange'),
  scenario('SK1', [0, 0, -5000], 'SkewChange'),
]

test('the worst scenario is the one with the largest weighted loss', () => {
  const [far, near] = scenarios
  assert.equal(weighedProfit(far!), -350)
  assert.equal(worstScenario(scenarios.slice(0, -1)), near)
  assert.equal(worstScenario([scenarios[2]!]), null)
  assert.equal(worstScenario([]), null)
})

test('profit against price passes through 0, except if volatility moves too', () => {
  const { shocks, alone, together, worst } = riskCurve(scenarios.slice(0, -1), 'price')
  assert.deepEqual(shocks, [-0.4, -0.2, 0, 0.2])
  assert.deepEqual(alone, [-1000, -500, 0, 700])
  assert.deepEqual(together, [null, -300, 50, null])
  assert.deepEqual(worst, [null, -500, null, null])
})

test('profit against volatility has the volatility shocks, without shapes of the smile', () => {
  const { shocks, alone, together, worst } = riskCurve(scenarios, 'volatility')
  assert.deepEqual(shocks, [0, 0.5])
  assert.deepEqual(alone, [0, 50])
  assert.deepEqual(together, [-1000, -300])
  assert.deepEqual(worst, [null, null])
})

test('a scenario is named by its moves', () => {
  assert.equal(scenarioWords(scenarios[4]!), 'price -20%, volatility +50%')
  assert.equal(scenarioWords(scenarios[5]!), 'skew')
  assert.equal(signedPercent(0.025), '+2.5%')
})
