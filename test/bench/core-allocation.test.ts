import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { runCoreAllocationBench } from '../../bench/core-allocation.js'
import { type FeeParameters, feeParametersDefault } from '../../engine/risk/trading-fees.js'

/** Twice the threshold of a full run: the compiler may not be through yet. It was 700 once. */
const bytesMax = 128
const triesMax = 5

test('an order leaves hardly any garbage in core and matcher', () => {
  assertLean(feeParametersDefault)
})

test('nor does it where trades pay fees, and buys reserve for them', () => {
  assertLean({ ...feeParametersDefault, makerRate: 0.000_123, takerRate: 0.000_457 })
})

test('nor where wallets hold perps', () => {
  assertLean(feeParametersDefault, 0.3)
})

test('nor while a competition runs', () => {
  assertLean(feeParametersDefault, 0.3, true)
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
