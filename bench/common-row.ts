import { type BenchResult, extraText, rangeText } from './bench-result.js'

/**
 * Row of a benchmark as continuous-benchmark actions read it, with additional fields. `name`, `unit`, `value`, `range` and
 * `extra` have the types of github-action-benchmark.
 */
export interface CommonRow {
  readonly name: string
  readonly unit: string
  readonly value: number
  readonly direction: Direction
  /** Smallest and largest of the repeats, as `1 to 3`; empty for one measurement. */
  readonly range: string
  /** Method and facts of the measurement. */
  readonly extra: string
  readonly suite: string
  /** True for a short run, whose figures mean little. */
  readonly quick: boolean
  readonly threshold: BenchResult['threshold'] | null
}

export type Direction = 'bigger' | 'smaller'

/** Units of what is done in a time. */
const rateUnit = /\/s$/

/** Converts a row. @param suite name of the suite that measured it. */
export function commonRow(row: BenchResult, suite: string, quick: boolean): CommonRow {
  const { name, unit, value, threshold = null } = row
  const texts = { range: rangeText(row), extra: extraText(row.extra) }
  return { name, unit, value, direction: directionOf(row), ...texts, suite, quick, threshold }
}

/** Its threshold says it, else its unit: more in a second is better, all else is time, memory, or a share of them. */
export function directionOf({ threshold, unit }: BenchResult): Direction {
  if (threshold !== undefined) return 'atLeast' in threshold ? 'bigger' : 'smaller'
  return rateUnit.test(unit) ? 'bigger' : 'smaller'
}

/** What is compared: rows of one run with those of another, and with figures that were asked for. */
export interface Limits {
  /** Rows of an earlier run. */
  readonly baseline: readonly CommonRow[]
  /** By how much a row may be worse than then, as a share of it. */
  readonly tolerance: number
  /** Longest 99th percentile, in milliseconds. */
  readonly p99MillisMax: number
  /** Least goodput in a second. */
  readonly goodputMin: number
}

export const p99Name = /p99$/
export const goodputName = /goodput$/

/** A sentence for each row that is beyond a limit. */
export function missedLimits(rows: readonly CommonRow[], limits: Limits): readonly string[] {
  const earlier = new Map(limits.baseline.map((row) => [row.name, row]))
  return rows.flatMap((row) => [
    ...regression(row, earlier.get(row.name), limits.tolerance),
    ...absolute(row, limits),
  ])
}

function regression(row: CommonRow, before: CommonRow | undefined, tolerance: number) {
  if (before === undefined) return []
  const { name, unit, value, direction } = row
  const border = before.value * (direction === 'bigger' ? 1 - tolerance : 1 + tolerance)
  const isWorse = direction === 'bigger' ? value < border : value > border
  if (!isWorse) return []
  const most = direction === 'bigger' ? 'at least' : 'at most'
  return [`${name} is ${value} ${unit}, was ${before.value}: ${most} ${border.toPrecision(4)}`]
}

function absolute({ name, unit, value }: CommonRow, { p99MillisMax, goodputMin }: Limits) {
  if (p99Name.test(name) && unit === 'ms' && value > p99MillisMax) {
    return [`${name} is ${value} ms: at most ${p99MillisMax}`]
  }
  if (goodputName.test(name) && value < goodputMin) {
    return [`${name} is ${value} ${unit}: at least ${goodputMin}`]
  }
  return []
}
