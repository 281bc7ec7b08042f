/** One row of a benchmark's output; `npm run bench` prints an array of them beside the environment. */
export interface BenchResult {
  readonly name: string
  readonly unit: string
  readonly value: number
  /** Smallest and largest of the repeats. */
  readonly range: string
  readonly extra: string
}

/** Median, with smallest and largest. */
export function spread(values: readonly number[]): { value: number; range: string } {
  const sorted = [...values].sort((a, b) => a - b)
  const text = (value: number) => value.toPrecision(4)
  return {
    value: Number(text(sorted[sorted.length >> 1])),
    range: `${text(sorted[0])} to ${text(sorted[sorted.length - 1])}`,
  }
}
