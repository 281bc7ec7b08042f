import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromCommandLine, note, verbCommand } from '../gateway/command-line/verb-command.js'
import type { CommonRow } from './common-row.js'
import { figureSuites } from './figure-tables.js'
import { headlineText, mainTableText, type RunFacts } from './figure-text.js'
import { figuresIn } from './row-files.js'

const beginMark = '<!-- figures: written by `npx strikebook bench figures` -->'
const endMark = '<!-- figures end -->'

const about = `Writes the tables of figures in README.md and bench/README.md from the result of one run. Run it in the
folder of the checkout. A result without one of the rows, or of a run with --quick, changes no file.

The run that has all rows: npx strikebook bench ${figureSuites.join(' ')} > FILE`

/** Runs `bench figures`. @throws UsageError for a result that cannot fill the tables. */
export function writeFigures(argv: readonly string[]): void {
  const command = verbCommand('bench', about, ['strikebook bench figures --from result.json'])
    .name('strikebook bench figures')
    .requiredOption('--from <file>', 'standard output of a run')
    .parse([...argv], { from: 'user' })
  const { from } = command.opts()
  for (const path of fromCommandLine(() => fillReadmes(process.cwd(), from))) note(`wrote ${path}`)
}

/**
 * Fills both README files, or neither.
 * @param root folder of the checkout.
 * @returns the paths of the files.
 * @throws Error with the reason.
 */
export function fillReadmes(root: string, resultFile: string): readonly string[] {
  const { facts, rows } = readResult(resultFile)
  const filled = [
    ['README.md', headlineText(facts, rows)],
    ['bench/README.md', mainTableText(facts, rows)],
  ].map(([name, text]) => {
    const path = join(root, name!)
    return [path, between(path, readFileSync(path, 'utf8'), text!)] as const
  })
  for (const [path, text] of filled) writeFileSync(path, text)
  return filled.map(([path]) => path)
}

/** Reads the result that a run printed. @throws Error if it cannot fill the tables. */
function readResult(path: string): { readonly facts: RunFacts; readonly rows: CommonRow[] } {
  const text = readFileSync(path, 'utf8')
  const rows = figuresIn(text, path) as CommonRow[]
  const { environment: facts } = JSON.parse(text) as { readonly environment?: Partial<RunFacts> }
  if (facts?.release === undefined || facts.date === undefined) {
    throw new Error(
      `${path} has no environment with release and date: save the standard output of a run`,
    )
  }
  if (rows.some(({ quick }) => quick)) throw new Error(`${path} is of a run with --quick`)
  return { facts: facts as RunFacts, rows }
}

/** Returns a text with other lines between its marks. */
function between(path: string, text: string, lines: string): string {
  const begin = text.indexOf(beginMark)
  const end = text.indexOf(endMark, begin)
  if (begin < 0 || end < 0) throw new Error(`${path} has no lines ${beginMark} and ${endMark}`)
  return `${text.slice(0, begin + beginMark.length)}\n${lines}\n${text.slice(end)}`
}
