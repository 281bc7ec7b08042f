import { percentileMillis, sumLatencies } from '../../../engine/memory/latencies.js'
import { latencyKinds } from '../../../schemas/domain.js'
import type { VenueStatus } from '../../../schemas/interface/venue.js'

type Figures = VenueStatus['acknowledgements']

/** Cumulative counts of the histogram at one time. */
interface Note {
  readonly atMillis: number
  readonly upTo: readonly number[]
}

const windowMillisMin = 60_000
const noteMillis = 10_000
const figuresMillis = 1000
const kinds = [...latencyKinds.keys()].filter((kind) => latencyKinds[kind] !== 'flush')

/** Percentiles of the acknowledgements of about the last minute, over all gateways. */
export class RecentAcknowledgements {
  readonly #memory: SharedArrayBuffer
  /** Oldest first: the start of the window, then younger notes. */
  readonly #notes: Note[]
  #figures: Figures | null = null
  #figuresAtMillis = 0

  /**
   * @param latencies Histograms of the shared memory.
   * @param nowMillis Time of a clock, as in all other calls.
   */
  constructor(latencies: SharedArrayBuffer, nowMillis: number) {
    this.#memory = latencies
    this.#notes = [this.#note(nowMillis)]
  }

  /** Moves the window. Call it more often than every ten seconds. */
  tick(nowMillis: number): void {
    const sinceMillis = nowMillis - this.#notes.at(-1)!.atMillis
    if (sinceMillis >= 0 && sinceMillis < noteMillis) return
    // After a backward step of the clock, a window from before it has no length.
    if (sinceMillis < 0) this.#notes.length = 0
    this.#notes.push(this.#note(nowMillis))
    while (nowMillis - (this.#notes[1]?.atMillis ?? nowMillis) >= windowMillisMin) {
      this.#notes.shift()
    }
  }

  /** Returns the figures, at most a second old. */
  figures(nowMillis: number): Figures {
    const ageMillis = nowMillis - this.#figuresAtMillis
    if (this.#figures === null || ageMillis < 0 || ageMillis >= figuresMillis) {
      this.#figures = this.#computed(nowMillis)
      this.#figuresAtMillis = nowMillis
    }
    return this.#figures
  }

  #computed(nowMillis: number): Figures {
    const start = this.#notes[0]!
    const { upTo } = this.#note(nowMillis)
    const recent = upTo.map((count, bucket) => count - start.upTo[bucket]!)
    const percentile = (share: number) => {
      const millis = percentileMillis(recent, share)
      return millis === null ? null : Number(millis.toPrecision(3))
    }
    return {
      window_ms: Math.max(0, Math.round(nowMillis - start.atMillis)),
      count: recent.at(-1)!,
      p50_ms: percentile(0.5),
      p99_ms: percentile(0.99),
      p999_ms: percentile(0.999),
    }
  }

  #note(atMillis: number): Note {
    const [first, ...others] = kinds.map((kind) => sumLatencies(this.#memory, kind).upTo)
    const upTo = first!.map((count, bucket) =>
      others.reduce((sum, other) => sum + other[bucket]!, count),
    )
    return { atMillis, upTo }
  }
}
