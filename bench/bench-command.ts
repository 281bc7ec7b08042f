import { cpus } from 'node:os'
import { readBuildInfo } from '../gateway/build-info.js'
import { ExitCode } from '../scripts/command/exit-code.js'
import { note } from '../scripts/command/verb-command.js'
import type { RunVerb } from '../scripts/command/verbs.js'
import { governorOf, readMachine } from '../scripts/machine/machine.js'
import { type BenchOptions, readBenchOptions } from './bench-options.js'
import {
  type BenchResult,
  extraText,
  keepsThreshold,
  rangeText,
  thresholdText,
} from './bench-result.js'
import { type CommonRow, commonRow, goodputName, missedLimits, p99Name } from './common-row.js'
import { writeRows } from './row-files.js'
import { suites } from './suites.js'

// All benchmarks in one run: a table for people on standard error, JSON on standard output.

/** Measures what the command line asks for. */
export const runVerb: RunVerb = async (argv) => {
  const options = readBenchOptions(argv)
  const { quick, compare, outFile, limits } = options
  const breached: BenchResult[] = []
  const results: CommonRow[] = []
  for (const suite of Object.keys(suites)) {
    if (!options.suites.includes(suite)) continue
    // The journal is measured where the project is: a folder in memory would flatter it.
    for (const row of await suites[suite]!({ quick, directory: process.cwd() })) {
      results.push(commonRow(row, suite, quick))
      if (!keepsThreshold(row)) breached.push(row)
      note(lineOf(row))
    }
  }
  const printed = { environment: environment(quick), results }
  // First, so that a broken standard output leaves the files complete.
  const files = outFile === null ? [] : writeRows(outFile, results)
  if (files.length > 1) note(`rows of two directions: ${files.join(' and ')}`)
  process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`)
  if (!quick) for (const row of breached) note(`below its threshold: ${lineOf(row)}`)
  const missed = missedLimits(results, limits)
  for (const line of missed) note(`threshold missed: ${line}`)
  if (hasNothingToHold(results, options)) return ExitCode.Failed
  const isMissed = missed.length > 0 || (compare && breached.length > 0)
  return isMissed ? ExitCode.ThresholdMissed : ExitCode.Done
}

/** A threshold that no row can miss is none: the gate would always be open. */
function hasNothingToHold(rows: readonly CommonRow[], { limits }: BenchOptions): boolean {
  const { p99MillisMax, goodputMin, baseline } = limits
  const known = new Set(baseline.map(({ name }) => name))
  const holds = (name: RegExp) => rows.some((row) => name.test(row.name))
  const idle = [
    p99MillisMax !== Number.POSITIVE_INFINITY && !holds(p99Name) ? ['--max-p99'] : [],
    goodputMin > 0 && !holds(goodputName) ? ['--min-goodput'] : [],
    baseline.length > 0 && !rows.some(({ name }) => known.has(name)) ? ['--baseline'] : [],
  ].flat()
  for (const flag of idle) note(`${flag}: none of these suites has a row for it`)
  return idle.length > 0
}

function lineOf(row: BenchResult): string {
  const value = String(row.value).padStart(12)
  return `${row.name.padEnd(40)} ${value} ${row.unit.padEnd(18)} ${thresholdText(row).padEnd(10)} ${rangeText(row)}  ${extraText(row.extra)}`
}

function environment(quick: boolean): object {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    governor: governorOf(0) ?? 'unknown',
    isolatedCores: readMachine().isolated,
    node: process.version,
    flags: process.execArgv,
    commit: readBuildInfo(import.meta.filename).commit.slice(0, 7),
    quick,
  }
}
