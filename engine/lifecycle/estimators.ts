import { assert } from '../../schemas/assert.js'
import {
  Estimator,
  type SettlementParameters,
  trimCount,
} from '../state/market/settlement-parameters.js'

// Sums of thousands of prices exceed 2^53, and so do their products with the counts of two buckets. A sum is therefore
// two lanes, high × 2^26 + low, each below 2^53.
const laneStep = 2 ** 26

interface Lanes {
  high: number
  low: number
}

/**
 * Returns the settlement price from samples in micros, rounded half-even once.
 * @param samples valid ones, at least `count`; sorted in place by `TrimmedMedianOfMeans`.
 * @param count above 0.
 */
export function estimatePrice(
  samples: Float64Array,
  count: number,
  parameters: SettlementParameters,
): number {
  if (parameters.estimator === Estimator.Twap) return meanMicros(samples, 0, count)
  return medianOfMeans(samples.subarray(0, count).sort(), parameters.trimShare)
}

/** Returns the mean of consecutive samples, half-even to micros. */
export function meanMicros(samples: Float64Array, from: number, count: number): number {
  assert(count > 0, 'settlement: a mean has samples')
  return divideHalfEven(sumOf(samples, from, count), count)
}

/**
 * Returns the median of the means of neighbouring samples, without the extremes. The samples are sorted, so the means
 * rise from bucket to bucket, and the median is that of the middle buckets.
 */
function medianOfMeans(sorted: Float64Array, trimShare: number): number {
  const trimmed = trimCount(sorted.length, trimShare)
  const count = sorted.length - 2 * trimmed
  assert(count > 0, 'settlement: samples remain after trimming')
  const buckets = wholeRootOf(count)
  const width = Math.floor(count / buckets)
  const widthOf = (bucket: number) =>
    bucket === buckets - 1 ? count - width * (buckets - 1) : width
  const upper = Math.floor(buckets / 2)
  if (buckets % 2 === 1) return meanMicros(sorted, trimmed + upper * width, widthOf(upper))
  const lower = upper - 1
  const [lowerWidth, upperWidth] = [widthOf(lower), widthOf(upper)]
  const a = sumOf(sorted, trimmed + lower * width, lowerWidth)
  const b = sumOf(sorted, trimmed + upper * width, upperWidth)
  const high = a.high * upperWidth + b.high * lowerWidth
  const low = a.low * upperWidth + b.low * lowerWidth
  return divideHalfEven({ high, low }, 2 * lowerWidth * upperWidth)
}

function sumOf(samples: Float64Array, from: number, count: number): Lanes {
  let high = 0
  let low = 0
  for (let i = from; i < from + count; i++) {
    const top = Math.floor(samples[i] / laneStep)
    high += top
    low += samples[i] - top * laneStep
  }
  return { high, low }
}

function divideHalfEven({ high, low }: Lanes, divisor: number): number {
  const top = Math.floor(high / divisor)
  const remainder = (high - top * divisor) * laneStep + low
  const bottom = Math.floor(remainder / divisor)
  const twice = 2 * (remainder - bottom * divisor)
  const floor = top * laneStep + bottom
  return twice > divisor || (twice === divisor && floor % 2 !== 0) ? floor + 1 : floor
}

/** Returns the square root of a count, rounded down. Square roots are correctly rounded, so it is exact below 2^52. */
function wholeRootOf(count: number): number {
  return Math.floor(Math.sqrt(count))
}
