import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { type BenchResult, keepsThreshold, thresholdText } from './bench-result.js'
import { suites } from './suites.js'

// All benchmarks in one run: a table for people on standard error, JSON on standard output. Arguments
// choose suites by name; `--quick` makes them small; `--compare` exits with 99 when a figure falls
// below its threshold.

const flags = ['--quick', '--compare']
const quick = process.argv.includes('--quick')
const compare = process.argv.includes('--compare')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = process.argv
  .slice(2)
  .filter((argument) => !Object.hasOwn(suites, argument) && !flags.includes(argument))
if (unknown.length > 0 || (quick && compare)) {
  const isUnknown = unknown.length > 0
  const problem = isUnknown
    ? `no suite ${unknown.join(', ')}`
    : '--quick figures cannot be compared'
  process.stderr.write(`${problem}; suites: ${Object.keys(suites).join(' ')}\n`)
  process.exit(2)
}

const results: BenchResult[] = []
for (const [name, run] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  // The journal is measured where the project is: a folder in memory would flatter it.
  for (const row of await run({ quick, directory: process.cwd() })) {
    results.push(row)
    process.stderr.write(`${lineOf(row)}\n`)
  }
}
process.stdout.write(`${JSON.stringify({ environment: environment(), results }, null, 2)}\n`)
const breached = results.filter((row) => !keepsThreshold(row))
if (!quick) {
  for (const row of breached) process.stderr.write(`below its threshold: ${lineOf(row)}\n`)
  if (compare && breached.length > 0) process.exitCode = 99
}

function lineOf(row: BenchResult): string {
  const value = String(row.value).padStart(12)
  return `${row.name.padEnd(40)} ${value} ${row.unit.padEnd(18)} ${thresholdText(row).padEnd(10)} ${row.range}  ${row.extra}`
}

function environment(): object {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    governor: fileText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'),
    isolatedCores: fileText('/sys/devices/system/cpu/isolated'),
    node: process.version,
    flags: process.execArgv,
    commit: commit(),
    quick,
  }
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim() || 'none'
  } catch {
    return 'unknown'
  }
}

function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
