import type { ExitCode } from './exit-code.js'

/**
 * Does what the words behind the verb ask for; results go to standard output, words for people to standard error.
 * @throws CommanderError for `--help` and mistakes it has told of already, UsageError for those it has not.
 */
export type RunVerb = (argv: readonly string[]) => Promise<ExitCode>

export interface VerbRow {
  readonly name: string
  /** What it does, in a line. */
  readonly about: string
  readonly example: string
  /** Its code, loaded when it is asked for: `--help` is there at once. */
  readonly load: () => Promise<{ readonly runVerb: RunVerb }>
}

/** Every verb, in the order in which help lists them. */
export const verbs: readonly VerbRow[] = [
  {
    name: 'start',
    about: 'starts the venue, as npm start does',
    example: 'strikebook start --port=8080 --maker=off',
    load: () => import('./start.js'),
  },
  {
    name: 'load',
    about: 'offers a seeded open-loop load to a venue, and reconciles every answer',
    example: 'strikebook load --rate 2000 --duration 30 --max-p99 20 --min-goodput 1900',
    load: () => import('../../bench/load/load-command.js'),
  },
  {
    name: 'bench',
    about: 'measures, and compares with thresholds or with an earlier run',
    example: 'strikebook bench ring book --out now.json --baseline before.json --tolerance 15%',
    load: () => import('../../bench/bench-command.js'),
  },
  {
    name: 'simulate',
    about: 'runs the whole engine in one thread under seeded faults',
    example: 'strikebook simulate --seed 1 --seeds 1000 --without clock,stall',
    load: () => import('./simulate.js'),
  },
  {
    name: 'inspect',
    about: 'shows journal, snapshots and state, and the story of an order or a wallet',
    example: 'strikebook inspect order 6401 --data-dir data',
    load: () => import('./inspect.js'),
  },
  {
    name: 'verify',
    about: 'checks every byte that a venue keeps, and names each fault',
    example: 'strikebook verify --data-dir data --replay',
    load: () => import('./verify.js'),
  },
]
