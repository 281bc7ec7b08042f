import {
  type BenchResult,
  extraText,
  keepsThreshold,
  type Range,
  rangeText,
  type Threshold,
  thresholdText,
} from './measure/bench-result.js'

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
  readonly threshold: Threshold | null
  /** 99th percentile of the client's own delay in sending, in milliseconds; null if no send was planned. */
  readonly lateMillisP99: number | null
}

export type Direction = 'bigger' | 'smaller'

/** Verdict on a row. An `undecided` row fails no gate. */
export type Verdict = 'kept' | 'missed' | 'undecided'

/** Comparison of a row with the baseline. */
export interface RowComparison {
  readonly baseline: number
  /** Value of this run divided by the baseline. */
  readonly ratio: number
  /** Confidence interval of the ratio; null if the baseline is a file, which gives no pairs. */
  readonly interval: Range | null
  readonly pairs: number
  readonly verdict: Verdict
}

/** Row with its comparison and verdict. */
export interface JudgedRow extends CommonRow {
  readonly comparison: RowComparison | null
  /** Null if no limit applies to the row. */
  readonly verdict: Verdict | null
  /** One sentence for each missed limit. */
  readonly missed: readonly string[]
}

/** Units of rates. */
const rateUnit = /\/s$/

/** Converts a row. @param suite name of the suite that measured it. */
export function commonRow(row: BenchResult, suite: string, quick: boolean): CommonRow {
  const { name, unit, value, extra, threshold = null } = row
  const { sentLateMillisP99: late } = extra
  const texts = { range: rangeText(row), extra: extraText(extra) }
  const lateMillisP99 = typeof late === 'number' ? late : null
  const direction = directionOf(row)
  return { name, unit, value, direction, ...texts, suite, quick, threshold, lateMillisP99 }
}

/** Returns the direction by the threshold, else by the unit: rates should be big, times, memory and shares small. */
export function directionOf({ threshold, unit }: BenchResult): Direction {
  if (threshold !== undefined) return 'atLeast' in threshold ? 'bigger' : 'smaller'
  return rateUnit.test(unit) ? 'bigger' : 'smaller'
}

/** Limits that apply to all rows. */
export interface Limits {
  /** True to check rows against their own thresholds. */
  readonly compare: boolean
  /** Longest 99th percentile, in milliseconds. */
  readonly p99MillisMax: number
  /** Minimum goodput per second. */
  readonly goodputMin: number
}

export const p99Name = /p99$/
export const goodputName = /goodput$/

/** Checks a row against the limits and its comparison. */
export function judged(
  row: CommonRow,
  limits: Limits,
  comparison: RowComparison | null = null,
): JudgedRow {
  const { name, unit, value, lateMillisP99 } = row
  const thresholds = thresholdsOf(row, limits)
  const late = lateMillisP99 === null ? '' : `; the client itself sent late by ${lateMillisP99} ms`
  const missed = thresholds
    .filter((threshold) => !keepsThreshold({ value, threshold }))
    .map((threshold) => `${name} is ${value} ${unit}, limit ${thresholdText({ threshold })}${late}`)
  if (comparison?.verdict === 'missed') missed.push(comparisonLine(row, comparison))
  const hasLimit = thresholds.length > 0 || comparison !== null
  const open = comparison?.verdict === 'undecided' ? 'undecided' : 'kept'
  const verdict = missed.length > 0 ? 'missed' : hasLimit ? open : null
  return { ...row, comparison, verdict, missed }
}

/** Returns all thresholds that apply to a row. */
function thresholdsOf({ name, unit, threshold }: CommonRow, limits: Limits): readonly Threshold[] {
  const { compare, p99MillisMax, goodputMin } = limits
  const hasLatency = p99Name.test(name) && unit === 'ms'
  return [
    compare && threshold !== null ? [threshold] : [],
    hasLatency && p99MillisMax !== Number.POSITIVE_INFINITY ? [{ atMost: p99MillisMax }] : [],
    goodputName.test(name) && goodputMin > 0 ? [{ atLeast: goodputMin }] : [],
  ].flat()
}

/** Returns a text such as `load.p99: 12 ms, baseline 10; ratio 1.20, interval 0.900 to 1.60 of 6 pairs`. */
export function comparisonLine(
  { name, value, unit }: CommonRow,
  { baseline, ratio, interval, pairs }: RowComparison,
): string {
  const figures = `${name}: ${value} ${unit}, baseline ${baseline}; ratio ${short(ratio)}`
  if (interval === null) return figures
  return `${figures}, interval ${short(interval.min)} to ${short(interval.max)} of ${pairs} pairs`
}

function short(ratio: number): string {
  return ratio.toPrecision(3)
}
