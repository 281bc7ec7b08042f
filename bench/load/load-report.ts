import { loadKindNames } from './command-plan.js'
import type { LatencySummary } from './latency-histogram.js'
import type { LoadRun } from './load-run.js'
import type { LoadSecond } from './load-series.js'
import type { KindReport } from './load-tally.js'

/** Figures of a run, which `--json` prints. Latencies are open-loop, in milliseconds. */
export interface LoadReport {
  readonly method: 'open-loop'
  /** True if Ctrl-C ended the run early. The figures are then of the commands sent until then. */
  readonly isInterrupted: boolean
  /** Planned rate. */
  readonly offeredPerSecond: number
  /** Answers of the engine, accepted or rejected, within the measured time. */
  readonly goodputPerSecond: number
  readonly latency: LatencySummary
  readonly kinds: Readonly<Record<(typeof loadKindNames)[number], KindReport>>
  /** Delay of the client's own sending. Latencies that do not exceed it are the client's own. */
  readonly lateness: LatencySummary
  readonly replacesTurned: number
  readonly fills: number
  readonly strangersFills: number
  readonly openOrdersAtEnd: number
  readonly unanswered: readonly number[]
  readonly differences: readonly string[]
  readonly isReconciled: boolean
  readonly seconds: readonly LoadSecond[]
}

const listedMax = 20

/** @param differences of the whole run. The figures are those of the last phase that began. */
export function reportRun(run: LoadRun, differences: readonly string[]): LoadReport {
  const { ledger, loop, measured: tally, isInterrupted } = run
  const unanswered = ledger.unanswered()
  return {
    method: 'open-loop',
    isInterrupted,
    offeredPerSecond: tally.sentCount / tally.seconds,
    goodputPerSecond: tally.goodputPerSecond,
    latency: tally.total().summary(),
    kinds: tally.report(),
    lateness: loop.lateness.summary(),
    replacesTurned: run.replacesTurned,
    fills: ledger.fills,
    strangersFills: ledger.strangersFills,
    openOrdersAtEnd: ledger.working().length,
    unanswered,
    differences,
    isReconciled: unanswered.length === 0 && differences.length === 0,
    seconds: run.series.seconds,
  }
}

/** Formats the report for people: a table, and the differences. */
export function reportLines(report: LoadReport): readonly string[] {
  const { offeredPerSecond, goodputPerSecond, unanswered, differences } = report
  const rows: [string, number, number, number, number, LatencySummary][] = loadKindNames.map(
    (name) => {
      const { sent, executed, rejected, refused, latency } = report.kinds[name]
      return [name, sent, executed, sum(rejected), sum(refused), latency]
    },
  )
  const columns = ['sent', 'executed', 'rejected', 'refused']
  return [
    ...(report.isInterrupted
      ? ['interrupted: the figures cover the commands sent until then']
      : []),
    `offered ${offeredPerSecond.toFixed(0)}/s, goodput ${goodputPerSecond.toFixed(0)}/s, open-loop, ms`,
    `${''.padEnd(10)}${columns.map((name) => name.padStart(10)).join('')}${percentileHeads()}`,
    ...rows.map(([name, ...values]) => {
      const latency = values.pop() as LatencySummary
      const counts = values.map((value) => String(value).padStart(10)).join('')
      return `${name.padEnd(10)}${counts}${percentiles(latency)}`
    }),
    `${'all'.padEnd(50)}${percentiles(report.latency)}`,
    `${'sent late by'.padEnd(50)}${percentiles(report.lateness)}`,
    ...codeLines(report),
    `${report.fills} fills, ${report.openOrdersAtEnd} orders open at the end`,
    ...list('unanswered command', unanswered.map(String)),
    ...list('difference', differences),
    report.isReconciled ? 'reconciled' : 'not reconciled',
  ]
}

function codeLines({ kinds }: LoadReport): readonly string[] {
  return loadKindNames.flatMap((name) => {
    const { rejected, refused } = kinds[name]
    const line = (what: string, counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).map(([code, count]) => `${name} ${what}: ${code} ${count}`)
    return [...line('rejected', rejected), ...line('refused', refused)]
  })
}

function list(what: string, items: readonly string[]): readonly string[] {
  const lines = items.slice(0, listedMax).map((item) => `${what}: ${item}`)
  if (items.length > listedMax) lines.push(`${what}: and ${items.length - listedMax} more`)
  return lines
}

function percentileHeads(): string {
  return ['p50', 'p90', 'p99', 'p99.9', 'p99.99', 'max'].map((head) => head.padStart(10)).join('')
}

function percentiles({ p50, p90, p99, p999, p9999, max }: LatencySummary): string {
  return [p50, p90, p99, p999, p9999, max].map((value) => value.toFixed(2).padStart(10)).join('')
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}
