import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { resolveConfig } from '../../../gateway/config/config.js'
import { engineConfigOf } from '../../../gateway/config/engine-config.js'

function engineConfig(flags: Readonly<Record<string, string>>) {
  const sources = { flags: new Map(Object.entries(flags)), environment: {} }
  return engineConfigOf(resolveConfig(sources).config)
}

test('the defaults of the configuration equal those of the engine', () => {
  const { pricing, settlement, ...others } = engineConfig({})
  const {
    pricing: pricingDefault,
    settlement: settlementDefault,
    ...othersDefault
  } = engineConfigDefault
  assert.deepEqual(others, othersDefault)
  // The development preset has no age limits.
  assert.deepEqual(
    { ...pricing, indexMaxAgeMillis: 60_000, surfaceMaxAgeMillis: 300_000 },
    pricingDefault,
  )
  assert.deepEqual({ ...settlement, maxCarryMillis: 60_000 }, settlementDefault)
})

test('mainnet-alpha uses defined risk as standard mode, and has no portfolio mode', () => {
  const config = engineConfig({ preset: 'mainnet-alpha' })
  assert.equal(config.standardIsDefinedRisk, true)
  assert.equal(config.portfolioModeAllowed, false)
})

test('funding of perps is off, and its keys are those of the engine', () => {
  assert.equal(engineConfig({}).perpFunding.enabled, false)
  const flags = {
    'perp.funding.enabled': 'true',
    'perp.funding.capRate': '0.00075',
    'perp.funding.sampleSeconds': '30',
    'perp.funding.periodSeconds': '28800',
    'perp.funding.paymentsPerBatch': '16',
    'perp.funding.impactNotional': '2500',
  }
  assert.deepEqual(engineConfig(flags).perpFunding, {
    enabled: true,
    capRate: 0.00075,
    sampleSeconds: 30,
    periodSeconds: 28_800,
    paymentsPerBatch: 16,
    impactNotional: 2500,
  })
  for (const [key, value] of [
    ['capRate', '0.0000001'],
    ['capRate', '0.2'],
    ['sampleSeconds', '0'],
    ['periodSeconds', '86401'],
    ['paymentsPerBatch', '0'],
    ['impactNotional', '0'],
  ] as const) {
    assert.throws(() => engineConfig({ [`perp.funding.${key}`]: value }), /perp.funding/, key)
  }
})
