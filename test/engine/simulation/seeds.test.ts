import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultKinds } from '../../../engine/simulation/run/fault-plan.js'
import { Statistics } from '../../../engine/simulation/run/statistics.js'
import { commandLine, shrink } from '../../../engine/simulation/shrink.js'
import { type SimulationOptions, simulate } from '../../../engine/simulation/simulation.js'
import { tradingAlone } from '../../support/planted-fault.js'

/** Most runs are short: lives end early, and failing seeds shrink fast. Some go on until rings are full. */
const stepsOf = (seed: number) => (seed % 10 === 0 ? 400 : 100)
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
const numbersFrom = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
const seeds = new Set([
  ...numbersFrom(1, seedsLeast),
  ...rareAt,
  ...numbersFrom(seedsLeast + 1, seedsMost),
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
    const options = optionsOf(seed)
    const result = simulate(options)
    statistics.addAll(result.statistics)
    if (result.failure === null) continue
    const small = shrink(options, result)
    const what = small.result.failure?.what
    assert.fail(`seed ${seed}: ${what}\n${commandLine(small.options)}\n${result.failure.stack}`)
  }
  assert.deepEqual(missing(), [], 'never happened')
})
