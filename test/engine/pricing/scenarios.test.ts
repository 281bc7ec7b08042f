import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  FloorNetting,
  portfolioScenarios,
  riskParametersDefault,
  type Scenario,
  standardScenarios,
} from '../../../engine/pricing/scenarios.js'
import { ScenarioKind, scenarioKindNames } from '../../../schemas/domain.js'
import { readProjectJson } from '../../support/project.js'

interface ScenarioVector {
  readonly id: string
  readonly kind: string
  readonly spot: number
  readonly vol: number
  readonly skew?: number
  readonly kurtosis?: number
  readonly weight: number
  readonly is_tail?: boolean
}
interface Vectors {
  readonly parameters: {
    readonly standard: Record<string, number> & { readonly scenarios: readonly ScenarioVector[] }
    readonly portfolio: Record<string, number> & { readonly scenarios: readonly ScenarioVector[] }
  }
}

const { standard, portfolio } = readProjectJson<Vectors>('test/vectors/options.json').parameters

function assertRow(row: Scenario, vector: ScenarioVector): void {
  assert.equal(row.id, vector.id)
  assert.equal(row.spotShift, vector.spot)
  assert.equal(row.volShift, vector.vol)
  assert.equal(row.skew, vector.skew ?? 0)
  assert.equal(row.kurtosis, vector.kurtosis ?? 0)
  assert.equal(row.weightPermille, vector.weight * 1000)
  assert.equal(row.isTail, vector.is_tail ?? false)
}

test('the standard table equals the vectors, kinds included', () => {
  assert.equal(standardScenarios.length, standard.scenarios.length)
  for (const [index, vector] of standard.scenarios.entries()) {
    assertRow(standardScenarios[index], vector)
    assert.equal(scenarioKindNames[standardScenarios[index].kind], vector.kind)
  }
})

test('the portfolio table equals the vectors, and has the kind of its spot shock', () => {
  assert.equal(portfolioScenarios.length, portfolio.scenarios.length)
  for (const [index, vector] of portfolio.scenarios.entries()) {
    assertRow(portfolioScenarios[index], vector)
    const kind = vector.spot === 0 ? ScenarioKind.VolChange : ScenarioKind.SpotChange
    assert.equal(portfolioScenarios[index].kind, kind)
  }
})

test('the default parameters equal the vectors', () => {
  const risk = riskParametersDefault
  assert.equal(risk.imFactor, standard['im_factor'])
  assert.equal(risk.mmFactor, standard['mm_factor'])
  assert.equal(risk.shortMinimumIm, standard['short_minimum_im'])
  assert.equal(risk.shortMinimumMm, standard['short_minimum_mm'])
  assert.equal(risk.volFloor, standard['vol_floor'])
  assert.equal(risk.zClip, standard['z_clip'])
  assert.equal(risk.mmRatio, portfolio['mm_ratio'])
  assert.equal(risk.optionFloorFactor, portfolio['option_floor_factor'])
  assert.equal(risk.gammaOverlayFactor, portfolio['gamma_overlay_factor'])
  assert.equal(risk.overlayHours, portfolio['overlay_hours'])
  assert.equal(risk.floorNetting, FloorNetting.Instrument)
  assert.equal(risk.perpInitialFraction, 0.1)
  assert.equal(risk.perpMaintenanceFraction, 0.05)
})
