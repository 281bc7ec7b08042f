import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  decodeEngineConfig,
  encodeEngineConfig,
  engineConfigDefault,
} from '../../../../engine/state/market/engine-config.js'

test('a configuration survives its way through the journal', () => {
  assert.deepEqual(decodeEngineConfig(encodeEngineConfig(engineConfigDefault)), engineConfigDefault)
  const other = {
    ...engineConfigDefault,
    standardIsDefinedRisk: true,
    pricing: { ...engineConfigDefault.pricing, settlementBlend: true, rate: -0.01 },
    fees: {
      makerRate: -0.0001,
      takerRate: 0.0005,
      optionCap: 0.1,
      perpMakerRate: -0.0002,
      perpTakerRate: 0.0003,
      builderShare: 0.5,
    },
    risk: { ...engineConfigDefault.risk, standardScenarios: [] },
    bands: { ...engineConfigDefault.bands, enabled: true, ticks: 3 },
    perpFunding: {
      enabled: true,
      capRate: 0.001,
      sampleSeconds: 30,
      periodSeconds: 28_800,
      paymentsPerBatch: 7,
      impactNotional: 2500,
    },
    maxIndexMicros: { BTC: 2_000_000e6, 'A.B_9': 1 },
    builders: [`0x${'ab'.repeat(20)}`, `0x${'01'.repeat(20)}`],
    operatorSigners: [`0x${'00'.repeat(19)}01`, `0x${'fe'.repeat(20)}`],
    usernames: { moderated: true, reserved: ['nobody', 'x_1'] },
  }
  assert.deepEqual(decodeEngineConfig(encodeEngineConfig(other)), other)
})

test('journaled configurations still equal the current encoding', () => {
  const values = encodeEngineConfig({
    ...engineConfigDefault,
    standardIsDefinedRisk: true,
    mmpCountTakerFills: true,
    maxIndexMicros: { BTC: 2_000_000e6, 'A.B_9': 1 },
    builders: [`0x${'ab'.repeat(20)}`],
    operatorSigners: [`0x${'00'.repeat(19)}01`],
  })
  const digest = createHash('sha256').update(new Uint8Array(values.buffer)).digest('hex')
  // Order and encoding are the format: when this fails, no venue can replay the journal that it has.
  assert.deepEqual(
    [values.length, digest],
    [471, '575ee4d6d0469a0c60bbb11823de135746947c7253f5542044bb79781c47579b'],
  )
})
