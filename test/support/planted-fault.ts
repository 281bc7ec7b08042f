import assert from 'node:assert/strict'
import { type FaultKind, faultKinds } from '../simulation/run/fault-plan.js'
import {
  type SimulationOptions,
  type SimulationResult,
  simulate,
} from '../simulation/simulation.js'

/** Optional activities to leave out, so that seeds keep their results when these activities change. */
export const tradingAlone: ReadonlySet<FaultKind> = new Set([
  'requests',
  'auctions',
  'services',
  'safety',
  'caps',
])
/** Leaves out everything except the given kinds, so that only the planted fault goes wrong. */
export const onlyWith = (...kinds: readonly FaultKind[]): ReadonlySet<FaultKind> =>
  new Set(faultKinds.filter((kind) => !kinds.includes(kind)))

export interface Planted extends Omit<SimulationOptions, 'seed'> {
  /** First seed that shows the fault with the current code. Earlier seeds hold, and cost a second each. */
  readonly first?: number
}

export interface Found {
  readonly options: SimulationOptions
  readonly result: SimulationResult
  /** Message of the failure. */
  readonly what: string
}

/** Maximum number of seeds that may hold in spite of a planted fault. */
const seedsMost = 120

/** Runs seeds until one fails: a simulator that cannot fail proves nothing. */
export function firstFailing({ first = 1, ...given }: Planted): Found {
  const planted = { without: new Set<FaultKind>(['caps']), ...given }
  for (let seed = first; seed < first + seedsMost; seed++) {
    const options: SimulationOptions = { ...planted, seed }
    const result = simulate(options)
    if (result.failure !== null) return { options, result, what: result.failure.what }
  }
  assert.fail(`${seedsMost} seeds hold in spite of the planted fault`)
}
