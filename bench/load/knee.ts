/** Measurement of one step of the search. */
export interface KneePoint {
  readonly ratePerSecond: number
  readonly goodputPerSecond: number
  readonly p99Millis: number
  /** 99th percentile of the client's own delay in sending. */
  readonly lateMillisP99: number
}

export interface KneeOptions {
  readonly firstRate: number
  readonly p99MillisMax: number
  /** Number of bisections of the gap once both ends are known; default 3. */
  readonly refinements?: number
  /** Runs the venue at a rate. @returns null to end the search with the result so far. */
  readonly measure: (ratePerSecond: number) => Promise<KneePoint | null>
}

export interface Knee {
  /** Highest measured rate at which the venue kept up; 0 if it never did. */
  readonly ratePerSecond: number
  readonly points: readonly KneePoint[]
}

const growth = 1.5
const goodputShareMin = 0.95
const stepsMax = 24
const refinementsDefault = 3
// A second try, because other load on the machine is no limit of the venue.
const triesMax = 2

/**
 * Finds the knee. Raises the rate until goodput no longer follows the offered rate, or the 99th percentile exceeds its
 * limit, then bisects the gap of the logarithm a few times. If the first rate is too high, lowers it first.
 */
export async function findKnee(options: KneeOptions): Promise<Knee> {
  const points: KneePoint[] = []
  let isEnded = false
  const follows = async (ratePerSecond: number) => {
    for (let tries = 0; tries < triesMax; tries++) {
      const point = await options.measure(ratePerSecond)
      isEnded = point === null
      if (point === null) return false
      points.push(point)
      const isServed = point.goodputPerSecond >= goodputShareMin * ratePerSecond
      if (isServed && point.p99Millis <= options.p99MillisMax) return true
    }
    return false
  }
  let good = 0
  let bad = 0
  let rate = options.firstRate
  for (
    let step = 0;
    step < stepsMax && (good === 0 || bad === 0) && rate >= 1 && !isEnded;
    step++
  ) {
    if (await follows(rate)) good = rate
    else bad = rate
    rate = good > 0 ? good * growth : bad / growth
  }
  const { refinements = refinementsDefault } = options
  for (let step = 0; step < refinements && good > 0 && bad > 0 && !isEnded; step++) {
    rate = Math.sqrt(good * bad)
    if (await follows(rate)) good = rate
    else bad = rate
  }
  return { ratePerSecond: good, points }
}
