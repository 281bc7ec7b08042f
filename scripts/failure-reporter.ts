import { isAbsolute, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

// A reporter for `node --test` that prints all failures once, at the end, so that the last lines of a log name them.
// `run-tests.ts` prints its text after the summary.

type FailData = Extract<TestEvent, { type: 'test:fail' }>['data']
type TestError = FailData['details']['error'] & {
  readonly failureType?: string
  readonly exitCode?: number | null
  readonly signal?: string | null
}

const stackLinesShown = 8
const stderrCharsShown = 1500
/** Failure type of a test that failed only because a subtest did. The subtest is reported itself. */
const followsFromAnother = 'subtestsFailed'
const strayPattern = /asynchronous activity after the test ended/

/** Yields one text with every failure; nothing if all tests passed. */
export default async function* failureReporter(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const failures: string[] = []
  /** End of the standard error, by file. */
  const stderrOf = new Map<string, string>()
  /** Current file of each process that runs several files. */
  const begun = new Map<string, string>()
  for await (const { type, data } of source) {
    if (type === 'test:stderr') {
      const { file = '' } = data
      stderrOf.set(file, `${stderrOf.get(file) ?? ''}${data.message}`.slice(-stderrCharsShown))
    } else if (type === 'test:dequeue') {
      if (data.file !== undefined && isFile(data)) begun.set(data.file, data.name)
    } else if (type === 'test:complete') {
      if (data.file !== undefined && isFile(data)) begun.delete(data.file)
    } else if (type === 'test:diagnostic') {
      if (strayPattern.test(data.message)) failures.push(data.message)
    } else if (type === 'test:fail' && !isExpected(data)) {
      failures.push(failureText(data, stderrOf, begun))
      if (data.name === data.file) begun.delete(data.name)
    }
  }
  // After an earlier failure, the runner does not report that a process ended in the middle of a file.
  for (const [process, name] of begun) failures.push(unendedText(name, stderrOf.get(process)))
  if (failures.length > 0) yield `\nFAILED\n\n${failures.join('\n\n')}\n`
}

function isExpected({ todo, skip, details }: FailData): boolean {
  const { failureType } = details.error as TestError
  return Boolean(todo) || Boolean(skip) || failureType === followsFromAnother
}

/** Returns true if it is the suite of a file that `shared-tests.ts` creates. */
function isFile({ name, nesting }: { readonly name: string; readonly nesting: number }): boolean {
  return nesting === 0 && name.endsWith('.test.js') && !isAbsolute(name)
}

function failureText(
  data: FailData,
  stderrOf: ReadonlyMap<string, string>,
  begun: ReadonlyMap<string, string>,
): string {
  const { name, file = '', line, column, details } = data
  const { failureType, exitCode, signal, cause, message } = details.error as TestError
  const where = `${relative(process.cwd(), file)}:${line}:${column}`
  const lines = [`✖ ${name}\n${where}`]
  if (isFile(data)) lines[0] = `✖ the file ${name}`
  if (name === file) lines[0] = `✖ the file ${begun.get(file) ?? where}`
  if (failureType !== 'testCodeFailure') lines.push(`${failureType}`)
  lines.push(cause instanceof Error ? errorText(cause) : message)
  if (exitCode != null) lines.push(`exit code ${exitCode}`)
  if (signal != null) lines.push(`ended by ${signal}`)
  // A file that fails as a whole has its reason only on standard error.
  if (name === file && stderrOf.has(file)) lines.push(stderrOf.get(file)!)
  return indented(lines.join('\n').trimEnd())
}

function unendedText(name: string, stderrOf = ''): string {
  return indented(`✖ the file ${name}\nits process ended before it did\n${stderrOf}`.trimEnd())
}

/** Returns the message and the top of the stack, without frames of Node. */
function errorText({ message, stack = '' }: Error): string {
  const frames = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !line.includes('(node:'))
    .map((line) => line.trim())
  return [message.trimEnd(), ...frames.slice(0, stackLinesShown)].join('\n')
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ')
}
