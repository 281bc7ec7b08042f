import { Command } from 'commander'
import { LoadVenue } from '../bench/load-venue.js'

// Shared parts of the load runs: `npm run soak -- memory`, `overload` and `slow-consumer`.

const usageExit = 2

/** Returns a command that has only options. An unknown word ends it with exit code 2. */
export function loadCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExit))
}

/** Prints a line for people. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Prints the verdict on a claim. A broken claim makes the run exit with 1. */
export function judge(isKept: boolean, claim: string): void {
  say(`${isKept ? 'kept  ' : 'BROKEN'} ${claim}`)
  if (!isKept) process.exitCode = 1
}

/**
 * Runs against a fresh venue, and stops it at the end.
 * @param settings configuration values by path.
 */
export async function withLoadVenue(
  settings: Readonly<Record<string, number>>,
  run: (venue: LoadVenue) => Promise<void>,
): Promise<void> {
  const venue = new LoadVenue({
    arguments: Object.entries(settings).map(([path, value]) => `--set=${path}=${value}`),
  })
  try {
    await venue.start()
    await run(venue)
  } finally {
    await venue.dispose()
  }
}
