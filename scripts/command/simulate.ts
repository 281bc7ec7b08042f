import { appendFileSync, writeFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { wholeNumber } from '../../gateway/command-line/option-readers.js'
import { note, printResult, verbCommand } from '../../gateway/command-line/verb-command.js'
import type { RunVerb } from '../../gateway/command-line/verbs.js'
import { type FaultKind, faultKinds } from '../../test/simulation/run/fault-plan.js'
import { Statistics } from '../../test/simulation/run/statistics.js'
import { commandLine, shrink } from '../../test/simulation/shrink.js'
import {
  type SimulationOptions,
  type SimulationResult,
  simulate,
} from '../../test/simulation/simulation.js'

// Runs the whole exchange in one thread, with faults. The same seed, steps and faults reproduce the same run bit for bit.

interface Options {
  readonly seed: number
  readonly steps: number
  readonly seeds: number
  readonly without: readonly FaultKind[]
  readonly json?: true
  readonly events?: string
}

const stepsDefault = 400
/** Seeds between two progress lines. */
const seedsPerNote = 100

export const runVerb: RunVerb = async (argv) => {
  const options = optionsOf(argv)
  return options.events === undefined ? run(options) : writeEvents(options, options.events)
}

function run(options: Options): ExitCode {
  const { seed, steps, seeds, without, json = false } = options
  const statistics = new Statistics()
  let last: SimulationResult | null = null
  for (let i = 0; i < seeds; i++) {
    const one = { seed: seed + i, steps, without: new Set(without) }
    last = simulate(one)
    statistics.addAll(last.statistics)
    if (last.failure !== null) return report(one, last, json)
    if ((i + 1) % seedsPerNote === 0) note(`${i + 1} of ${seeds} seeds passed`)
  }
  const counts = [...statistics.counts].sort()
  const traceHash = last?.traceHash
  if (!json) for (const [name, count] of counts) note(`${String(count).padStart(9)}  ${name}`)
  const which = seeds === 1 ? `seed ${seed}` : `seeds ${seed} to ${seed + seeds - 1}`
  const value = { ok: true, seed, seeds, steps, without, traceHash }
  printResult(json, { ...value, statistics: Object.fromEntries(counts) }, [
    `${which}, ${steps} steps: all invariants hold, trace ${traceHash}`,
  ])
  return ExitCode.Done
}

/**
 * Writes a line per seed, so that two versions can be compared. The line of a failed seed has the hash up to its failure.
 */
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

/** Reports the broken invariant, and the shortest run that reproduces it. */
function report(options: SimulationOptions, result: SimulationResult, json: boolean): ExitCode {
  const { seed, steps } = options
  note(`seed ${seed} fails: ${result.failure?.what}\nshrinking`)
  const shrunk = shrink(options, result)
  const { failure, traceHash } = shrunk.result
  const command = commandLine(shrunk.options)
  if (!json) for (const line of failure?.notes ?? []) note(`  ${line}`)
  if (!json) note(String(failure?.stack))
  printResult(json, { ok: false, seed, steps, failure, traceHash, command }, [
    `step ${failure?.step}: ${failure?.what}`,
    ...[`trace ${traceHash}`, command],
  ])
  return ExitCode.Failed
}

/** @throws CommanderError for a wrong command line or `--help`; commander has printed its answer already. */
function optionsOf(argv: readonly string[]): Options {
  const about =
    'Runs the whole engine in one thread with seeded faults, and checks every invariant.'
  return verbCommand('simulate', about)
    .option('--seed <number>', 'first seed', wholeNumber(1), 1)
    .option('--steps <number>', 'steps with faults per seed', wholeNumber(1), stepsDefault)
    .option('--seeds <number>', 'number of consecutive seeds', wholeNumber(1), 1)
    .option('--without <kinds>', `faults to leave out: ${faultKinds.join(', ')}`, kindsOf, [])
    .option('--events <file>', 'only write one line per seed, with the hash of its events')
    .parse([...argv], { from: 'user' })
    .opts<Options>()
}

function kindsOf(text: string): readonly FaultKind[] {
  const kinds = text.split(',')
  const unknown = kinds.find((kind) => !faultKinds.some((each) => each === kind))
  if (unknown !== undefined) throw new InvalidArgumentError(`unknown fault: ${unknown}`)
  return kinds as FaultKind[]
}
