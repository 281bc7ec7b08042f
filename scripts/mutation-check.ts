import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { allMutants } from '../test/mutations/all-mutants.js'
import type { Mutant } from '../test/mutations/mutant.js'
import { TestBed } from '../test/mutations/test-bed.js'

// Puts small faults into the engine, one at a time, in a copy, and asks whether its unit tests see
// them: `npm run test:mutations`, or `-- book journal` for faults whose file or text has a word.
// Exits 1 when fewer than nine in ten are found, 2 when the tests fail without any. It has a compiled project of its
// own, in which threads load their modules one by one: a fault in a module is one in every thread.

/** Part of the faults that must be found. */
const killedShareMin = 0.9
/** A test that takes so many times what it takes without a fault, and more, hangs. */
const hangFactor = 10
const hangMillisMin = 20_000

interface Verdict {
  readonly mutant: Mutant
  /** Test that found the fault, or null. */
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

/** How long each test takes without a fault; null when one fails. */
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
  process.stderr.write(`these fail without any fault: ${failed.join(', ')}\n`)
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

/** The first test that does not pass, a hanging one too. */
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

/** The tests of the file, then those of its room, then those of the others; the quick ones first. */
function testsFor({ file }: Mutant, millisOf: ReadonlyMap<string, number>): string[] {
  const own = join('test', file.replace(/\.ts$/, '.test.js'))
  const room = `${dirname(own)}/`
  const rank = (test: string): number => (test === own ? 0 : test.startsWith(room) ? 1 : 2)
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
  process.stdout.write(`${killed} of ${verdicts.length} killed, at least ${killedMin} wanted\n`)
  return killed >= killedMin ? 0 : 1
}

/** Gives every item to a bed that has nothing to do. */
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
