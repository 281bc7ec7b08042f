import { findKnee, type KneePoint } from './knee.js'
import { runLoad } from './load.js'
import { type LoadOptions, phasesAt } from './load-options.js'
import type { LoadSecond } from './load-series.js'
import { openLoadSession } from './load-session.js'
import type { KindReport, LoadTally } from './load-tally.js'

export interface OverloadOptions {
  /** Address, wallets and connections. Its phases are not used. */
  readonly load: LoadOptions
  readonly seconds: number
  /** Length of each step of the search for the capacity. */
  readonly kneeSeconds: number
  readonly kneeRefinements: number
  /** Highest 99th percentile at which the venue keeps up. */
  readonly kneeP99Millis: number
  readonly firstRate: number
  /** Known capacity. It is measured, but the search is skipped. */
  readonly capacityPerSecond?: number
  /** Offered rate as a multiple of the capacity. */
  readonly factor: number
  /** Length of the half-load phases before and after the overload. */
  readonly calmSeconds: number
  /** Minimum share of the peak goodput. */
  readonly goodputShareMin: number
  /** Limit of the 99th percentile of cancels. */
  readonly cancelMillisMax: number
  /** Longest time from the end of the overload to its last answer. */
  readonly recoverySecondsMax: number
  /** Tolerated difference between the percentiles before and after, each of a few hundred orders. */
  readonly latencySlackMillis: number
  readonly onLine: (line: string) => void
  /** Receives the series of the run as CSV. */
  readonly onSeries?: (csvText: string) => void
}

/** Claim that must hold under overload. */
export interface OverloadClaim {
  readonly claim: string
  readonly figure: string
  readonly isKept: boolean
  /** True if it does not depend on speed: it must hold on any machine, under any other load. */
  readonly isStructural: boolean
}

const halfLoad = 0.5
const recoverySeconds = 1
const millisPerSecond = 1000
const explicitCodes = ['engine_busy', 'rate_limit_exceeded']
const outstandingSecondsMax = 1
const memoryGrowthMax = 0.1
// The event log of a young venue touches its 64 MiB for the first time, whatever the load.
const memoryGrowthBytesMin = 96 * 1024 * 1024
const latencyGrowthMax = 2

/**
 * Finds the capacity of a venue, offers a multiple of it, and judges the result. One run has half the capacity, the
 * overload, a second to recover, and half the capacity again.
 */
export async function runOverload(options: OverloadOptions): Promise<readonly OverloadClaim[]> {
  const { load, onLine, kneeSeconds, calmSeconds } = options
  const session = await openLoadSession(load)
  let peakPerSecond = 0
  let isReconciled = true
  const runAt = async (phases: LoadOptions['phases']) => {
    const result = await runLoad(session, { ...load, phases }, onLine)
    isReconciled &&= result.report.isReconciled
    for (const line of result.report.differences.slice(0, 5)) onLine(`difference: ${line}`)
    return result
  }
  await runAt(phasesAt(options.firstRate, kneeSeconds, load.openOrders)) // compiles the hot paths
  const measure = async (ratePerSecond: number): Promise<KneePoint> => {
    const { report } = await runAt(phasesAt(ratePerSecond, kneeSeconds, load.openOrders))
    const { goodputPerSecond, latency, lateness } = report
    peakPerSecond = Math.max(peakPerSecond, goodputPerSecond)
    onLine(`offered ${ratePerSecond.toFixed(0)}/s: goodput ${goodputPerSecond.toFixed(0)}/s`)
    const measured = { p99Millis: latency.p99, lateMillisP99: lateness.p99 }
    return { ratePerSecond, goodputPerSecond, ...measured }
  }
  const capacity = await findCapacity(options, measure)
  if (capacity === 0) throw new Error('the venue follows no rate at all')
  const [half, over] = [capacity * halfLoad, capacity * options.factor]
  const { run, report } = await runAt([
    ...phasesAt(half, calmSeconds, load.openOrders),
    { ratePerSecond: over, seconds: options.seconds },
    { ratePerSecond: half, seconds: recoverySeconds },
    { ratePerSecond: half, seconds: calmSeconds },
  ])
  const [, before, overload, , after] = run.tallies
  for (const line of codeLines(overload)) onLine(line)
  options.onSeries?.(run.series.csvText())
  const seconds = run.series.seconds.filter(({ second }) =>
    isWithin(second, overload.beginMillis, overload.endMillis),
  )
  return [
    goodputClaim(overload, peakPerSecond, options.goodputShareMin),
    refusalClaim(overload, report.unanswered.length),
    cancelClaim(overload),
    cancelLatencyClaim(overload, options.cancelMillisMax),
    queueClaim(seconds, over),
    memoryClaim(seconds),
    backlogClaim(overload, options.recoverySecondsMax),
    calmClaim(before, after, options.latencySlackMillis),
    {
      claim: 'everything reconciled',
      figure: `${report.differences.length} differences`,
      isKept: isReconciled,
      isStructural: true,
    },
  ]
}

