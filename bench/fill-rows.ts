import { flushBytes } from './bare-flush.js'
import type { LatencyHistogram } from './load/latency-histogram.js'
import { type BenchResult, type Extra, ratioOf, spread } from './measure/bench-result.js'

/** Percentiles in milliseconds. */
export interface FillTimes {
  readonly p50: number
  readonly p99: number
}

/** Kind of provider fills, with one figure per repeat. */
export interface FillKind {
  /** Name of its rows, with the name of the suite as prefix. */
  readonly name: string
  readonly times: readonly FillTimes[]
  /** Bare flush of each repetition in milliseconds. */
  readonly flushMillis: readonly number[]
  /** Start and end of the measured time, and the method. */
  readonly extra: Extra
}

/** Method of measuring a bare flush. */
export const flushExtra = { about: 'write and fdatasync, idle', bytes: flushBytes }
/** Longest time from the deciding event to the published fill, in addition to one flush. */
const fillMillisMax = 2
const microsPerSecond = 1e6

export function fillTimesOf(histogram: LatencyHistogram): FillTimes {
  return { p50: histogram.percentileMillis(0.5), p99: histogram.percentileMillis(0.99) }
}

/** Returns the median, the tail, and the ratio of the median to its limit: the longest time for a fill, and one flush. */
export function fillRows({ name, times, flushMillis, extra }: FillKind): BenchResult[] {
  const p50 = times.map((repeat) => repeat.p50)
  const limit = {
    name: `${name}-p50 over limit`,
    extra: { about: 'divided by the limit plus one median flush', borderMillis: fillMillisMax },
    threshold: { atMost: 1 },
  }
  const limits = flushMillis.map((millis) => fillMillisMax + millis)
  return [
    { name: `${name}-p50`, unit: 'ms', ...spread(p50), extra },
    { name: `${name}-p99`, unit: 'ms', ...spread(times.map(({ p99 }) => p99)), extra },
    ratioOf(limit, p50, limits),
  ]
}

export function flushRow(suite: string, flushMillis: readonly number[]): BenchResult {
  return { name: `${suite}.flush`, unit: 'ms', ...spread(flushMillis), extra: flushExtra }
}

/**
 * Returns the processor time per request of each thread role.
 * @param cores busy cores by role, one map per repeat. @param perSecond rate of requests.
 */
export function processorRows(
  suite: string,
  cores: readonly ReadonlyMap<string, number>[],
  perSecond: number,
): BenchResult[] {
  return [...cores[0]!.keys()].map((role) => ({
    ...{ name: `${suite}.processor ${role}`, unit: 'µs/request' },
    extra: { about: 'all work of the thread in that time, its idle work included', perSecond },
    ...spread(cores.map((repeat) => (repeat.get(role)! * microsPerSecond) / perSecond)),
  }))
}
