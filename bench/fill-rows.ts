import { flushBytes } from './bare-flush.js'
import type { LatencyHistogram } from './load/latency-histogram.js'
import { type BenchResult, type Extra, ratioOf, spread } from './measure/bench-result.js'

/** Percentiles in milliseconds. */
export interface FillTimes {
  readonly p50: number
  readonly p99: number
}

/** A kind of fills by providers, one figure a repeat. */
export interface FillKind {
  /** Name of its rows, behind that of the suite. */
  readonly name: string
  readonly times: readonly FillTimes[]
  /** Bare flush of each repeat, ms. */
  readonly flushMillis: readonly number[]
  /** Between which two moments it is, and how it was measured. */
  readonly extra: Extra
}

/** How a bare flush is measured. */
export const flushExtra = { about: 'write and fdatasync, idle', bytes: flushBytes }
/** Most time between what decides and what is told of it, beside one flush. */
const fillMillisMax = 2
const microsPerSecond = 1e6

export function fillTimesOf(histogram: LatencyHistogram): FillTimes {
  return { p50: histogram.percentileMillis(0.5), p99: histogram.percentileMillis(0.99) }
}

/** Median and tail, and the median over its border: what a fill may take, and one flush. */
export function fillRows({ name, times, flushMillis, extra }: FillKind): BenchResult[] {
  const p50 = times.map((repeat) => repeat.p50)
  const border = {
    name: `${name}-p50 over border`,
    extra: { about: 'of the border and one median flush', borderMillis: fillMillisMax },
    threshold: { atMost: 1 },
  }
  const borders = flushMillis.map((millis) => fillMillisMax + millis)
  return [
    { name: `${name}-p50`, unit: 'ms', ...spread(p50), extra },
    { name: `${name}-p99`, unit: 'ms', ...spread(times.map(({ p99 }) => p99)), extra },
    ratioOf(border, p50, borders),
  ]
}

export function flushRow(suite: string, flushMillis: readonly number[]): BenchResult {
  return { name: `${suite}.flush`, unit: 'ms', ...spread(flushMillis), extra: flushExtra }
}

/**
 * Processor time of each role of threads.
 * @param cores of each repeat, by role. @param perSecond requests that kept them busy.
 */
export function processorRows(
  suite: string,
  cores: readonly ReadonlyMap<string, number>[],
  perSecond: number,
): BenchResult[] {
  return [...cores[0]!.keys()].map((role) => ({
    ...{ name: `${suite}.processor ${role}`, unit: 'µs/request' },
    extra: { about: 'all that it did meanwhile, what it does when idle too', perSecond },
    ...spread(cores.map((repeat) => (repeat.get(role)! * microsPerSecond) / perSecond)),
  }))
}
