import assert from 'node:assert/strict'
import { type FaultKind, faultKinds } from '../simulation/run/fault-plan.js'
import {
  type SimulationOptions,
  type SimulationResult,
  simulate,
} from '../simulation/simulation.js'

/** What a seed shows stays what it is while these learn something new. */
export const tradingAlone: ReadonlySet<FaultKind> = new Set([
  'requests',
  'auctions',
  'services',
  'safety',
  'caps',
])
/** Nothing goes wrong but what is planted, and only the given kinds of what is no fault happen. */
export const onlyWith = (...kinds: readonly FaultKind[]): ReadonlySet<FaultKind> =>
  new Set(faultKinds.filter((kind) => !kinds.includes(kind)))

export interface Planted extends Omit<SimulationOptions, 'seed'> {
  /** The seed that shows the fault as the code is now: those before it hold, and cost a second each. */
  readonly first?: number
}

export interface Found {
  readonly options: SimulationOptions
  readonly result: SimulationResult
  /** How it fails. */
  readonly what: string
}

/** Seeds that may hold in spite of a fault that is planted. */
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
