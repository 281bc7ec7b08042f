import { randomFrom } from '../book-replay/book-flow.js'

/** Distribution of the gaps between two sends. */
export type GapKind = 'constant' | 'exponential'

export interface SendPlanOptions {
  readonly ratePerSecond: number
  readonly count: number
  /** `exponential` (default) is a Poisson process, like that of independent clients. */
  readonly gaps?: GapKind
  readonly seed?: number
}

/** Part of a run at one rate. */
export interface RatePhase {
  readonly ratePerSecond: number
  readonly seconds: number
}

const millisPerSecond = 1000

/**
 * Returns the sending time of each of `count` commands in milliseconds from the start, ascending. The plan is made before
 * the run and does not depend on it, which makes the loop open.
 */
export function planSends(options: SendPlanOptions): Float64Array {
  const { ratePerSecond, count, gaps = 'exponential', seed = 1 } = options
  if (!(ratePerSecond > 0)) throw new Error(`send plan: a rate above 0, not ${ratePerSecond}`)
  const random = randomFrom(seed)
  const gapMillis = millisPerSecond / ratePerSecond
  const plannedMillis = new Float64Array(count)
  let atMillis = 0
  for (let i = 0; i < count; i++) {
    plannedMillis[i] = gaps === 'constant' ? i * gapMillis : atMillis
    atMillis -= Math.log(1 - random()) * gapMillis
  }
  return plannedMillis
}

/** Returns the number of commands of each phase. */
export function phaseCounts(phases: readonly RatePhase[]): readonly number[] {
  return phases.map(({ ratePerSecond, seconds }) => Math.ceil(ratePerSecond * seconds))
}

/** Plans several phases, one after the other, each from its own nominal start. */
export function planPhases(
  phases: readonly RatePhase[],
  { gaps = 'exponential', seed = 1 }: Pick<SendPlanOptions, 'gaps' | 'seed'> = {},
): Float64Array {
  const counts = phaseCounts(phases)
  const plannedMillis = new Float64Array(counts.reduce((sum, count) => sum + count, 0))
  let at = 0
  let beginMillis = 0
  for (const [place, { ratePerSecond, seconds }] of phases.entries()) {
    const plan = planSends({ ratePerSecond, count: counts[place], gaps, seed: seed + place })
    const endMillis = beginMillis + seconds * millisPerSecond
    // A plan that ends late by chance must not reach into the next phase.
    for (const millis of plan) plannedMillis[at++] = Math.min(beginMillis + millis, endMillis)
    beginMillis = endMillis
  }
  return plannedMillis
}
