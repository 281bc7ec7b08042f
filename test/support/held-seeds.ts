import assert from 'node:assert/strict'
import type { Statistics } from '../simulation/run/statistics.js'
import { commandLine, shrink } from '../simulation/shrink.js'
import { type SimulationOptions, simulate } from '../simulation/simulation.js'

/** Most runs are short: lives end early, and failing seeds shrink fast. Some run until rings are full. */
export const stepsOf = (seed: number): number => (seed % 10 === 0 ? 400 : 100)

/** Returns the numbers from `first` to `last`, both included. */
export function seedsFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/**
 * Runs a seed that must hold.
 * @throws AssertionError with the shortest command line that fails
 */
export function assertHolds(options: SimulationOptions, statistics: Statistics): void {
  const result = simulate(options)
  statistics.addAll(result.statistics)
  if (result.failure === null) return
  const small = shrink(options, result)
  const what = small.result.failure?.what
  const { seed } = options
  assert.fail(`seed ${seed}: ${what}\n${commandLine(small.options)}\n${result.failure.stack}`)
}
