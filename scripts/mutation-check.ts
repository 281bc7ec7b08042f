import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { allMutants } from '../test/mutations/all-mutants.js'
import type { Mutant } from '../test/mutations/mutant.js'
import { TestBed } from '../test/mutations/test-bed.js'

// Mutation test: puts small faults into a copy of the engine, one at a time, and checks that its unit tests fail:
// `npm run test:mutations`, or `-- book journal` for faults whose file or text contains a word. Exits 1 if fewer than nine
// in ten faults are found, and 2 if the tests fail without a fault. It uses an unbundled build, so that a fault in a
// module is in every thread.

/** Share of the faults that must be found. */
const killedShareMin = 0.9
/** A test hangs if it takes this many times its normal time. */
const hangFactor = 10
const hangMillisMin = 20_000

interface Verdict {
  readonly mutant: Mutant
  /** Test that found the fault; null if none did. */
  readonly killer: string | null
  readonly seconds: number
}

const compiled = dirname(import.meta.dirname)
const words = process.argv.slice(2)
const mutants = allMutants.filter(
  ({ file, fault }) =>
    words.length === 0 || words.some((word) => file.includes(word) || fault.includes(word)),
)
const beds = Array.from({ length: availableParallelism() }, () => new TestBed(compiled))
try {
  const millisOf = await timeTests(beds)
  if (millisOf === null) process.exitCode = 2
  else {
    const verdicts = await judge(beds, mutants, millisOf)
    process.exitCode = report(verdicts)
  }
} finally {
  for (const bed of beds) bed.dispose()
}

/** Measures each test without a fault; returns null if one fails. */
async function timeTests(beds: readonly TestBed[]): Promise<Map<string, number> | null> {
  const millisOf = new Map<string, number>()
  const failed: string[] = []
  await share(beds, beds[0]!.testFiles(), async (bed, file) => {
    const start = performance.now()
    const result = await bed.run(file, 10 * hangMillisMin)
    millisOf.set(file, performance.now() - start)
    if (result !== 'passed') failed.push(file)
  })
  if (failed.length === 0) return millisOf
  process.stderr.write(`these tests fail without a fault: ${failed.join(', ')}\n`)
  return null
}

async function judge(
  beds: readonly TestBed[],
  mutants: readonly Mutant[],
  millisOf: ReadonlyMap<string, number>,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  await share(beds, mutants, async (bed, mutant) => {
    const start = performance.now()
    const heal = bed.infect(mutant)
    const killer = await findKiller(bed, testsFor(mutant, millisOf), millisOf)
    heal()
    const seconds = (performance.now() - start) / 1000
    verdicts.push({ mutant, killer, seconds })
    process.stderr.write(killer === null ? 'S' : '.')
  })
  process.stderr.write('\n')
  return mutants.map((mutant) => verdicts.find((verdict) => verdict.mutant === mutant)!)
}

/** Returns the first test that fails or hangs; null if all pass. */
async function findKiller(
  bed: TestBed,
  tests: readonly string[],
  millisOf: ReadonlyMap<string, number>,
): Promise<string | null> {
  for (const file of tests) {
    const millisMax = Math.max(hangMillisMin, hangFactor * millisOf.get(file)!)
    const result = await bed.run(file, millisMax)
    if (result === 'failed') return file
    if (result === 'hung') return `${file} (hung)`
  }
  return null
}

/** Returns the tests of the file, then of its folder, then all others, each group by rising duration. */
function testsFor({ file }: Mutant, millisOf: ReadonlyMap<string, number>): string[] {
  const ownTest = join('test', file.replace(/\.ts$/, '.test.js'))
  const folder = `${dirname(ownTest)}/`
  const rank = (test: string): number => (test === ownTest ? 0 : test.startsWith(folder) ? 1 : 2)
  return [...millisOf.keys()].sort(
    (a, b) => rank(a) - rank(b) || millisOf.get(a)! - millisOf.get(b)!,
  )
}

function report(verdicts: readonly Verdict[]): number {
  const rows = verdicts.map(({ mutant, killer, seconds }) => [
    mutant.file,
    mutant.fault,
    killer ?? 'SURVIVED',
    `${seconds.toFixed(1)} s`,
  ])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  for (const row of rows) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    process.stdout.write(`${cells.join('  ')}\n`)
  }
  const killed = verdicts.filter(({ killer }) => killer !== null).length
  const killedMin = Math.ceil(killedShareMin * verdicts.length)
  process.stdout.write(
    `${killed} of ${verdicts.length} killed, at least ${killedMin} are required\n`,
  )
  return killed >= killedMin ? 0 : 1
}

/** Distributes the items: each free bed takes the next one. */
async function share<T>(
  beds: readonly TestBed[],
  items: readonly T[],
  work: (bed: TestBed, item: T) => Promise<void>,
): Promise<void> {
  const left = [...items]
  await Promise.all(
    beds.map(async (bed) => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await work(bed, item)
    }),
  )
}
