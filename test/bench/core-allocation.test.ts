import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runCoreAllocationBench } from '../../bench/core-allocation.js'
import { type FeeParameters, feeParametersDefault } from '../../engine/risk/trading-fees.js'
import { longTest } from '../support/long-test.js'

/** Twice the threshold of a full run: the compiler may not be through yet. It was 700 once. */
const bytesMax = 128
const triesMax = 5
const withFees = { ...feeParametersDefault, makerRate: 0.000_123, takerRate: 0.000_457 }

test('an order leaves hardly any garbage in core and matcher', () => {
  assertLean(feeParametersDefault)
})

test('it leaves none with trading fees, reserves, perps and a running competition either', () => {
  assertLean(withFees, 0.3, true)
})

longTest('it leaves none with trading fees and reserves either', () => {
  assertLean(withFees)
})

longTest('it leaves none with perps in the wallets either', () => {
  assertLean(feeParametersDefault, 0.3)
})

function assertLean(fees: FeeParameters, perps = 0, hasCompetition = false): void {
  const shape = { fees, perps, hasCompetition }
  const options = { warmUp: 40_000, commands: 20_000, directory: tmpdir(), ...shape }
  // The compiler works on threads of its own: where they wait for a core, it takes more than one try.
  let bytes = Number.POSITIVE_INFINITY
  for (let tries = 0; bytes > bytesMax && tries < triesMax; tries++) {
    bytes = runCoreAllocationBench(options)[0]!.value
  }
  assert.ok(bytes <= bytesMax, `${bytes} bytes a command`)
}
