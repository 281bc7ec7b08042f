/** Limit that a figure of a full run must keep. `strikebook bench --compare` exits with 99 if one does not. */
export type Threshold = { readonly atLeast: number } | { readonly atMost: number }

export interface Range {
  readonly min: number
  readonly max: number
}

/** Facts about a measurement by name, with the unit last in the name. `about` is a text. */
export type Extra = Readonly<Record<string, number | string>>

/** Row of a benchmark's result. `common-row.ts` has the printed form. */
export interface BenchResult {
  readonly name: string
  readonly unit: string
  readonly value: number
  /** Smallest and largest of the repeats; null for a single one. */
  readonly range: Range | null
  readonly extra: Extra
  readonly threshold?: Threshold
}

/** Returns the median, minimum and maximum, to four significant figures. */
export function spread(values: readonly number[]): { value: number; range: Range } {
  const sorted = [...values].sort((a, b) => a - b)
  const rounded = (value: number) => Number(value.toPrecision(4))
  return {
    value: rounded(sorted[sorted.length >> 1]),
    range: { min: rounded(sorted[0]), max: rounded(sorted[sorted.length - 1]) },
  }
}

/** Formats a range as `1 to 3`; '' for a single measurement. */
export function rangeText({ range }: Pick<BenchResult, 'range'>): string {
  return range === null ? '' : `${range.min} to ${range.max}`
}

/** Formats the facts as one line for people. */
export function extraText(extra: Extra): string {
  const { about, ...others } = extra
  const facts = Object.entries(others).map(([name, value]) => `${name} ${value}`)
  return [...(about === undefined ? [] : [about]), ...facts].join(', ')
}

/**
 * Returns the ratio of a subject to its reference, both measured in turns in one run. It is the median over the pairs, so
 * that a slow minute of a shared machine affects both sides of a pair.
 * @param subject one figure per repeat, in the unit of `reference`.
 */
export function ratioOf(
  row: { readonly name: string; readonly extra: Extra; readonly threshold?: Threshold },
  subject: readonly number[],
  reference: readonly number[],
): BenchResult {
  return { ...row, unit: 'ratio', ...spread(subject.map((value, run) => value / reference[run])) }
}

/** Figure with an optional threshold. */
interface HeldFigure {
  readonly value: number
  readonly threshold?: Threshold | null
}

/** Returns true if a figure keeps its threshold, or has none. */
export function keepsThreshold({ value, threshold }: HeldFigure): boolean {
  if (threshold === undefined || threshold === null) return true
  return 'atLeast' in threshold ? value >= threshold.atLeast : value <= threshold.atMost
}

/** Returns a threshold as `>= 0.85`; an empty text without one. */
export function thresholdText({ threshold }: Pick<HeldFigure, 'threshold'>): string {
  if (threshold === undefined || threshold === null) return ''
  return 'atLeast' in threshold ? `>= ${threshold.atLeast}` : `<= ${threshold.atMost}`
}
