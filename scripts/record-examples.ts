import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { RecordedExamples } from '../gateway/documents/examples.js'
import { recordedExamples } from '../gateway/documents/generated/recorded-examples.js'
import { exampleFault } from '../test/support/document-check.js'
import {
  type ExampleSection,
  emptyExamples,
  examplesVariable,
  keepBetter,
  type Recorded,
} from '../test/support/example-recorder.js'

// Renews the examples of the documents from what end-to-end tests are told: `npm run generate -- examples`, or of the files whose
// path holds one of the words behind it. An example that still fits its document stays, so that a run changes nothing but
// what had to be; with `--richer` it goes where a test was told more.

/** What is taken, in the order in which it is shown. */
const firstNames = ['answered', 'acked', 'filled', 'partially_filled', 'canceled']
const target = 'gateway/documents/generated/recorded-examples.ts'

const { values, positionals } = parseArgs({
  options: { richer: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const words = positionals.length === 0 ? ['e2e'] : positionals
const folder = mkdtempSync(join(tmpdir(), 'strikebook-examples-'))
const runner = join(import.meta.dirname, 'run-tests.js')
const env = { ...process.env, [examplesVariable]: folder }
const { status } = spawnSync(process.execPath, [runner, ...words], { stdio: 'inherit', env })
const examples = merged(folder)
rmSync(folder, { recursive: true })
keepFitting(examples)
writeFileSync(target, textOf(examples))
process.exitCode = status ?? 1

/** The best of all that the processes of tests have kept. */
function merged(from: string): Recorded {
  const all = emptyExamples()
  for (const name of readdirSync(from).sort()) {
    const recorded = JSON.parse(readFileSync(join(from, name), 'utf8')) as Recorded
    for (const [section, key, named, example] of rowsOf(recorded)) {
      keepBetter((all[section][key] ??= {}), named, example)
    }
  }
  return all
}

function keepFitting(all: Recorded): void {
  for (const [section, key, named, example] of rowsOf(recordedExamples)) {
    if (exampleFault(section, key, example) !== null) continue
    const ofKey = (all[section][key] ??= {})
    if (values.richer) keepBetter(ofKey, named, example)
    else ofKey[named] = example
  }
}

function rowsOf(recorded: RecordedExamples) {
  return Object.entries(recorded).flatMap(([section, ofSection]) =>
    Object.entries<Readonly<Record<string, unknown>>>(ofSection).flatMap(([key, named]) =>
      Object.entries(named).map(
        ([name, example]) => [section as ExampleSection, key, name, example] as const,
      ),
    ),
  )
}

/** One line an example; what is taken comes before what is refused, else in the order of their names. */
function textOf(all: Recorded): string {
  const sections = Object.entries(all).map(([section, ofSection]) => {
    const keys = sorted(ofSection).map(([key, named]) => {
      const lines = sorted(named).map(([name, example]) => {
        return `      ${JSON.stringify(name)}: ${JSON.stringify(example)},\n`
      })
      return `    ${JSON.stringify(key)}: {\n${lines.join('')}    },\n`
    })
    return `  ${section}: {\n${keys.join('')}  },\n`
  })
  return [
    '// Written by `npm run generate -- examples`: what end-to-end tests were told, with one row of each list.\n',
    "import type { RecordedExamples } from '../examples.js'\n\n",
    `export const recordedExamples: RecordedExamples = {\n${sections.join('')}}\n`,
  ].join('')
}

function sorted<T>(rows: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  const placeOf = (name: string) => firstNames.indexOf(name) + 1 || firstNames.length + 1
  return Object.entries(rows).sort(
    ([one], [other]) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1),
  )
}