async function findCapacity(
  options: OverloadOptions,
  measure: (ratePerSecond: number) => Promise<KneePoint>,
): Promise<number> {
  if (options.capacityPerSecond !== undefined) {
    return (await measure(options.capacityPerSecond)).ratePerSecond
  }
  const knee = await findKnee({
    firstRate: options.firstRate,
    p99MillisMax: options.kneeP99Millis,
    refinements: options.kneeRefinements,
    measure,
  })
  return knee.ratePerSecond
}

function goodputClaim(
  { goodputPerSecond }: LoadTally,
  peakPerSecond: number,
  shareMin: number,
): OverloadClaim {
  const share = goodputPerSecond / peakPerSecond
  return {
    claim: `goodput at least ${shareMin} of the peak`,
    figure: `${share.toFixed(2)}: ${goodputPerSecond.toFixed(0)} of ${peakPerSecond.toFixed(0)}/s`,
    isKept: share >= shareMin,
    isStructural: false,
  }
}

function refusalClaim(overload: LoadTally, unanswered: number): OverloadClaim {
  const refused = new Map<string, number>()
  for (const kind of Object.values(overload.report())) {
    for (const [code, count] of Object.entries(kind.refused)) {
      refused.set(code, (refused.get(code) ?? 0) + count)
    }
  }
  const codes = [...refused.keys()]
  return {
    claim: 'every command is answered, what is not done by an explicit refusal',
    figure: `${unanswered} unanswered, refused by ${codes.join(', ') || 'nothing'}`,
    isKept:
      unanswered === 0 && codes.length > 0 && codes.every((code) => explicitCodes.includes(code)),
    isStructural: true,
  }
}

function cancelClaim(overload: LoadTally): OverloadClaim {
  const { sent, executed } = overload.report().cancel
  return {
    claim: 'every cancel is served',
    figure: `${executed} of ${sent}`,
    isKept: sent > 0 && executed === sent,
    isStructural: true,
  }
}

function cancelLatencyClaim(overload: LoadTally, cancelMillisMax: number): OverloadClaim {
  const { latency } = overload.report().cancel
  return {
    claim: `99 % of the cancels are served within ${cancelMillisMax} ms`,
    figure: `p99 ${latency.p99.toFixed(0)} ms`,
    isKept: latency.p99 <= cancelMillisMax,
    isStructural: false,
  }
}

function queueClaim(seconds: readonly LoadSecond[], ratePerSecond: number): OverloadClaim {
  const outstanding = Math.max(...seconds.map((second) => second.outstanding))
  const ringBytes = Math.max(...seconds.map(({ gauges }) => gauges.ringBytes))
  return {
    claim: `queues are bounded: at most ${outstandingSecondsMax} s of commands under way`,
    figure: `${outstanding} commands, fullest ring ${ringBytes} bytes`,
    isKept: outstanding <= ratePerSecond * outstandingSecondsMax,
    isStructural: false,
  }
}

/** Compares memory in the last third with the first third, by which buffers have grown to their size. */
function memoryClaim(seconds: readonly LoadSecond[]): OverloadClaim {
  const resident = seconds.map(({ gauges }) => gauges.residentBytes)
  const early = Math.max(...resident.slice(0, Math.ceil(resident.length / 3)))
  const late = Math.max(...resident.slice(-Math.ceil(resident.length / 3)))
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  return {
    claim: 'memory is flat: the last third against the first',
    figure: `${megabytes(early)}, then ${megabytes(late)}`,
    isKept:
      early > 0 &&
      late > 0 &&
      late - early <= Math.max(memoryGrowthBytesMin, early * memoryGrowthMax),
    isStructural: false,
  }
}

function backlogClaim(
  { endMillis, lastAnswerMillis }: LoadTally,
  secondsMax: number,
): OverloadClaim {
  const millis = Math.max(0, lastAnswerMillis - endMillis)
  return {
    claim: `nothing of the overload is left ${secondsMax} s after its end`,
    figure: `last answer after ${millis.toFixed(0)} ms`,
    isKept: millis <= secondsMax * millisPerSecond,
    isStructural: false,
  }
}

function calmClaim(before: LoadTally, after: LoadTally, latencySlackMillis: number): OverloadClaim {
  const [early, late] = [before, after].map((tally) => tally.total().summary().p99)
  return {
    claim: 'a second after its end latencies are what they were',
    figure: `p99 ${early.toFixed(1)} ms before, ${late.toFixed(1)} ms after`,
    isKept: late <= early * latencyGrowthMax + latencySlackMillis,
    isStructural: false,
  }
}

function codeLines(overload: LoadTally): readonly string[] {
  const line = ([name, { sent, executed, refused, latency }]: [string, KindReport]) =>
    `${name}: sent ${sent}, executed ${executed}, refused ${JSON.stringify(refused)}, p50 ${latency.p50.toFixed(1)} ms, p99 ${latency.p99.toFixed(1)} ms`
  return Object.entries(overload.report()).map(line)
}

/** Returns true if a whole second of the series is within a part of the run. */
function isWithin(second: number, beginMillis: number, endMillis: number): boolean {
  return (second - 1) * millisPerSecond >= beginMillis && second * millisPerSecond <= endMillis
}
