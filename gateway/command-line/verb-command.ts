import { Command, CommanderError, Help, type Option } from 'commander'
import { errorOf } from '../../engine/threads/error-of.js'
import { verbs } from './verbs.js'

/** Mistake in the command line that only the verb itself can detect. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Returns the result of a function of command-line values. @throws UsageError if it throws. */
export function fromCommandLine<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new UsageError(errorOf(error).message)
  }
}

/**
 * Returns the command line of a verb, with its example and `--json`.
 * @param more examples in addition to that of the table.
 */
export function verbCommand(name: string, about: string, more: readonly string[] = []): Command {
  const { example } = verbs.find((verb) => verb.name === name)!
  const examples = [...new Set([example, ...more])].map((line) => `  $ npx ${line}`)
  return new Command(`strikebook ${name}`)
    .description(unwrapped(about))
    .configureHelp({ optionDescription: optionText })
    .option('--json', 'print the result as JSON on standard output')
    .allowExcessArguments(false)
    .addHelpText('after', `\nExamples:\n${examples.join('\n')}`)
    .exitOverride()
}

/** Joins the lines of each paragraph, so that commander wraps them at the width of the terminal. */
function unwrapped(text: string): string {
  return text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
}

const help = new Help()

/** Returns the description of an option, with its default if that is informative. */
function optionText(option: Option): string {
  const { defaultValue } = option
  const isTrivial =
    defaultValue === null ||
    defaultValue === Number.POSITIVE_INFINITY ||
    defaultValue === Number.MAX_SAFE_INTEGER ||
    (Array.isArray(defaultValue) && defaultValue.length === 0)
  return isTrivial ? option.description : help.optionDescription(option)
}

/** Returns `answered` after `--help`, `wrong` for an invalid command line, and null for any other error. */
export function commanderEnd(error: unknown): 'answered' | 'wrong' | null {
  if (!(error instanceof CommanderError)) return null
  return error.exitCode === 0 ? 'answered' : 'wrong'
}

/** Prints the result to standard output: one line of JSON, or lines for people. */
export function printResult(isJson: boolean, value: unknown, lines: readonly string[]): void {
  const text = isJson ? JSON.stringify(value) : lines.join('\n')
  if (text !== '') process.stdout.write(`${text}\n`)
}

/** Prints a line for people to standard error. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`)
}
