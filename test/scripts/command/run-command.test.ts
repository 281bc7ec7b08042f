import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { verbs } from '../../../gateway/command-line/verbs.js'
import { projectPath } from '../../support/project.js'
import { strikebook, strikebookAlone } from '../../support/strikebook.js'

test('help lists every verb with an example', () => {
  const { code, out, error } = strikebookAlone('--help')
  assert.equal(code, 0)
  assert.equal(error, '')
  for (const { name, example } of verbs) {
    assert.match(out, new RegExp(`^ {2}${name} `, 'm'))
    assert.ok(out.includes(`$ npx ${example}`), name)
  }
})

for (const { name, example } of verbs) {
  // It reads the words of its process, and ends it.
  const run = name === 'start' ? strikebookAlone : strikebook
  test(`${name} --help shows its example`, () => {
    const { code, out } = run(name, '--help')
    assert.equal(code, 0)
    assert.match(out, new RegExp(`Usage: strikebook ${name}`))
    if (name === 'start') return
    const [, examples = ''] = out.split('Examples:\n')
    const lines = examples.split('\n').filter((line) => line.includes('$ npx'))
    assert.ok(lines.includes(`  $ npx ${example}`))
    assert.equal(new Set(lines).size, lines.length, 'each once')
    assert.doesNotMatch(out, /\(default: (null|0|\[\]|9007199254740991|\{)/)
  })

  test(`${name} says on standard error what it does not know, and ends with 2`, () => {
    const { code, out, error } = run(name, '--no-such-flag')
    assert.equal(code, 2)
    assert.equal(out, '')
    assert.match(error, /^error: /)
  })
}

test('help lists the forms of a time for verbs that take one', () => {
  for (const verb of ['export', 'replay']) {
    assert.match(
      strikebook(verb, '--help').out,
      /Forms of <time>.*\n.*13 digits of Unix milliseconds/,
    )
  }
})

test('the error of a misspelled option suggests the right one', () => {
  assert.match(strikebook('export', 'fills', '--wallt', 'x').error, /Did you mean --wallet\?/)
})

test('errors name the path of a folder without a venue and of a missing configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nothing-'))
  const { error } = strikebook('export', 'fills', '--data-dir', folder)
  assert.ok(error.includes(`no history store at ${join(folder, 'history.db')}`), error)
  assert.ok(
    strikebook('inspect', 'state', '--data-dir', folder).error.includes(`${folder}/journal`),
  )
  const file = join(folder, 'absent.toml')
  const started = strikebookAlone('start', `--config=${file}`, '--print-config')
  assert.ok(started.error.includes(`${file}: cannot be read: ENOENT`), started.error)
  rmSync(folder, { recursive: true })
})

test('help of a verb works in either order of the words', () => {
  assert.equal(strikebook('help', 'bench').out, strikebook('bench', '--help').out)
})

test('an unknown verb ends with 2 and suggests the nearest one', () => {
  const { code, out, error } = strikebookAlone('bensh')
  assert.equal(code, 2)
  assert.equal(out, '')
  assert.match(error, /unknown verb bensh; did you mean bench\?/)
  assert.equal(strikebook().code, 2)
})

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))
  assert.ok(strikebook('--version').out.startsWith(`strikebook ${version} (`))
})

test('the bin of the package is the command', () => {
  const { bin } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))
  const run = spawnSync(process.execPath, [projectPath(bin.strikebook), 'simulate', '--seed', '0'])
  assert.equal(run.status, 2)
  assert.match(run.stderr.toString(), /an integer of at least 1/)
})

test('a failure is reported in words, and with --json also as JSON', () => {
  const args = ['load', '--url=http://127.0.0.1:9', '--operator-url=', '--json']
  const { code, out, error } = strikebookAlone(...args)
  assert.equal(code, 1)
  assert.match(error, /^strikebook load: /)
  assert.equal(JSON.parse(out).ok, false)
})

test('start prints its configuration as npm start does', () => {
  const { code, out } = strikebookAlone('start', '--print-config', '--json', '--port=1234')
  assert.equal(code, 0)
  assert.equal(JSON.parse(out).port, 1234)
})

test('a comparison with a file of earlier figures never fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-bench-'))
  const file = join(folder, 'before.json')
  try {
    const first = strikebook('bench', 'ring', '--quick', '--out', file)
    assert.equal(first.code, 0, first.error)
    const rows = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(rows, JSON.parse(first.out).results)
    const again = ['bench', 'ring', '--quick', '--baseline', file]
    assert.equal(strikebook(...again, '--tolerance', '99%').code, 0)
    for (const share of ['100%', '15', '1500%']) {
      const { code, error } = strikebook(...again, '--tolerance', share)
      assert.equal(code, 2)
      assert.match(error, /--tolerance.*15% or 0\.15/)
    }
    const faster = rows.map((row: { value: number; direction: string }) => ({
      ...row,
      value: row.direction === 'bigger' ? row.value * 1000 : row.value / 1000,
    }))
    writeFileSync(file, JSON.stringify(faster))
    const worse = strikebook(...again, '--tolerance', '50%')
    assert.equal(worse.code, 0)
    assert.match(worse.error, /rows are beyond the tolerance, which a file .* cannot prove/)
    assert.equal(JSON.parse(worse.out).verdict, 'undecided')
    assert.equal(strikebook('bench', 'ring', '--baseline', file).code, 2)
    assert.equal(strikebook('bench', 'ring', '--quick', '--max-p99', '5').code, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('bench exits with 99 if the build of another folder is faster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-bench-'))
  const against = ['bench', 'ring', '--quick', '--baseline', folder, '--pairs', '3']
  try {
    const lacking = strikebook(...against)
    assert.equal(lacking.code, 2)
    assert.match(lacking.error, /has no build: .*strikebook\.js is missing/)
    const results = [{ name: 'ring.one-to-one', value: 1e9, quick: true }]
    mkdirSync(join(folder, 'dist/scripts'), { recursive: true })
    const program = `console.log(${JSON.stringify(JSON.stringify({ results }))})`
    writeFileSync(join(folder, 'dist/scripts/strikebook.js'), program)
    const { code, out, error } = strikebook(...against)
    assert.equal(code, 99, error)
    assert.match(error, /threshold missed: ring.*interval .* of 3 pairs/)
    const { verdict, missed } = JSON.parse(out)
    assert.deepEqual([verdict, missed.length], ['missed', 1])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
