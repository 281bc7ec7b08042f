import { above, shareOf } from '../scripts/command/option-readers.js'
import { fromCommandLine, UsageError, verbCommand } from '../scripts/command/verb-command.js'
import type { CommonRow, Limits } from './common-row.js'
import { readRows } from './row-files.js'
import { suites } from './suites.js'

/** What a run of the benchmarks is asked for. */
export interface BenchOptions {
  readonly suites: readonly string[]
  readonly quick: boolean
  /** Whether the borders that rows bring with them are held. */
  readonly compare: boolean
  readonly outFile: string | null
  readonly limits: Limits
}

const toleranceDefault = 0.1

const about = `Measures: a table on standard error, JSON (environment and rows) on standard output.
Suites: ${Object.keys(suites).join(' ')}; all of them, unless some are named or --max-p99 or
--min-goodput ask for load alone.`

const examples = [
  'strikebook bench load --quick --max-p99 50 --min-goodput 450     a gate for CI',
  'strikebook bench --compare                                       the borders that rows have',
]

/** @throws CommanderError for `--help` and mistakes, UsageError for options that exclude each other. */
export function readBenchOptions(argv: readonly string[]): BenchOptions {
  const command = verbCommand('bench', about, examples)
    .argument('[suites...]', 'suites to run')
    .option('--quick', 'small: seconds in all, for a look')
    .option('--compare', 'exit code 99 when a row is beyond its own threshold')
    .option(
      '--out <file>',
      'JSON array of the rows; of two directions two files, .bigger and .smaller',
    )
    .option('--baseline <file>', 'an earlier --out; exit code 99 when a row is worse now')
    .option(
      '--tolerance <share>',
      'share by which a row may be worse, below 1: 15% or 0.15',
      shareOf,
    )
    .option('--max-p99 <millis>', 'longest 99th percentile of rows in ms', above(0))
    .option('--min-goodput <rate>', 'least of rows of goodput, a second', above(0))
    .parse([...argv], { from: 'user' })
  const { quick = false, compare = false, out = null, ...given } = command.opts()
  const { baseline, tolerance, maxP99, minGoodput } = given
  checkSuites(command.args)
  if (quick && compare) throw new UsageError('--quick figures cannot be compared')
  if (tolerance !== undefined && baseline === undefined) {
    throw new UsageError('--tolerance belongs to --baseline')
  }
  const wantsLoad = maxP99 !== undefined || minGoodput !== undefined
  const isAll = command.args.length === 0
  return {
    suites: isAll ? (wantsLoad ? ['load'] : Object.keys(suites)) : command.args,
    ...{ quick, compare, outFile: out },
    limits: {
      baseline: baseline === undefined ? [] : readBaseline(baseline, quick),
      tolerance: tolerance ?? toleranceDefault,
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

/** Reads the rows of an earlier run. @throws UsageError when there are none, or they are of the other length. */
function readBaseline(file: string, quick: boolean): readonly CommonRow[] {
  const rows = fromCommandLine(() => readRows(file))
  if (rows.some((row) => row.quick !== quick)) {
    throw new UsageError(`${file} is of a run ${quick ? 'without' : 'with'} --quick`)
  }
  return rows
}
