import { Command, CommanderError, Help, type Option } from 'commander'
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
  const examples = [...new Set([example, ...more])].map((line) => `  $ npx ${line}`)
  return new Command(`strikebook ${name}`)
    .description(joined(about))
    .configureHelp({ optionDescription: optionWords })
    .option('--json', 'the result as JSON on standard output, and nothing else there')
    .allowExcessArguments(false)
    .addHelpText('after', `\nExamples:\n${examples.join('\n')}`)
    .exitOverride()
}

/** Lines of one paragraph are one line, which is wrapped by the width of the terminal. */
function joined(text: string): string {
  return text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ')
}

const help = new Help()

/** Its default only where that says something. */
function optionWords(option: Option): string {
  const { defaultValue } = option
  const saysNothing =
    defaultValue === null ||
    defaultValue === Number.POSITIVE_INFINITY ||
    defaultValue === Number.MAX_SAFE_INTEGER ||
    (Array.isArray(defaultValue) && defaultValue.length === 0)
  return saysNothing ? option.description : help.optionDescription(option)
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
