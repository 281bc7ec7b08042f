import { existsSync, statSync } from 'node:fs'
import { above, shareOf, wholeNumber } from '../gateway/command-line/option-readers.js'
import { fromCommandLine, UsageError, verbCommand } from '../gateway/command-line/verb-command.js'
import { commandOf } from './baseline-turns.js'
import type { CommonRow, Limits } from './common-row.js'
import { readRows } from './row-files.js'
import { suites } from './suites.js'

/** Options of a run of the benchmarks. */
export interface BenchOptions {
  readonly suites: readonly string[]
  readonly quick: boolean
  readonly outFile: string | null
  readonly limits: Limits
  readonly baseline: Baseline | null
  /** Share by which a row may be worse than the baseline. */
  readonly tolerance: number
  readonly pairsMax: number
}

/** Another build, measured by turns with this one, or the rows of an earlier run. */
export type Baseline = { readonly command: string } | { readonly rows: readonly CommonRow[] }

const toleranceDefault = 0.1
const pairsDefault = 20

const about = `Measures the venue: a table on standard error, JSON (environment, verdict, results) on standard output.
Suites: ${Object.keys(suites).join(' ')}. By default all of them run; with --max-p99 or
--min-goodput only load.

A baseline is a folder with another build: a checkout, or an installed package. Both builds are
measured by turns until each row is decided. A row is missed if the whole interval of its ratio is
beyond the tolerance. All intervals together have 95% confidence, so the same code passes at least
19 of 20 times. A row that stays undecided after the last pair is not missed. On a busy machine that
takes minutes, even with --quick. A file of an earlier run is a weaker baseline: its rows are
compared, but none is missed.

"bench figures --from FILE" writes the tables of figures in the README files; see its --help.`

const examples = [
  'strikebook bench load --quick --max-p99 50 --min-goodput 450     a gate for CI',
  'strikebook bench load --quick --baseline ../main --tolerance 15% a gate against other code',
  'strikebook bench --compare                                       the thresholds of the rows',
]

/** @throws CommanderError for `--help` and mistakes, UsageError for options that exclude each other. */
export function readBenchOptions(argv: readonly string[]): BenchOptions {
  const command = verbCommand('bench', about, examples)
    .argument('[suites...]', 'suites to run')
    .option('--quick', 'short run of a few seconds')
    .option('--compare', 'exit with code 99 if a row misses its own threshold')
    .option(
      '--out <file>',
      'write the rows as a JSON array; two files, .bigger and .smaller, if rows have both directions',
    )
    .option(
      '--baseline <path>',
      'folder of another build, exit code 99 if a row is worse than there; or a file written by --out',
    )
    .option('--tolerance <share>', 'share by which a row may be worse: 15% or 0.15', shareOf)
    .option(
      '--pairs <count>',
      `maximum number of pairs in a comparison (default: ${pairsDefault})`,
      wholeNumber(2, 1000),
    )
    .option('--max-p99 <millis>', 'highest p99 of a row in ms', above(0))
    .option('--min-goodput <rate>', 'lowest goodput of a row, per second', above(0))
    .parse([...argv], { from: 'user' })
  const { quick = false, compare = false, out = null, ...given } = command.opts()
  const { baseline, tolerance, pairs, maxP99, minGoodput } = given
  checkSuites(command.args)
  if (quick && compare) throw new UsageError('--quick figures cannot be compared')
  const read = baseline === undefined ? null : readBaseline(baseline, quick)
  if (tolerance !== undefined && read === null) {
    throw new UsageError('--tolerance belongs to --baseline')
  }
  if (pairs !== undefined && (read === null || 'rows' in read)) {
    throw new UsageError('--pairs belongs to a --baseline that is a folder')
  }
  const wantsLoad = maxP99 !== undefined || minGoodput !== undefined
  const isAll = command.args.length === 0
  return {
    suites: isAll ? (wantsLoad ? ['load'] : Object.keys(suites)) : command.args,
    ...{ quick, outFile: out, baseline: read },
    tolerance: tolerance ?? toleranceDefault,
    pairsMax: pairs ?? pairsDefault,
    limits: {
      compare,
      p99MillisMax: maxP99 ?? Number.POSITIVE_INFINITY,
      goodputMin: minGoodput ?? 0,
    },
  }
}

function checkSuites(names: readonly string[]): void {
  const unknown = names.filter((name) => !Object.hasOwn(suites, name))
  if (unknown.length === 0) return
  const known = Object.keys(suites).join(' ')
  throw new UsageError(`no suite ${unknown.join(', ')}; suites: ${known}`)
}

/** @throws UsageError for a folder without a build, and for a file without rows or with rows of the other length. */
function readBaseline(path: string, quick: boolean): Baseline {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const command = commandOf(path)
    if (!existsSync(command)) throw new UsageError(`${path} has no build: ${command} is missing`)
    return { command }
  }
  const rows = fromCommandLine(() => readRows(path))
  if (rows.some((row) => row.quick !== quick)) {
    throw new UsageError(`${path} is of a run ${quick ? 'without' : 'with'} --quick`)
  }
  return { rows }
}
