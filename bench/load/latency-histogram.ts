import { build, type Histogram } from 'hdr-histogram-js'

/** Percentiles of one histogram, in milliseconds. */
export interface LatencySummary {
  readonly count: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly p9999: number
  readonly max: number
}

const microsMax = 3_600_000_000
const significantDigits = 3
const microsPerMilli = 1000

/** HDR histogram of latencies in microseconds, up to an hour, to three significant figures. */
export class LatencyHistogram {
  readonly #histogram: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: microsMax,
    numberOfSignificantValueDigits: significantDigits,
  })

  get count(): number {
    return this.#histogram.totalCount
  }

  record(millis: number): void {
    const micros = Math.round(millis * microsPerMilli)
    this.#histogram.recordValue(Math.min(microsMax, Math.max(0, micros)))
  }

  add(other: LatencyHistogram): void {
    this.#histogram.add(other.#histogram)
  }

  /** @param share from 0 to 1: 0.99 is the 99th percentile. @returns milliseconds; 0 if empty. */
  percentileMillis(share: number): number {
    if (this.count === 0) return 0
    return this.#histogram.getValueAtPercentile(share * 100) / microsPerMilli
  }

  summary(): LatencySummary {
    return {
      count: this.count,
      p50: this.percentileMillis(0.5),
      p90: this.percentileMillis(0.9),
      p99: this.percentileMillis(0.99),
      p999: this.percentileMillis(0.999),
      p9999: this.percentileMillis(0.9999),
      max: this.percentileMillis(1),
    }
  }

  /** Returns the percentile distribution in milliseconds, in the `.hgrm` format of HdrHistogram's plotters. */
  hgrmText(): string {
    return this.#histogram.outputPercentileDistribution(undefined, microsPerMilli)
  }
}
