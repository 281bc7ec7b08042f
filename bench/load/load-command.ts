import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { note, printResult } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { sameSignalMillis } from '../../gateway/process-end.js'
import { loadKindNames } from './command-plan.js'
import { findKnee, type KneePoint } from './knee.js'
import { type LoadResult, runLoad } from './load.js'
import { type LoadOptions, phasesAt, readLoadOptions } from './load-options.js'
import { type LoadReport, reportLines } from './load-report.js'
import { type LoadSession, openLoadSession } from './load-session.js'

// Text for people goes to standard error, the report of `--json` to standard output.

const tokenFile = 'data/operator.token'

/** Runs `load`. @throws Error if the venue cannot be reached. */
export const runVerb: RunVerb = async (argv) => {
  const environment = { STRIKEBOOK_OPERATOR_TOKEN: keptToken(), ...process.env }
  const options = readLoadOptions(argv, environment)
  const missing = missingToken(options)
  if (missing !== null) note(missing)
  const session = await openLoadSession(options)
  const interrupt = onInterrupt()
  const code = await (options.isKnee ? stepUp : runOnce)(session, options, interrupt)
  return interrupt.aborted ? ExitCode.Interrupted : code
}

/** Returns a signal that aborts at Ctrl-C or SIGTERM, so that a run ends with its report. A later one ends the process. */
function onInterrupt(): AbortSignal {
  const controller = new AbortController()
  let atMillis = 0
  const interrupt = () => {
    if (!controller.signal.aborted) {
      atMillis = performance.now()
      note('interrupted: waiting for the last answers; Ctrl-C again ends without a report')
      controller.abort()
    } else if (performance.now() - atMillis >= sameSignalMillis) {
      note('ended without a report; orders of this run may still be open')
      process.exit(ExitCode.Interrupted)
    }
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return controller.signal
}

/** Returns the operator token of a venue that was started in this folder; '' if there is none. */
function keptToken(): string {
  return existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : ''
}

/** Returns an error that lists the sources of a missing operator token; null if there is one, or none is needed. */
export function missingToken({
  operatorUrl,
  operatorToken,
}: Pick<LoadOptions, 'operatorUrl' | 'operatorToken'>): string | null {
  if (operatorUrl === null || operatorToken !== '') return null
  return `no operator token in --operator-token, STRIKEBOOK_OPERATOR_TOKEN or ${resolve(tokenFile)}`
}

async function runOnce(
  session: LoadSession,
  options: LoadOptions,
  interrupt: AbortSignal,
): Promise<ExitCode> {
  const result = await runLoad(session, options, note, interrupt)
  const { report } = result
  for (const line of reportLines(report)) note(line)
  const missed = missedThresholds(report, options)
  print(options, { verdict: verdictOf(report, missed), missed, ...report })
  if (options.csvFile !== null) writeFileSync(options.csvFile, result.run.series.csvText())
  if (options.hgrmPath !== null) writeHistograms(options.hgrmPath, result)
  for (const line of missed) note(`threshold missed: ${line}`)
  if (!report.isReconciled) return ExitCode.Failed
  return missed.length === 0 ? ExitCode.Done : ExitCode.ThresholdMissed
}

function verdictOf({ isInterrupted, isReconciled }: LoadReport, missed: readonly string[]): string {
  if (!isReconciled) return 'failed'
  if (isInterrupted) return 'interrupted'
  return missed.length > 0 ? 'missed' : 'passed'
}

/** Returns a sentence for each figure beyond its threshold. */
export function missedThresholds(
  {
    goodputPerSecond,
    latency,
    lateness,
  }: Pick<LoadReport, 'goodputPerSecond' | 'latency' | 'lateness'>,
  { p99MillisMax, goodputMin }: Pick<LoadOptions, 'p99MillisMax' | 'goodputMin'>,
): readonly string[] {
  const missed: string[] = []
  if (latency.p99 > p99MillisMax) {
    const late = `the client itself sent late by ${lateness.p99} ms`
    missed.push(`p99 ${latency.p99} ms, at most ${p99MillisMax}; ${late}`)
  }
  if (goodputPerSecond < goodputMin) {
    missed.push(`goodput ${goodputPerSecond.toFixed(1)}/s, at least ${goodputMin}`)
  }
  return missed
}

async function stepUp(
  session: LoadSession,
  options: LoadOptions,
  interrupt: AbortSignal,
): Promise<ExitCode> {
  let isReconciled = true
  let step = 0
  const knee = await findKnee({
    firstRate: options.phases[0].ratePerSecond,
    p99MillisMax: options.kneeP99Millis,
    measure: async (ratePerSecond) => {
      const seed = options.seed + step++
      const { seconds } = options.phases[options.phases.length - 1]
      const phases = phasesAt(ratePerSecond, seconds, options.openOrders)
      const result = await runLoad(session, { ...options, phases, seed }, note, interrupt)
      const { goodputPerSecond, latency, lateness } = result.report
      isReconciled &&= result.report.isReconciled
      if (interrupt.aborted) return null
      const measured = { p99Millis: latency.p99, lateMillisP99: lateness.p99 }
      const point = { ratePerSecond, goodputPerSecond, ...measured }
      note(kneeLine(point))
      for (const line of result.report.differences.slice(0, 5)) note(`difference: ${line}`)
      return point
    },
  })
  note(`knee: ${knee.ratePerSecond.toFixed(0)} commands a second`)
  print(options, { method: 'open-loop', isInterrupted: interrupt.aborted, ...knee, isReconciled })
  if (options.csvFile !== null) writeFileSync(options.csvFile, kneeCsv(knee.points))
  return isReconciled && knee.ratePerSecond > 0 ? ExitCode.Done : ExitCode.Failed
}

function kneeLine({ ratePerSecond, goodputPerSecond, p99Millis }: KneePoint): string {
  const [rate, goodput] = [ratePerSecond, goodputPerSecond].map((value) => value.toFixed(0))
  return `offered ${rate}/s: goodput ${goodput}/s, p99 ${p99Millis.toFixed(2)} ms`
}

function kneeCsv(points: readonly KneePoint[]): string {
  const lines = points.map((point) => Object.values(point).join(','))
  return `${['offered_per_second,goodput_per_second,p99_ms,sent_late_p99_ms', ...lines].join('\n')}\n`
}

function print({ operatorToken: _, ...shown }: LoadOptions, report: object): void {
  printResult(shown.isJson, { options: shown, ...report }, [])
}

/** A path that ends in `.hgrm` is one file for all commands, any other a folder with one per kind. */
function writeHistograms(path: string, { run }: LoadResult): void {
  const tally = run.measured
  const isFolder = existsSync(path) ? statSync(path).isDirectory() : !path.endsWith('.hgrm')
  if (!isFolder) {
    writeFileSync(path, tally.total().hgrmText())
    return
  }
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'all.hgrm'), tally.total().hgrmText())
  for (const kind of loadKindNames) {
    writeFileSync(join(path, `${kind}.hgrm`), tally.histogramOf(kind).hgrmText())
  }
}
