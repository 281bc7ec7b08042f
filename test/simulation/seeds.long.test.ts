import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertHolds, seedsFrom, stepsOf } from '../support/held-seeds.js'
import { tradingAlone } from '../support/planted-fault.js'
import { faultKinds } from './run/fault-plan.js'
import { Statistics } from './run/statistics.js'
import type { SimulationOptions } from './simulation.js'

/** Events that the seeds together must cover, in addition to every kind of fault. Otherwise they prove little. */
const mustHappen = [
  'trades',
  'packages traded',
  'auctions filled',
  'auctions compared',
  'auctions passed',
  'auctions ended',
  'fees taken',
  'rebates paid',
  'builders paid',
  'withdrawals with positions',
  'directives carried out',
  'directives rejected',
  'prices outside a band',
  'index from ahead',
  'payouts',
  'wallets at the border',
  'expiries settled',
  'funding payments',
  'fundings paid',
  'funding under way',
  'batches replayed',
  'snapshots',
  'graceful ends',
  'starts that failed',
  'tails cut',
  'damage refused',
  'damage cut',
  'damage harmless',
  'repeats answered',
  'asked again',
  'states reloaded',
  'full command ring',
  'full result ring',
  'full journal ring',
  'full event log',
  'stalled matcher',
  'stalled core',
  'in liquidation',
  'wallets liquidated',
  'perps held',
  'perps in a portfolio',
  'perps in liquidation',
  'insurance paid',
  'losses deleveraged',
  'stalled journal',
  'clock alarms',
  'clock left behind',
]

const seedsLeast = 100
const seedsMost = 300
/** Seeds that cover rare cases with the current code. After code changes the seeds after them cover these. */
const rareAt = [103, 131, 145]
const seeds = new Set([
  ...seedsFrom(1, seedsLeast),
  ...rareAt,
  ...seedsFrom(seedsLeast + 1, seedsMost),
])
/** Further seeds with trading only follow until all missing rare cases have occurred. */
const optionsOf = (seed: number): SimulationOptions =>
  seed <= seedsLeast ? { seed, steps: stepsOf(seed) } : { seed, steps: 400, without: tradingAlone }

// `npx strikebook simulate` runs more seeds.
test('the simulator finds no violation in a hundred seeds, nor in those that complete the coverage', () => {
  const statistics = new Statistics()
  const wanted = [...faultKinds.map((kind) => `fault ${kind}`), ...mustHappen]
  const missing = () => wanted.filter((name) => statistics.of(name) === 0)
  for (const seed of seeds) {
    if (seed > seedsLeast && missing().length === 0) break
    assertHolds(optionsOf(seed), statistics)
  }
  assert.deepEqual(missing(), [], 'never happened')
})
