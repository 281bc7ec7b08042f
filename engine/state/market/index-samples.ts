import { assert } from '../../../schemas/assert.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'

/** An index observation: the sample of each second from `fromMillis` on, until that of the next observation. */
interface Observation {
  /** First whole second at or after the observation. */
  readonly fromMillis: number
  readonly observedMillis: number
  readonly priceMicros: number
}

/** Selects the samples of a window. */
export interface SampleWindow {
  readonly expiryMillis: number
  /** The window ends before the expiry and has this length, with one sample per second. */
  readonly windowSeconds: number
  /** Samples after this time are not taken yet. */
  readonly untilMillis: number
  /** Age from which an observation is no longer a valid sample; 0 for no limit. */
  readonly maxCarryMillis: number
}

export const secondMillis = 1000

/**
 * Observations of one underlying's index from which settlement samples can still be taken. A sample is the last
 * observation at or before its second. Observations have times of their own, so the time of arrival does not matter.
 * All windows of an underlying share its whole seconds: expiries are whole seconds, and other expiries use the whole
 * seconds before them. An observation followed by another within its second is never a sample.
 *
 *      beginning of the window                              now
 *   ──────┬───────────────────────────────────────────────────┬──►
 *    A    │  B          C        D                         E  │       at most one observation per second; A is kept
 *   ──────┴───────────────────────────────────────────────────┴──►    while B is after the longest window's start
 */
export class IndexSamples {
  readonly #underlying: number
  readonly #hash: StateHash
  readonly #kept: Observation[] = []

  constructor(underlying: number, hash: StateHash) {
    this.#underlying = underlying
    this.#hash = hash
  }

  /** Number of kept observations. */
  get count(): number {
    return this.#kept.length
  }

  /**
   * Adds an observation, which must not be earlier than the previous one.
   * @param beginMillis beginning of the longest window that a later expiry can have.
   * @param countMax maximum number of observations to keep, the latest ones.
   */
  take(observedMillis: number, priceMicros: number, beginMillis: number, countMax: number): void {
    const kept = this.#kept
    const last = kept.at(-1)
    assert(
      priceMicros > 0 && countMax >= 1,
      'index samples: the price is positive, and at least one is kept',
    )
    assert(
      last === undefined || last.observedMillis <= observedMillis,
      'index samples: observation times never decrease',
    )
    const fromMillis = Math.ceil(observedMillis / secondMillis) * secondMillis
    if (kept.at(-1)?.fromMillis === fromMillis) this.#put(kept.pop()!, false)
    const observation = { fromMillis, observedMillis, priceMicros }
    kept.push(observation)
    this.#put(observation, true)
    while (kept.length > countMax || (kept.length > 1 && kept[1].fromMillis <= beginMillis)) {
      this.#put(kept.shift()!, false)
    }
  }

  /**
   * Reads the valid samples of a window, in order of time.
   * @param out receives their prices in micros; at least `windowSeconds` long.
   * @returns the number of valid samples.
   */
  read(window: SampleWindow, out: Float64Array): number {
    const { expiryMillis, windowSeconds, untilMillis, maxCarryMillis } = window
    const kept = this.#kept
    let count = 0
    let next = 0
    for (let k = 0; k < windowSeconds; k++) {
      const sampleMillis = expiryMillis - (windowSeconds - k) * secondMillis
      if (sampleMillis > untilMillis) break
      while (next < kept.length && kept[next].fromMillis <= sampleMillis) next++
      if (next === 0) continue
      const { observedMillis, priceMicros } = kept[next - 1]
      const isOld = maxCarryMillis > 0 && sampleMillis - observedMillis > maxCarryMillis
      if (!isOld) out[count++] = priceMicros
    }
    return count
  }

  /** Visits the kept observations, oldest first. */
  forEach(visit: (observedMillis: number, priceMicros: number) => void): void {
    for (const { observedMillis, priceMicros } of this.#kept) visit(observedMillis, priceMicros)
  }

  save(sink: StateSink): void {
    sink.i32(this.#kept.length)
    for (const { observedMillis, priceMicros } of this.#kept) {
      sink.f64(observedMillis)
      sink.f64(priceMicros)
    }
  }

  /** Reads what `save` wrote. */
  load(reader: StateReader): void {
    for (let i = reader.i32(); i > 0; i--) {
      const observedMillis = reader.f64()
      this.take(observedMillis, reader.f64(), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
    }
  }

  #put({ observedMillis, priceMicros }: Observation, adds: boolean): void {
    rowDoubles[0] = observedMillis
    rowDoubles[1] = priceMicros
    rowWords[4] = this.#underlying
    this.#hash.put(HashKind.IndexSample, 5, adds)
  }
}
