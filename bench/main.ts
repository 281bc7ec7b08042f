import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import type { BenchResult } from './bench-result.js'
import { runBookBench } from './book.js'
import { runEndToEndBench } from './end-to-end.js'
import { runFanOutBench } from './fan-out.js'
import { runJournalAppendBench } from './journal-append.js'
import { runRingBench } from './ring.js'
import { runSignatureBench } from './signatures.js'

// All benchmarks in one run: words for people on standard error, JSON on standard output. Arguments choose
// suites by name; `--quick` makes them small.

const quick = process.argv.includes('--quick')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
/** The journal is measured where the project is: a folder in memory would flatter it. */
const directory = process.cwd()

const suites: Readonly<Record<string, () => BenchResult[] | Promise<BenchResult[]>>> = {
  book: () => runBookBench({ events: quick ? 20_000 : 400_000 }),
  ring: () => runRingBench({ count: quick ? 200_000 : 4_000_000, runs: quick ? 1 : 5 }),
  'fan-out': () =>
    runFanOutBench({ updates: quick ? 200 : 2000, subscribers: 500, runs: quick ? 1 : 5 }),
  signatures: () => runSignatureBench({ millis: quick ? 500 : 6000 }),
  journal: () =>
    runJournalAppendBench({ count: quick ? 50 : 1000, runs: quick ? 1 : 5, directory }),
  'end-to-end': () =>
    runEndToEndBench({
      latencyOrders: quick ? 100 : 2000,
      throughputOrders: quick ? 1000 : 12_000,
      directory,
    }),
}

const results: BenchResult[] = []
for (const [name, run] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const row of await run()) {
    results.push(row)
    process.stderr.write(
      `${row.name.padEnd(40)} ${String(row.value).padStart(12)} ${row.unit.padEnd(14)} ${row.range}  ${row.extra}\n`,
    )
  }
}
process.stdout.write(`${JSON.stringify({ environment: environment(), results }, null, 2)}\n`)

function environment(): object {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    node: process.version,
    flags: process.execArgv,
    commit: commit(),
    quick,
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
