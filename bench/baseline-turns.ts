import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { CommonRow, RowComparison, Verdict } from './common-row.js'
import { rangeText, spread } from './measure/bench-result.js'
import { ratioInterval } from './ratio-interval.js'
import { type Figure, figuresIn } from './row-files.js'

export interface TurnsOptions {
  /** Measures the build under test once. */
  readonly current: () => Promise<readonly CommonRow[]>
  /** Measures the baseline once. */
  readonly baseline: () => Promise<readonly Figure[]>
  /** Share by which a row may be worse than the baseline. */
  readonly tolerance: number
  readonly pairsMax: number
  /** Number of row families that one command compares; they share the error of its verdict. */
  readonly families: number
  /** Receives the rows at each check. */
  readonly onLook?: (rows: readonly ComparedRow[]) => void
}

/** Row with the median of this code, and its comparison; null if the baseline lacks the row. */
export interface ComparedRow {
  readonly row: CommonRow
  readonly comparison: RowComparison | null
}

/** Share of comparisons of the same code in which some interval misses 1. */
const errorShare = 0.05
const pairsMin = 6
/** Largest ratio that a pair counts for, in either direction. */
const ratioMax = 10
const pairsGrowth = 1.5
const outputBytesMax = 64 * 1024 * 1024
const errorCharsShown = 500
const run = promisify(execFile)

/** Returns the numbers of pairs after which a comparison checks its intervals. */
export function looksOf(pairsMax: number): readonly number[] {
  const looks: number[] = []
  for (let pairs = pairsMin; pairs < pairsMax; pairs = Math.ceil(pairs * pairsGrowth)) {
    looks.push(pairs)
  }
  return [...looks, pairsMax]
}

/**
 * Measures two builds by turns and compares them by the ratios of pairs, so that a slow minute of the machine affects
 * both. The order within a pair alternates. A row is worse if its whole interval is beyond the tolerance. The intervals of
 * all rows and checks together have 95% confidence, so the same code passes at least 19 of 20 times. The measurement ends
 * when all rows are decided, or after `pairsMax` pairs.
 */
export async function compareByTurns(options: TurnsOptions): Promise<readonly ComparedRow[]> {
  const { pairsMax, onLook = () => {} } = options
  const runs: Runs = { current: [], baseline: [] }
  const current = async () => runs.current.push(await options.current())
  const baseline = async () => runs.baseline.push(await options.baseline())
  let compared: readonly ComparedRow[] = []
  for (const pairs of looksOf(pairsMax)) {
    for (let pair = runs.current.length; pair < pairs; pair++) {
      for (const side of pair % 2 === 0 ? [baseline, current] : [current, baseline]) await side()
    }
    compared = comparedRows(runs, options)
    onLook(compared)
    if (compared.every(({ comparison }) => comparison?.verdict !== 'undecided')) return compared
  }
  return compared
}

/** Rows of each pair. */
interface Runs {
  readonly current: (readonly CommonRow[])[]
  readonly baseline: (readonly Figure[])[]
}

function comparedRows(
  { current, baseline }: Runs,
  { tolerance, pairsMax, families }: TurnsOptions,
): readonly ComparedRow[] {
  const latest = current[current.length - 1]!
  const before = baseline.map(valuesOf)
  const now = current.map(valuesOf)
  const errorOfRow = errorShare / (families * looksOf(pairsMax).length * latest.length)
  return latest.map((row) => {
    const { name, direction } = row
    const ours = now.map((values) => values.get(name) ?? Number.NaN)
    const { value, range } = spread(ours)
    const median = { ...row, value, range: rangeText({ range }) }
    if (!before.every((values) => values.has(name))) return { row: median, comparison: null }
    const theirs = before.map((values) => values.get(name)!)
    const ratios = ours.map((figure, pair) => boundedRatio(figure, theirs[pair]!))
    const { ratio, min, max } = ratioInterval(ratios, errorOfRow)
    const verdict = verdictOf(direction, tolerance, { min, max })
    const pairs = ratios.length
    const comparison = {
      baseline: spread(theirs).value,
      ratio,
      interval: { min, max },
      pairs,
      verdict,
    }
    return { row: median, comparison }
  })
}

/** Compares with a row of an earlier run. A single value from another time proves nothing, so no row is `missed`. */
export function compareWithFile(
  { value, direction }: CommonRow,
  baseline: number,
  tolerance: number,
): RowComparison {
  const ratio = ratioOf(value, baseline)
  const decided = verdictOf(direction, tolerance, { min: ratio, max: ratio })
  const verdict = decided === 'kept' ? 'kept' : 'undecided'
  return { baseline, ratio, interval: null, pairs: 0, verdict }
}

function verdictOf(
  direction: CommonRow['direction'],
  tolerance: number,
  { min, max }: { readonly min: number; readonly max: number },
): Verdict {
  // A rate is worse if its ratio is below 1, a time if its ratio is above 1.
  const [best, worst] = direction === 'smaller' ? [min, max] : [-max, -min]
  const limit = direction === 'smaller' ? 1 + tolerance : tolerance - 1
  if (best > limit) return 'missed'
  return worst <= limit ? 'kept' : 'undecided'
}

/** Bounds the ratio, so that one bad run, which may even measure 0, does not widen the interval too far. */
function boundedRatio(now: number, before: number): number {
  return Math.min(ratioMax, Math.max(1 / ratioMax, ratioOf(now, before)))
}

/** Returns the ratio of two figures, which is 1 if both are 0. */
function ratioOf(now: number, before: number): number {
  return now === before ? 1 : now / before
}

function valuesOf(rows: readonly Figure[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Returns the path of the command in a built checkout or an installed package. */
export function commandOf(folder: string): string {
  return join(folder, 'dist/scripts/strikebook.js')
}

/**
 * Measures a suite of any build by a separate process in the current directory.
 * @throws Error with the end of the standard error of a process that fails.
 */
export async function measureBuild(
  command: string,
  suite: string,
  quick: boolean,
): Promise<readonly Figure[]> {
  const words = [...process.execArgv, command, 'bench', suite, ...(quick ? ['--quick'] : [])]
  try {
    const { stdout } = await run(process.execPath, words, { maxBuffer: outputBytesMax })
    return figuresIn(stdout, command)
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string }
    const reason = stderr === '' ? message : stderr.slice(-errorCharsShown).trim()
    throw new Error(`${command}: bench ${suite} failed: ${reason}`, { cause: error })
  }
}
