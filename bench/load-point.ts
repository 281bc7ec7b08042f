import { runLoad } from './load/load.js'
import type { LoadReport } from './load/load-report.js'
import { openLoadSession } from './load/load-session.js'
import { LoadVenue } from './load-venue.js'
import { type BenchResult, spread } from './measure/bench-result.js'

export interface LoadPointOptions {
  /** Commands per second. */
  readonly rate: number
  readonly seconds: number
  readonly repeats: number
  /** Parent of the venue's temporary data folder. */
  readonly directory: string
}

/**
 * Measures a fixed open-loop load on a fresh venue, for thresholds in CI.
 * @throws Error if the answers do not reconcile with the commands.
 */
export async function runLoadPointBench(options: LoadPointOptions): Promise<BenchResult[]> {
  const { rate, seconds, repeats, directory } = options
  const venue = new LoadVenue({ directory })
  const reports: LoadReport[] = []
  try {
    await venue.start()
    for (let repeat = 0; repeat < repeats; repeat++) {
      const shape = [`--rate=${rate}`, `--duration=${seconds}`, `--seed=${repeat + 1}`]
      const load = venue.loadOptions([...shape, '--open-orders=200'])
      const { report } = await runLoad(await openLoadSession(load), load)
      if (!report.isReconciled) throw new Error(`load: ${report.differences[0] ?? 'no answer'}`)
      reports.push(report)
    }
  } finally {
    await venue.dispose()
  }
  return rowsOf(reports, rate)
}

function rowsOf(reports: readonly LoadReport[], rate: number): BenchResult[] {
  const extra = { about: 'flushed, reconciled', loop: 'open', commandsPerSecond: rate }
  const millis = (name: 'p50' | 'p99' | 'p999') =>
    spread(reports.map(({ latency }) => latency[name]))
  const sentLateMillisP99 = spread(reports.map(({ lateness }) => lateness.p99)).value
  return [
    {
      ...{ name: 'load.goodput', unit: 'commands/s', extra },
      ...spread(reports.map(({ goodputPerSecond }) => goodputPerSecond)),
    },
    { name: 'load.p50', unit: 'ms', ...millis('p50'), extra },
    { name: 'load.p99', unit: 'ms', ...millis('p99'), extra: { ...extra, sentLateMillisP99 } },
    { name: 'load.p999', unit: 'ms', ...millis('p999'), extra },
  ]
}
