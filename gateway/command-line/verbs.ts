import type { ExitCode } from '../../gateway/command-line/exit-code.js'

/**
 * Runs a verb with the arguments after it. Writes results to standard output, and text for people to standard error.
 * @throws CommanderError for `--help` and mistakes that commander has printed, UsageError for others.
 */
export type RunVerb = (argv: readonly string[]) => Promise<ExitCode>

export interface VerbRow {
  readonly name: string
  /** Description, in one line. */
  readonly about: string
  readonly example: string
}

/** All verbs, in the order of the help text. */
export const verbs = [
  {
    name: 'start',
    about: 'starts the venue, as npm start does',
    example: 'strikebook start --port=8080 --maker=off',
  },
  {
    name: 'load',
    about: 'sends seeded open-loop load to a venue, and reconciles every answer',
    example: 'strikebook load --rate 60 --max-p99 50 --min-goodput 55',
  },
  {
    name: 'bench',
    about: 'runs benchmarks, and compares with thresholds or another build',
    example: 'strikebook bench ring book --out now.json --baseline ../main --tolerance 15%',
  },
  {
    name: 'simulate',
    about: 'runs the whole engine in one thread with seeded faults',
    example: 'strikebook simulate --seed 1 --seeds 1000 --without clock,stall',
  },
  {
    name: 'replay',
    about: 'replays the journal, also with a changed parameter or an extra order',
    example: 'strikebook replay --set fees.takerRate=0.0005 --from-batch 1000',
  },
  {
    name: 'inspect',
    about: 'shows journal, snapshots and state, and the history of an order or a wallet',
    example: 'strikebook inspect order 10240 --data-dir data',
  },
  {
    name: 'why',
    about: 'explains why an order was admitted or rejected: every check with its values',
    example: 'strikebook why 10240 --data-dir data',
  },
  {
    name: 'verify',
    about: 'checks every byte of the data, and lists each fault',
    example: 'strikebook verify --data-dir data --replay',
  },
  {
    name: 'backup',
    about: 'copies the data of a venue, running or not, and verifies the copy',
    example: 'strikebook backup --data-dir data --to /backup/monday',
  },
  {
    name: 'restore',
    about: 'restores a backup, verifies it, and lists its contents',
    example: 'strikebook restore --from /backup/monday --data-dir data',
  },
  {
    name: 'export',
    about: 'writes fills, orders or trades as CSV or JSON lines',
    example: 'strikebook export fills --from 2026-11-01 --out fills.csv',
  },
  {
    name: 'doctor',
    about: 'checks the machine, and recommends fixes',
    example: 'strikebook doctor --data-dir data',
  },
  {
    name: 'pin',
    about: 'proposes or checks the pinning of threads to CPUs',
    example: 'strikebook pin --gateways 2 --matchers 1 >> venue.toml',
  },
  {
    name: 'keys',
    about: 'creates keys and operator tokens, or prints the address of a key',
    example: 'strikebook keys new --out trader.key',
  },
] as const satisfies readonly VerbRow[]

export type VerbName = (typeof verbs)[number]['name']
