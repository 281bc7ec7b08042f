import { appendFileSync, writeFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { type FaultKind, faultKinds } from '../../engine/simulation/run/fault-plan.js'
import { Statistics } from '../../engine/simulation/run/statistics.js'
import { commandLine, shrink } from '../../engine/simulation/shrink.js'
import {
  type SimulationOptions,
  type SimulationResult,
  simulate,
} from '../../engine/simulation/simulation.js'
import { ExitCode } from './exit-code.js'
import { verbCommand } from './verb-command.js'
import type { RunVerb } from './verbs.js'

// The whole exchange in one thread, with faults, again and again. The same seed, steps and faults give the same run,
// bit for bit.

interface Options {
  readonly seed: number
  readonly steps: number
  readonly seeds: number
  readonly without: readonly FaultKind[]
  readonly json?: true
  readonly events?: string
}

const stepsDefault = 400
/** Seeds between two lines that say how far it is. */
const seedsPerNote = 100

export const runVerb: RunVerb = async (argv) => run(optionsOf(argv))

function run(options: Options): ExitCode {
  const { seed, steps, seeds, without } = options
  const statistics = new Statistics()
  let last: SimulationResult | null = null
  if (options.events !== undefined) return writeEvents(options, options.events)
  for (let i = 0; i < seeds; i++) {
    const one = { seed: seed + i, steps, without: new Set(without) }
    last = simulate(one)
    statistics.addAll(last.statistics)
    if (last.failure !== null) return report(one, last, options)
    if ((i + 1) % seedsPerNote === 0) process.stderr.write(`${i + 1} of ${seeds} seeds hold\n`)
  }
  const counts = Object.fromEntries(statistics.counts)
  if (options.json) {
    const traceHash = last?.traceHash
    write({ ok: true, seed, seeds, steps, without, traceHash, statistics: counts })
    return ExitCode.Done
  }
  for (const [name, count] of [...statistics.counts].sort()) {
    process.stderr.write(`${String(count).padStart(9)}  ${name}\n`)
  }
  const which = seeds === 1 ? `seed ${seed}` : `seeds ${seed} to ${seed + seeds - 1}`
  process.stdout.write(`${which}, ${steps} steps: everything holds, trace ${last?.traceHash}\n`)
  return ExitCode.Done
}

/** A line per seed for another version to be compared with; one that fails has told the same there. */
function writeEvents({ seed, seeds, steps, without }: Options, path: string): ExitCode {
  writeFileSync(path, '')
  let code: ExitCode = ExitCode.Done
  for (let one = seed; one < seed + seeds; one++) {
    const { eventsHash, failure } = simulate({ seed: one, steps, without: new Set(without) })
    const end = failure === null ? '' : ` fails in step ${failure.step}: ${failure.what}`
    appendFileSync(path, `${one} ${eventsHash}${end}\n`)
    if (failure !== null) code = ExitCode.Failed
  }
  return code
}

/** Says what broke, and how to see it in the shortest way. */
function report(options: SimulationOptions, result: SimulationResult, { json }: Options): ExitCode {
  const { seed, steps } = options
  process.stderr.write(`seed ${seed} fails: ${result.failure?.what}\nshrinking\n`)
  const shrunk = shrink(options, result)
  const { failure, traceHash } = shrunk.result
  const command = commandLine(shrunk.options)
  if (json) {
    write({ ok: false, seed, steps, failure, traceHash, command })
    return ExitCode.Failed
  }
  for (const note of failure?.notes ?? []) process.stderr.write(`  ${note}\n`)
  process.stderr.write(`${failure?.stack}\n`)
  process.stdout.write(`step ${failure?.step}: ${failure?.what}\ntrace ${traceHash}\n${command}\n`)
  return ExitCode.Failed
}

/** @throws CommanderError when the command line was wrong, or asked for help; it has been answered. */
function optionsOf(argv: readonly string[]): Options {
  const about =
    'Runs the exchange in one thread with seeded faults and checks that everything holds.'
  return verbCommand('simulate', about)
    .option('--seed <number>', 'first seed', countOf, 1)
    .option('--steps <number>', 'steps with faults, per seed', countOf, stepsDefault)
    .option('--seeds <number>', 'how many seeds, one after another', countOf, 1)
    .option('--without <kinds>', `faults to leave out: ${faultKinds.join(', ')}`, kindsOf, [])
    .option('--events <file>', 'only write a line per seed, with the hash of all that was told')
    .parse([...argv], { from: 'user' })
    .opts<Options>()
}

function countOf(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count > 0 && Number.isSafeInteger(count)) return count
  throw new InvalidArgumentError('a whole number from 1 on')
}

function kindsOf(text: string): readonly FaultKind[] {
  const kinds = text.split(',')
  const unknown = kinds.find((kind) => !faultKinds.some((each) => each === kind))
  if (unknown !== undefined) throw new InvalidArgumentError(`no kind of fault: ${unknown}`)
  return kinds as FaultKind[]
}

function write(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}
