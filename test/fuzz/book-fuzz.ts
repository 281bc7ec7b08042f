import { type BookCommand, simplerThan, textOf } from './book-command.js'
import { BookGenerator } from './book-generator.js'
import { BookRun, type RunShape } from './book-run.js'
import type { BookMaker } from './matcher-subject.js'
import { shrinkSequence } from './shrink.js'

export interface FuzzOptions {
  readonly seed: number
  /** Commands to run, those of all books and episodes together. */
  readonly events: number
  /** Called before each episode. False ends the run. */
  readonly continues?: () => boolean
  /** Makes the books of the matcher, to put a fault into them. */
  readonly makeBook?: BookMaker
  /** Only episodes of this profile. */
  readonly profile?: string
}

/** Two books that do not do the same. */
export interface FuzzFailure {
  /** Seed and events that meet it again, in the first episode. */
  readonly seed: number
  readonly events: number
  readonly profile: string
  readonly difference: string
  /** The fewest commands that were found to show a difference, and that difference. */
  readonly commands: readonly BookCommand[]
  readonly shape: RunShape
}

export interface FuzzReport {
  events: number
  episodes: number
  /** Hash of all compared states: equal for equal seed and events. */
  hash: number
  /** Results by name, in a sample of the rounds. */
  readonly counts: Map<string, number>
  readonly eventsOf: Map<string, number>
  failure: FuzzFailure | null
}

/**
 * Runs episodes of random commands, each on new books; that of number n has the seed of the first
 * plus n, so that any of them can be run alone. Ends with the first difference.
 */
export function fuzzBooks(options: FuzzOptions): FuzzReport {
  const report: FuzzReport = {
    events: 0,
    episodes: 0,
    hash: 0,
    counts: new Map(),
    eventsOf: new Map(),
    failure: null,
  }
  const continues = options.continues ?? (() => true)
  while (report.events < options.events && report.failure === null && continues()) {
    runEpisode(options, report)
  }
  return report
}

/** Runs some commands on new books. @returns how the books differ, and after how many, or null. */
export function runCommands(
  commands: readonly BookCommand[],
  shape: RunShape,
  makeBook?: BookMaker,
): { difference: string; count: number } | null {
  const run = new BookRun(shape, makeBook)
  for (const [place, command] of commands.entries()) {
    const difference = differenceIn(() => run.step(command))
    if (difference !== null) return { difference, count: place + 1 }
  }
  const difference = differenceIn(() => run.endRound() ?? run.check() ?? run.sweep())
  return difference === null ? null : { difference, count: commands.length }
}

/** A failure as a command line and its fewest commands. */
export function failureText(failure: FuzzFailure): string {
  const { seed, events, profile, difference, commands } = failure
  return [
    `fast and plain book differ: --seed ${seed} --events ${events} (profile ${profile})`,
    `${commands.length} commands show it: ${difference}`,
    ...commands.map(textOf),
  ].join('\n')
}

function runEpisode(options: FuzzOptions, report: FuzzReport): void {
  const seed = options.seed + report.episodes
  const generator = new BookGenerator(seed, options.profile)
  const { profile, profileName } = generator
  const run = new BookRun(profile, options.makeBook)
  const commands: BookCommand[] = []
  const left = Math.min(profile.commands, options.events - report.events)
  let events = 0
  let difference: string | null = null
  while (events < left && difference === null) {
    const command = generator.next(run)
    commands.push(command)
    if (command.kind !== 'round') events++
    difference = differenceIn(() => run.step(command))
  }
  difference ??= differenceIn(() => run.endRound() ?? run.check() ?? run.sweep())
  report.episodes++
  report.events += events
  report.hash = (Math.imul(report.hash, 31) + run.hash) | 0
  report.eventsOf.set(profileName, (report.eventsOf.get(profileName) ?? 0) + events)
  for (const [name, count] of run.counts) {
    report.counts.set(name, (report.counts.get(name) ?? 0) + count)
  }
  if (difference === null) return
  const shape = { instruments: profile.instruments, accounts: profile.accounts }
  const fails = (some: readonly BookCommand[]) =>
    runCommands(some, shape, options.makeBook)?.count ?? 0
  const few = shrinkSequence(commands, fails, simplerThan)
  const shown = runCommands(few, shape, options.makeBook)?.difference ?? difference
  report.failure = { seed, events, profile: profileName, difference: shown, commands: few, shape }
}

/** Calls `act`. @returns its result, or the message of its exception: an assert is a difference, too. */
function differenceIn(act: () => string | null): string | null {
  try {
    return act()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
