import { Command, CommanderError } from 'commander'
import { errorOf } from '../../engine/threads/error-of.js'
import { verbs } from './verbs.js'

/** A mistake of whoever wrote the command line that only the verb itself can see. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What is made of what the command line names. @throws UsageError when that fails. */
export function fromCommandLine<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new UsageError(errorOf(error).message)
  }
}

/**
 * The command line of a verb, with its example and `--json`.
 * @param more examples beside that of the table.
 */
export function verbCommand(name: string, about: string, more: readonly string[] = []): Command {
  const { example } = verbs.find((verb) => verb.name === name)!
  const examples = [example, ...more].map((line) => `  $ npx ${line}`)
  return new Command(`strikebook ${name}`)
    .description(about)
    .option('--json', 'the result as JSON on standard output, and nothing else there')
    .allowExcessArguments(false)
    .addHelpText('after', `\nExamples:\n${examples.join('\n')}`)
    .exitOverride()
}

/** Whether a command line was only answered, or wrong; null for any other error. */
export function commanderEnd(error: unknown): 'answered' | 'wrong' | null {
  if (!(error instanceof CommanderError)) return null
  return error.exitCode === 0 ? 'answered' : 'wrong'
}

/** The result: one line of JSON, or lines for people. */
export function printResult(isJson: boolean, value: unknown, lines: readonly string[]): void {
  const text = isJson ? JSON.stringify(value) : lines.join('\n')
  if (text !== '') process.stdout.write(`${text}\n`)
}

/** A line for people. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`)
}
