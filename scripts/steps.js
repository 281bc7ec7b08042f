import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

/** Compiles every file without a type check, which is quicker. `npm run check` checks the types. */
export const compile = 'tsc -p tsconfig.json --noCheck'

/** Runs shell commands in order. The first that fails ends the process with its exit code. */
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

/** Returns an argument in quotes for the shell. */
export function quoted(argument) {
  return `'${argument.replaceAll("'", "'\\''")}'`
}
