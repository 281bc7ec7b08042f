import { assert } from '../../schemas/assert.js'
import { latencyKinds } from '../../schemas/domain.js'
import { cursorBytes } from './layout.js'

// Latency histograms in shared memory. Each thread owns one row and is its only writer, as with the counters. Counting
// is therefore a search in a short table and two plain additions.
//
//  Row of one thread, by kind: a count per bucket, the last one without a bound, and the sum
//  +---------- ... ----------+-----+---------- ... ----------+-----+----
//  | buckets of the 1st kind | sum | buckets of the 2nd kind | sum | ...
//  +---------- ... ----------+-----+---------- ... ----------+-----+----

/** Upper bounds of the buckets, in milliseconds. */
export const latencyBounds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]

const bucketCount = latencyBounds.length + 1
const kindWords = bucketCount + 1
const rowBytes =
  Math.ceil((latencyKinds.length * kindWords * 8) / (2 * cursorBytes)) * 2 * cursorBytes
const rowWords = rowBytes >> 3

export function allocateLatencies(threads: number): SharedArrayBuffer {
  return new SharedArrayBuffer(threads * rowBytes)
}

/** Writes one thread's row. `thread` is its index, as with wakeup words. */
export class Latencies {
  readonly #f64: Float64Array
  readonly #row: number

  constructor(memory: SharedArrayBuffer, thread: number) {
    assert((thread + 1) * rowBytes <= memory.byteLength, 'latencies: thread without a row')
    this.#f64 = new Float64Array(memory)
    this.#row = thread * rowWords
  }

  /** Counts one latency. @param kind index in `latencyKinds`. */
  count(kind: number, millis: number): void {
    let bucket = 0
    while (bucket < bucketCount - 1 && millis > latencyBounds[bucket]) bucket++
    const at = this.#row + kind * kindWords
    this.#f64[at + bucket]++
    this.#f64[at + bucketCount] += millis
  }
}

/** A histogram over all threads. */
export interface LatencySum {
  /** Cumulative counts: at most each bound, and last the total. */
  readonly upTo: readonly number[]
  readonly sumMillis: number
}

/** Sums a kind over all threads. @param kind index in `latencyKinds`. */
export function sumLatencies(memory: SharedArrayBuffer, kind: number): LatencySum {
  const f64 = new Float64Array(memory)
  const counts = new Array<number>(bucketCount).fill(0)
  let sumMillis = 0
  for (let row = 0; row < f64.length; row += rowWords) {
    const at = row + kind * kindWords
    for (let bucket = 0; bucket < bucketCount; bucket++) counts[bucket] += f64[at + bucket]
    sumMillis += f64[at + bucketCount]
  }
  let count = 0
  return { upTo: counts.map((each) => (count += each)), sumMillis }
}

/**
 * Returns a percentile in milliseconds. Interpolates within its bucket; in the bucket without a bound, returns the
 * largest bound.
 * @param upTo Cumulative counts of `sumLatencies`, or a difference or sum of such counts.
 * @param share For example 0.99.
 * @returns null without samples.
 */
export function percentileMillis(upTo: readonly number[], share: number): number | null {
  const count = upTo[bucketCount - 1]
  if (count <= 0) return null
  const rank = share * count
  const bucket = upTo.findIndex((below) => below >= rank)
  if (bucket >= latencyBounds.length) return latencyBounds[latencyBounds.length - 1]
  const [bound, below] = bucket === 0 ? [0, 0] : [latencyBounds[bucket - 1], upTo[bucket - 1]]
  return bound + ((latencyBounds[bucket] - bound) * (rank - below)) / (upTo[bucket] - below)
}
