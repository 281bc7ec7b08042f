import { isAbsolute, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

// A reporter for `node --test` that speaks once, at the end, of what failed: a log that is cut to its
// last lines still names it. `run-tests.ts` prints it behind the summary.

type FailData = Extract<TestEvent, { type: 'test:fail' }>['data']
type TestError = FailData['details']['error'] & {
  readonly failureType?: string
  readonly exitCode?: number | null
  readonly signal?: string | null
}

const stackLinesShown = 8
const wordsShown = 1500
/** Failed only because something below it failed, which is told itself. */
const followsFromAnother = 'subtestsFailed'
const strayPattern = /asynchronous activity after the test ended/

/** @returns one text with every failure, nothing when there was none. */
export default async function* failureReporter(
  source: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const failures: string[] = []
  /** Last words on standard error, by file. */
  const words = new Map<string, string>()
  /** Of a process that runs several files, the one that it is at. */
  const begun = new Map<string, string>()
  for await (const { type, data } of source) {
    if (type === 'test:stderr') {
      const { file = '' } = data
      words.set(file, `${words.get(file) ?? ''}${data.message}`.slice(-wordsShown))
    } else if (type === 'test:dequeue') {
      if (data.file !== undefined && isFile(data)) begun.set(data.file, data.name)
    } else if (type === 'test:complete') {
      if (data.file !== undefined && isFile(data)) begun.delete(data.file)
    } else if (type === 'test:diagnostic') {
      if (strayPattern.test(data.message)) failures.push(data.message)
    } else if (type === 'test:fail' && !isExpected(data)) {
      failures.push(failureText(data, words, begun))
      if (data.name === data.file) begun.delete(data.name)
    }
  }
  // Where tests have failed before, the runner does not say that a process ended in the middle of a file.
  for (const [process, name] of begun) failures.push(unendedText(name, words.get(process)))
  if (failures.length > 0) yield `\nFAILED\n\n${failures.join('\n\n')}\n`
}

function isExpected({ todo, skip, details }: FailData): boolean {
  const { failureType } = details.error as TestError
  return Boolean(todo) || Boolean(skip) || failureType === followsFromAnother
}

/** Whether it is the suite of a file, as `shared-tests.ts` makes them. */
function isFile({ name, nesting }: { readonly name: string; readonly nesting: number }): boolean {
  return nesting === 0 && name.endsWith('.test.js') && !isAbsolute(name)
}

function failureText(
  data: FailData,
  words: ReadonlyMap<string, string>,
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
  // A file that fails as a whole has said why on standard error, if anywhere.
  if (name === file && words.has(file)) lines.push(words.get(file)!)
  return indented(lines.join('\n').trimEnd())
}

function unendedText(name: string, words = ''): string {
  return indented(`✖ the file ${name}\nits process ended before it did\n${words}`.trimEnd())
}

/** Message and the nearest lines of the stack, without those of Node. */
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
