import type { Range } from './measure/bench-result.js'

/** Confidence interval of a mean. */
interface MeanInterval extends Range {
  readonly mean: number
}

/** Confidence interval of a ratio. */
interface RatioInterval extends Range {
  /** Geometric mean of the ratios of all pairs. */
  readonly ratio: number
}

const bisections = 60
const quantileMax = 1e6

/**
 * Returns the two-sided interval of the ratio of pairs, by Student's t on the logarithms.
 * @param ratios one per pair, at least two, each above 0; otherwise the interval is from 0 to infinity.
 * @param errorShare share of intervals that miss the true ratio.
 */
export function ratioInterval(ratios: readonly number[], errorShare: number): RatioInterval {
  const { mean, min, max } = meanInterval(ratios.map(Math.log), errorShare)
  return { ratio: Math.exp(mean), min: Math.exp(min), max: Math.exp(max) }
}

/**
 * Returns the two-sided interval of a mean, by Student's t.
 * @param values at least two, all finite; otherwise the interval has no bounds.
 * @param errorShare share of intervals that miss the true mean.
 */
export function meanInterval(values: readonly number[], errorShare: number): MeanInterval {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count < 2 || !Number.isFinite(mean)) return { mean, min: -Infinity, max: Infinity }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const error = Math.sqrt(squares / (count - 1) / count)
  const half = studentQuantile(1 - errorShare, count - 1) * error
  return { mean, min: mean - half, max: mean + half }
}

/** Returns the `t` for which a Student variable is between -t and t with this probability. */
export function studentQuantile(probability: number, freedom: number): number {
  let [low, high] = [0, quantileMax]
  for (let step = 0; step < bisections; step++) {
    const middle = (low + high) / 2
    if (studentWithin(middle, freedom) < probability) low = middle
    else high = middle
  }
  return high
}

/** Returns the probability of a Student variable within ±t (Abramowitz and Stegun, 26.7.3 and 26.7.4). */
function studentWithin(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const isOdd = freedom % 2 === 1
  let term = isOdd ? cosine : 1
  let sum = freedom === 1 ? 0 : term
  for (let power = isOdd ? 3 : 2; power <= freedom - 2; power += 2) {
    term *= (cosine * cosine * (power - 1)) / power
    sum += term
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
}
