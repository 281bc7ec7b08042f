import type { RunVerb, VerbName } from '../../gateway/command-line/verbs.js'

/** Loads the code of a verb on demand, so that `--help` answers immediately. */
export const verbLoads: Readonly<Record<VerbName, () => Promise<{ readonly runVerb: RunVerb }>>> = {
  start: () => import('./start.js'),
  load: () => import('../../bench/load/load-command.js'),
  bench: () => import('../../bench/bench-command.js'),
  simulate: () => import('./simulate.js'),
  replay: () => import('./replay.js'),
  inspect: () => import('./inspect.js'),
  why: () => import('./why.js'),
  verify: () => import('./verify.js'),
  backup: () => import('./backup.js'),
  restore: () => import('./restore.js'),
  export: () => import('./export.js'),
  doctor: () => import('./doctor.js'),
  pin: () => import('./pin.js'),
  keys: () => import('./keys.js'),
}
