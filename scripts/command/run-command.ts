import { errorOf } from '../../engine/threads/error-of.js'
import { ExitCode } from '../../gateway/command-line/exit-code.js'
import { verbs } from '../../gateway/command-line/verbs.js'
import { isReaderGone } from '../../gateway/outputs.js'
import { loadFault } from '../../gateway/start-fault.js'
import { nearestName } from '../../gateway/wire/unknown-field.js'
import { verbLoads } from './verb-loads.js'

/** Names of errors in a command line or in its configuration. */
const usageErrors = ['UsageError', 'ConfigError', 'CommandLineEnd']
const helpWords = ['help', '--help', '-h']

/**
 * Runs the command.
 * @param argv words after the program name: the verb, then its arguments.
 * @returns the exit code. A started venue keeps running.
 */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const [word = '', ...rest] = argv
  if (helpWords.includes(word) && rest.length > 0) return runCommand([...rest, '--help'])
  if (helpWords.includes(word)) return answer(helpText())
  if (word === '--version') return answer(await versionText())
  const verb = verbs.find(({ name }) => name === word)
  if (verb !== undefined) return runGuarded(verb, rest)
  process.stderr.write(word === '' ? helpText() : unknownText(word))
  return ExitCode.Usage
}

async function runGuarded(verb: (typeof verbs)[number], argv: readonly string[]): Promise<number> {
  try {
    const { runVerb } = await verbLoads[verb.name]()
    return await runVerb(argv)
  } catch (error) {
    return codeOf(error, verb.name, argv.includes('--json'))
  }
}

/** Reports the error, unless the command-line parser has already reported it, and returns the exit code. */
async function codeOf(error: unknown, verb: string, isJson: boolean): Promise<ExitCode> {
  if (isReaderGone(error)) return ExitCode.Done
  const fault = loadFault(error)
  if (fault === null) {
    const { commanderEnd } = await import('../../gateway/command-line/verb-command.js')
    const end = commanderEnd(error)
    if (end !== null) return end === 'answered' ? ExitCode.Done : ExitCode.Usage
  }
  const message = fault ?? errorOf(error).message
  process.stderr.write(`strikebook ${verb}: ${message}\n`)
  const isUsage = error instanceof Error && usageErrors.includes(error.name)
  if (isUsage)
    process.stderr.write(`Run strikebook ${verb} --help for its options
`)
  else if (isJson) process.stdout.write(`${JSON.stringify({ ok: false, error: message })}\n`)
  return isUsage ? ExitCode.Usage : ExitCode.Failed
}

function unknownText(word: string): string {
  const names = verbs.map(({ name }) => name)
  const near = nearestName(word, names)
  const hint = near === null ? `verbs: ${names.join(', ')}` : `did you mean ${near}?`
  return `strikebook: unknown verb ${word}; ${hint}
`
}

function helpText(): string {
  const width = Math.max(...verbs.map(({ name }) => name.length)) + 2
  const rows = verbs.flatMap(({ name, about, example }) => [
    `  ${name.padEnd(width)}${about}`,
    `  ${''.padEnd(width)}$ npx ${example}`,
  ])
  return [
    'Usage: strikebook <verb> [options]',
    '',
    'Verbs, each with an example. For all options: strikebook <verb> --help',
    ...rows,
    '',
    'With --json the result is JSON on standard output. Exit codes: 0 success, 1 failure, 2 usage,',
    '99 missed threshold, 130 interrupted.',
    '',
  ].join('\n')
}

async function versionText(): Promise<string> {
  const { readBuildInfo } = await import('../../gateway/build-info.js')
  const { version, commit } = readBuildInfo(import.meta.filename)
  return `strikebook ${version} (${commit})\n`
}

function answer(text: string): ExitCode {
  process.stdout.write(text)
  return ExitCode.Done
}
