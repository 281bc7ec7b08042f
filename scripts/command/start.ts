import type { RunVerb } from '../../gateway/command-line/verbs.js'

/** The process of a venue: it reads its flags itself, a leading `start` too, and ends by signals. */
export const runVerb: RunVerb = async () => {
  await import('../../gateway/main.js')
  return Number(process.exitCode ?? 0) as Awaited<ReturnType<RunVerb>>
}
