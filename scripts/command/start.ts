import type { RunVerb } from '../../gateway/command-line/verbs.js'

/** Runs the venue in this process. `main` parses the flags itself, including a leading `start`. Signals stop it. */
export const runVerb: RunVerb = async () => {
  await import('../../gateway/main.js')
  return Number(process.exitCode ?? 0) as Awaited<ReturnType<RunVerb>>
}
