import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

/** Compiles every file without looking at its types, which `npm run check` does: half the time. */
export const compile = 'tsc -p tsconfig.json --noCheck'

/** Runs commands of the shell one after the other. The first that fails ends the process with its exit code. */
export function runSteps(...commands) {
  for (const command of commands) {
    const { status } = spawnSync(command, {
      cwd: dirname(import.meta.dirname),
      shell: true,
      stdio: 'inherit',
    })
    if (status !== 0) process.exit(status ?? 1)
  }
}

/** An argument as the shell has to see it. */
export function quoted(argument) {
  return `'${argument.replaceAll("'", "'\\''")}'`
}
