import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseCommands } from '../test/fuzz/book-command.js'
import { type FuzzReport, failureText, fuzzBooks, runCommands } from '../test/fuzz/book-fuzz.js'
import { bookProfiles } from '../test/fuzz/book-profiles.js'

// Runs random commands on the fast and the plain book: `npm run fuzz -- --seed 7 --events 10000000`.
// If they differ, prints the shortest failing list of commands and exits 1; `--commands FILE` runs such a list.

const usage = `fuzz [--seed N] [--events N] [--minutes M] [--profile NAME] [--commands FILE]
  --seed      first seed; episode n has seed + n (default: the time)
  --events    commands to run (default 1000000)
  --minutes   end after so many minutes, if the commands take longer
  --profile   only episodes of one profile (test/fuzz/book-profiles.ts)
  --commands  run the commands in a file instead, one line of JSON each
`

interface Flags {
  readonly seed: number
  readonly events: number
  readonly minutes: number
  readonly profile: string | undefined
  readonly commands: string | undefined
}

const flags = readFlags()
process.exitCode = flags.commands === undefined ? fuzz(flags) : replay(flags.commands)

function fuzz({ seed, events, minutes, profile }: Flags): number {
  const startMillis = Date.now()
  const continues = (): boolean => Date.now() - startMillis < minutes * 60_000
  const report = fuzzBooks({
    seed,
    events,
    continues,
    ...(profile === undefined ? {} : { profile }),
  })
  const seconds = (Date.now() - startMillis) / 1000
  process.stdout.write(`${summaryText(seed, seconds, report)}\n`)
  if (report.failure === null) return 0
  process.stdout.write(`${failureText(report.failure)}\n`)
  return 1
}

/** Runs the commands of a file on books for every instrument and account in them. */
function replay(path: string): number {
  const commands = parseCommands(readFileSync(path, 'utf8'))
  const instruments = 1 + Math.max(0, ...commands.map(({ instrument }) => instrument))
  const accounts = 1 + Math.max(0, ...commands.map(({ account }) => account))
  const failure = runCommands(commands, { instruments, accounts })
  process.stdout.write(`${failure === null ? 'no difference' : failure.difference}\n`)
  return failure === null ? 0 : 1
}

function summaryText(seed: number, seconds: number, report: FuzzReport): string {
  const { events, episodes, hash, eventsOf, counts } = report
  const rows = (map: Map<string, number>): string =>
    [...map].map(([name, count]) => `${name} ${count}`).join(', ')
  return [
    `seed ${seed}: ${events} events, ${episodes} episodes, ${seconds.toFixed(1)} s, ` +
      `hash ${(hash >>> 0).toString(16)}`,
    `events by profile: ${rows(eventsOf)}`,
    `results in every 16th round: ${rows(counts)}`,
  ].join('\n')
}

function readFlags(): Flags {
  const text = { type: 'string' } as const
  const options = { seed: text, events: text, minutes: text, profile: text, commands: text }
  try {
    const { values } = parseArgs({ options })
    const number = (value: string | undefined, otherwise: number): number => {
      const read = value === undefined ? otherwise : Number(value)
      if (!(read >= 0)) throw new Error(`not a number: ${value}`)
      return read
    }
    const { profile } = values
    if (profile !== undefined && !Object.hasOwn(bookProfiles, profile)) {
      throw new Error(`no profile ${profile}: ${Object.keys(bookProfiles).join(', ')}`)
    }
    return {
      seed: number(values.seed, Date.now() % 1_000_000_000),
      events: number(values.events, 1_000_000),
      minutes: number(values.minutes, Number.POSITIVE_INFINITY),
      profile,
      commands: values.commands,
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}
