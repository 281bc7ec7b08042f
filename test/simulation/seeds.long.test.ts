import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertHolds, seedsFrom, stepsOf } from '../support/held-seeds.js'
import { tradingAlone } from '../support/planted-fault.js'
import { faultKinds } from './run/fault-plan.js'
import { Statistics } from './run/statistics.js'
import type { SimulationOptions } from './simulation.js'

/** What the seeds must have met together, besides every kind of fault: else they prove little. */
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
  'withdrawals beside positions',
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
/** Those that show what is rare as the code is now; when they do not any more, others do that are behind them. */
const rareAt = [103, 131, 145]
const seeds = new Set([
  ...seedsFrom(1, seedsLeast),
  ...rareAt,
  ...seedsFrom(seedsLeast + 1, seedsMost),
])
/** What is rare and did not come up does so where wallets trade and do nothing else: some more follow, until it has. */
const optionsOf = (seed: number): SimulationOptions =>
  seed <= seedsLeast ? { seed, steps: stepsOf(seed) } : { seed, steps: 400, without: tradingAlone }

// `npx strikebook simulate` runs more of them.
test('a hundred seeds hold, and those that meet every kind of fault and whatever else may happen', () => {
  const statistics = new Statistics()
  const wanted = [...faultKinds.map((kind) => `fault ${kind}`), ...mustHappen]
  const missing = () => wanted.filter((name) => statistics.of(name) === 0)
  for (const seed of seeds) {
    if (seed > seedsLeast && missing().length === 0) break
    assertHolds(optionsOf(seed), statistics)
  }
  assert.deepEqual(missing(), [], 'never happened')
})
