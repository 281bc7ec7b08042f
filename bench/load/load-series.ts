import { LatencyHistogram } from './latency-histogram.js'
import { noGauges, type VenueGauges } from './venue-gauges.js'

/** One second of a run. */
export interface LoadSecond {
  readonly second: number
  readonly sent: number
  readonly executed: number
  readonly refused: number
  /** Commands sent and not answered at the end of the second. */
  readonly outstanding: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly gauges: VenueGauges
}

const millisPerSecond = 1000
const csvHeading =
  'second,sent,executed,refused,outstanding,p50_ms,p99_ms,max_ms,resident_bytes,heap_bytes,external_bytes,ring_bytes'

/** Series of a run's figures, one row per second. */
export class LoadSeries {
  readonly seconds: LoadSecond[] = []
  /** Gauges read last. */
  gauges = noGauges
  #latencies = new LatencyHistogram()
  #sent = 0
  #executed = 0
  #refused = 0
  #outstanding = 0
  #beginMillis = 0
  #timer: NodeJS.Timeout | undefined

  start(): void {
    this.#beginMillis = performance.now()
    this.#awaitEnd()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#close()
  }

  sent(): void {
    this.#sent++
    this.#outstanding++
  }

  executed(latencyMillis: number): void {
    this.#executed++
    this.#outstanding--
    this.#latencies.record(latencyMillis)
  }

  refused(): void {
    this.#refused++
    this.#outstanding--
  }

  /** Returns the rows as CSV with a heading. */
  csvText(): string {
    const lines = this.seconds.map(({ gauges, ...row }) =>
      [...Object.values(row), ...Object.values(gauges)].join(','),
    )
    return `${[csvHeading, ...lines].join('\n')}\n`
  }

  /** Schedules the end of the second by the clock: a repeating interval would drift. */
  #awaitEnd(): void {
    const endMillis = this.#beginMillis + (this.seconds.length + 1) * millisPerSecond
    this.#timer = setTimeout(() => {
      this.#close()
      this.#awaitEnd()
    }, endMillis - performance.now())
  }

  #close(): void {
    const { p50, p99, max } = this.#latencies.summary()
    this.seconds.push({
      second: this.seconds.length + 1,
      sent: this.#sent,
      executed: this.#executed,
      refused: this.#refused,
      outstanding: this.#outstanding,
      p50,
      p99,
      max,
      gauges: this.gauges,
    })
    this.#latencies = new LatencyHistogram()
    this.#sent = 0
    this.#executed = 0
    this.#refused = 0
  }
}
