import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { figureLines, figureSuites, headlines } from '../../bench/figure-tables.js'
import { figureNames } from '../../bench/figure-text.js'
import { suites } from '../../bench/suites.js'
import { fillReadmes } from '../../bench/write-figures.js'
import { projectPath } from '../support/project.js'

const environment = {
  ...{ cpu: 'AMD EPYC', cores: 2, node: 'v20.20.2', release: '1.2.3' },
  ...{ date: '2030-01-02T03:04:05.678Z', load: 0.456 },
}
const names = [...figureNames()]

/** Returns rows for both tables, with other facts for some of them. */
function rowsWith(facts: Readonly<Record<string, object>> = {}) {
  const common = { value: 1234.5678, range: '0.51234 to 0.84', threshold: null, quick: false }
  return names.map((name) => ({ name, suite: name.split('.')[0], ...common, ...facts[name] }))
}

/** Copies the README files of the project next to a result. */
function checkout(context: TestContext, result: object) {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-figures-'))
  context.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'bench'))
  const paths = ['README.md', 'bench/README.md'] as const
  for (const path of paths) cpSync(projectPath(path), join(root, path))
  const file = join(root, 'result.json')
  writeFileSync(file, JSON.stringify(result))
  const read = () => paths.map((path) => readFileSync(join(root, path), 'utf8'))
  return { root, file, read, fill: () => fillReadmes(root, file) }
}

/** Returns the lines between the marks. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const [begin, end] = ['<!-- figures: ', '<!-- figures end'].map((mark) =>
    lines.findIndex((line) => line.startsWith(mark)),
  )
  return lines.slice(begin! + 1, end)
}

test('both tables have the figures of the result, with host, versions, date and load', (context) => {
  const { fill, read } = checkout(context, {
    environment,
    results: rowsWith({
      'journal.append.full': { value: 3_512_345 },
      'core.replay': { value: 102.123, threshold: { atLeast: 300 } },
      'core.replay / core.live': { value: 1.261, threshold: { atLeast: 1 } },
      'margin.remark': { value: 21.04, threshold: { atMost: 50 } },
    }),
  })
  const before = read()
  fill()
  const [headline, main] = read().map(linesOf) as [readonly string[], readonly string[]]
  for (const lines of [headline, main]) {
    assert.equal(
      lines.slice(0, 2).join(' '),
      'Release 1.2.3, measured once on 2030-01-02: AMD EPYC, 2 cores, Node 20.20.2, load 0.456 before the run. ' +
        'Medians of alternating repeats; client and venue share the cores.',
    )
  }
  assert.equal(headline.filter((line) => line.startsWith('| ')).length, headlines.length + 1)
  assert.equal(main.filter((line) => line.startsWith('| ')).length, figureLines.length + 1)
  const journal = 'Journal, 16 batches of 256 commands a flush'
  assert.ok(
    headline.includes(
      `| ${journal} | 3.51 million commands/s | \`npx strikebook bench journal\` |`,
    ),
  )
  assert.ok(
    main.includes(
      '| replay | **102,000** commands/s | 1.26 of the live core without signatures | 300,000, 1 | see "Replay" |',
    ),
  )
  const remark = main.find((line) => line.startsWith('| new marks'))!
  assert.match(remark, /\| 21 ms \(0\.512 to 0\.84\); 1,230 ms; 1,230 ms \| \| 50 \|/)
  assert.doesNotMatch(main.join(), /[{}]|NaN|undefined/)
  const outside = (text: string) => text.replace(linesOf(text).join('\n'), '')
  assert.deepEqual(read().map(outside), before.map(outside), 'the rest of the files is as before')
})

test('a second run replaces the figures of the first', (context) => {
  const { file, fill, read } = checkout(context, { environment, results: rowsWith() })
  fill()
  const first = read()
  fill()
  assert.deepEqual(read(), first)
  const later = { ...environment, release: '1.2.4' }
  writeFileSync(file, JSON.stringify({ environment: later, results: rowsWith() }))
  fill()
  assert.deepEqual(
    read(),
    first.map((text) => text.replace('Release 1.2.3,', 'Release 1.2.4,')),
  )
})

test('a result that cannot fill the tables changes no file, and says why', (context) => {
  const lacking = rowsWith().filter(({ name }) => !/^(ring\.one-to-one|margin\.remark)$/.test(name))
  const { release: _, ...undated } = environment
  const cases = [
    [
      { environment, results: lacking },
      /has no ring\.one-to-one, no margin\.remark; .*`npx strikebook bench book /,
    ],
    [{ environment, results: rowsWith({ 'core.replay': { quick: true } }) }, /with --quick/],
    [{ environment: undated, results: rowsWith() }, /no environment with release and date/],
    [rowsWith(), /no environment with release and date/],
    [{ environment, results: [] }, /has no rows/],
  ] as const
  for (const [result, reason] of cases) {
    const { fill, read } = checkout(context, result)
    const before = read()
    assert.throws(fill, reason)
    assert.deepEqual(read(), before)
  }
})

test('a file without marks changes no other file', (context) => {
  const { root, fill, read } = checkout(context, { environment, results: rowsWith() })
  writeFileSync(join(root, 'bench/README.md'), '# Benchmarks\n')
  const before = read()
  assert.throws(fill, /bench\/README\.md has no lines <!-- figures/)
  assert.deepEqual(read(), before)
})

test('the suites of the tables exist', () => {
  for (const suite of figureSuites) assert.ok(Object.hasOwn(suites, suite), suite)
})
