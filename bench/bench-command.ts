import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { readBuildInfo } from '../gateway/build-info.js'
import { ExitCode } from '../gateway/command-line/exit-code.js'
import { note } from '../gateway/command-line/verb-command.js'
import type { RunVerb } from '../gateway/command-line/verbs.js'
import { governorOf, readMachine } from '../gateway/machine/machine.js'
import {
  type ComparedRow,
  compareByTurns,
  compareWithFile,
  measureBuild,
} from './baseline-turns.js'
import { type BenchOptions, readBenchOptions } from './bench-options.js'
import {
  type CommonRow,
  commonRow,
  comparisonLine,
  goodputName,
  type JudgedRow,
  judged,
  p99Name,
} from './common-row.js'
import type { RunFacts } from './figure-text.js'
import { keepsThreshold, thresholdText } from './measure/bench-result.js'
import { writeRows } from './row-files.js'
import { suites } from './suites.js'
import { writeFigures } from './write-figures.js'

// All benchmarks in one run: a table for people on standard error, JSON on standard output.

const ownCommand = join(import.meta.dirname, '../scripts/strikebook.js')

/** Runs `bench`. */
export const runVerb: RunVerb = async (argv) => {
  if (argv[0] === 'figures') {
    writeFigures(argv.slice(1))
    return ExitCode.Done
  }
  const started = environment()
  const options = readBenchOptions(argv)
  const { quick, outFile } = options
  const results: JudgedRow[] = []
  for (const suite of Object.keys(suites)) {
    if (!options.suites.includes(suite)) continue
    for (const { row, comparison } of await measured(suite, options)) {
      results.push(judged(row, options.limits, comparison))
      note(lineOf(row))
      if (comparison !== null) note(`  ${comparison.verdict}: ${comparisonLine(row, comparison)}`)
    }
  }
  const missed = results.flatMap((row) => row.missed)
  const isOpen = results.some((row) => row.verdict === 'undecided')
  const verdict = missed.length > 0 ? 'missed' : isOpen ? 'undecided' : 'passed'
  const printed = { environment: { ...started, quick }, verdict, missed, results }
  // First, so that a broken standard output leaves the files complete.
  const files = outFile === null ? [] : writeRows(outFile, results)
  if (files.length > 1) note(`rows of two directions: ${files.join(' and ')}`)
  process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`)
  const isNoted = !quick && !options.limits.compare
  for (const row of isNoted ? results : []) {
    if (!keepsThreshold(row)) note(`beyond its own threshold: ${lineOf(row)}`)
  }
  for (const line of missed) note(`threshold missed: ${line}`)
  noteUndecided(results, options)
  if (hasNothingToHold(results, options)) return ExitCode.Failed
  return missed.length > 0 ? ExitCode.ThresholdMissed : ExitCode.Done
}

async function measured(suite: string, options: BenchOptions): Promise<readonly ComparedRow[]> {
  const { quick, baseline, tolerance, pairsMax } = options
  if (baseline !== null && 'command' in baseline) {
    const current = () => measureBuild(ownCommand, suite, quick) as Promise<readonly CommonRow[]> // of this version
    const before = () => measureBuild(baseline.command, suite, quick)
    const onLook = (rows: readonly ComparedRow[]) => {
      const open = rows.filter(({ comparison }) => comparison?.verdict === 'undecided')
      const pairs = rows.find(({ comparison }) => comparison !== null)?.comparison?.pairs ?? 0
      note(`${suite}: ${pairs} pairs, ${open.length} of ${rows.length} rows undecided`)
    }
    const families = options.suites.length
    const shape = { tolerance, pairsMax, families, onLook }
    return compareByTurns({ current, baseline: before, ...shape })
  }
  const before = new Map((baseline?.rows ?? []).map(({ name, value }) => [name, value]))
  // The journal is on the disk of the current directory: a memory file system would be unrealistically fast.
  const rows = await suites[suite]!({ quick, directory: process.cwd() })
  return rows.map((result) => {
    const row = commonRow(result, suite, quick)
    const value = before.get(row.name)
    const comparison = value === undefined ? null : compareWithFile(row, value, tolerance)
    return { row, comparison }
  })
}

/** Notes how many rows are undecided, and how to decide them. */
function noteUndecided(rows: readonly JudgedRow[], { baseline, pairsMax }: BenchOptions): void {
  const count = rows.filter(({ comparison }) => comparison?.verdict === 'undecided').length
  if (count === 0 || baseline === null) return
  if ('command' in baseline) {
    note(`${count} rows are undecided after ${pairsMax} pairs: raise --pairs to narrow intervals`)
  } else {
    note(
      `${count} rows are beyond the tolerance, which a file of an earlier run cannot prove: ` +
        'name the folder of the other build by --baseline',
    )
  }
}

/** Returns true, and notes why, if a given threshold applies to no row: such a gate would always pass. */
function hasNothingToHold(rows: readonly JudgedRow[], options: BenchOptions): boolean {
  const { p99MillisMax, goodputMin } = options.limits
  const holds = (name: RegExp) => rows.some((row) => name.test(row.name))
  const isCompared = rows.some(({ comparison }) => comparison !== null)
  const idle = [
    p99MillisMax !== Number.POSITIVE_INFINITY && !holds(p99Name) ? ['--max-p99'] : [],
    goodputMin > 0 && !holds(goodputName) ? ['--min-goodput'] : [],
    options.baseline !== null && !isCompared ? ['--baseline'] : [],
  ].flat()
  for (const flag of idle) note(`${flag}: none of these suites has a row for it`)
  return idle.length > 0
}

function lineOf(row: CommonRow): string {
  const { name, unit, range, extra } = row
  const value = String(row.value).padStart(12)
  const threshold = thresholdText(row).padEnd(10)
  return `${name.padEnd(40)} ${value} ${unit.padEnd(18)} ${threshold} ${range}  ${extra}`
}

/** Returns the facts of a run, before it starts. */
function environment(): RunFacts & Readonly<Record<string, unknown>> {
  const { commit, version } = readBuildInfo(import.meta.filename)
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    governor: governorOf(0) ?? 'unknown',
    isolatedCores: readMachine().isolated,
    node: process.version,
    flags: process.execArgv,
    commit: commit.slice(0, 7),
    release: version,
    date: new Date().toISOString(),
    load: loadavg()[0]!,
  }
}
