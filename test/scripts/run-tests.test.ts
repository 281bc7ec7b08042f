import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'

const runTestsFile = join(import.meta.dirname, '../../scripts/run-tests.js')
const head =
  "import assert from 'node:assert/strict'\nimport { after, before, test } from 'node:test'\n"

/** Runs files of tests, by name, as `npm test` would. */
function runFiles(
  context: TestContext,
  files: Readonly<Record<string, string>>,
  ...args: string[]
) {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-run-'))
  context.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, head + text)
  }
  // A runner that finds itself inside a test runs nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const parameters = [runTestsFile, `--root=${folder}`, '--processes=2', ...args]
  const { status, stdout } = spawnSync(process.execPath, parameters, {
    env,
    cwd: folder,
    encoding: 'utf8',
  })
  const [summary, failures = ''] = stdout.split('\nFAILED\n')
  assert.match(summary!, /^# tests \d+$/m, stdout)
  return { status, stdout, failures }
}

test('a successful run ends with its summary', (context) => {
  const { status, stdout, failures } = runFiles(context, {
    'a.test.js': "test('one', () => {})\ntest('later', { todo: true }, () => assert.fail('yet'))",
  })
  assert.equal(status, 0, stdout)
  assert.equal(failures, '')
})

test('failures are repeated after the summary, with file, line and message', (context) => {
  const { status, failures } = runFiles(context, {
    'a.test.js': [
      "test('passes', () => {})",
      "test('one is two', () => assert.equal(1, 2, 'no sum'))",
      "test('outer', (context) => context.test('inner', () => assert.fail('deep')))",
    ].join('\n'),
  })
  assert.equal(status, 1)
  assert.match(
    failures,
    /✖ one is two\n +a\.test\.js:4:1\n +no sum\n[\s\S]*1 !== 2\n +at .*a\.test\.js:4:/,
  )
  assert.match(failures, /✖ inner\n +a\.test\.js:5:\d+\n +deep\n/)
  assert.doesNotMatch(failures, /passes|outer/)
})

test('files that start processes run with --all, or if an argument names them', (context) => {
  const files = {
    'e2e/crash.test.js': "test('crash', () => {})",
    'gateway/testing.test.js': "test('venue', () => {})",
    'gateway/ws/hub.test.js': "test('hub', () => {})",
  }
  // One process: an entry without files would count as a test.
  const testsOf = (...args: string[]) =>
    /^# tests (\d+)$/m.exec(runFiles(context, files, '--processes=1', ...args).stdout)![1]
  assert.equal(testsOf(), '1')
  assert.equal(testsOf('--all'), '3')
  assert.equal(testsOf('--long'), '3')
  assert.equal(testsOf('e2e'), '1')
  assert.equal(testsOf('gateway'), '2')
})

test('files share a process, and each failing one is named', (context) => {
  const files = {
    'gateway/a.test.js': "globalThis.process_ = 'shared'\ntest('first', () => {})",
    'gateway/b.test.js': "test('second', () => assert.equal(globalThis.process_, 'shared'))",
    'gateway/c.test.js': "test('third', () => assert.fail('no'))",
    'bench/ring.test.js': "test('alone', () => assert.equal(globalThis.process_, undefined))",
  }
  const { status, stdout, failures } = runFiles(context, files, '--processes=1')
  assert.equal(status, 1)
  assert.match(stdout, /^# tests 4$/m)
  assert.match(failures, /✖ third\n +gateway\/c\.test\.js:3:/)
  assert.doesNotMatch(failures, /first|second|alone/)
})

test('every file runs in one of the processes, and its hooks apply only to its own tests', (context) => {
  const files = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `gateway/${index}.test.js`,
      [
        "import { beforeEach } from 'node:test'",
        'let begun = 0, each = 0',
        'before(() => { begun++ })',
        'beforeEach(() => { each++ })',
        'after(() => assert.equal(each, 2))',
        "test('one', () => assert.deepEqual([begun, each], [1, 1]))",
        `test('two', () => assert.fail('of ${index}'))`,
      ].join('\n'),
    ]),
  )
  const { stdout, failures } = runFiles(context, files, '--processes=3')
  assert.match(stdout, /^# fail 12$/m)
  assert.equal(failures.match(/✖/g)?.length, 12, failures)
  for (let index = 0; index < 12; index++) assert.match(failures, new RegExp(`of ${index}\n`))
})

test('hooks that fail are named with their error', (context) => {
  const { status, failures } = runFiles(context, {
    'before.test.js': "before(() => { throw new Error('no venue') })\ntest('starts', () => {})",
    'after.test.js': "after(() => { throw new Error('not gone') })\ntest('ends', () => {})",
    'bench/before.test.js': "before(() => { throw new Error('no load') })\ntest('loads', () => {})",
  })
  assert.equal(status, 1)
  assert.match(failures, /✖ the file before\.test\.js\n +hookFailed\n +no venue\n/)
  assert.match(failures, /✖ the file after\.test\.js\n +hookFailed\n +not gone\n/)
  assert.match(failures, /✖ loads\n +bench\/before\.test\.js:4:1\n +hookFailed\n +no load\n/)
})

for (const room of ['gateway', 'bench']) {
  const kind = room === 'bench' ? 'with their own process' : 'that share processes'
  test(`files ${kind} and fail as a whole are named with their last words`, (context) => {
    const { status, failures } = runFiles(context, {
      [`${room}/absent.test.js`]: "import './nowhere.js'",
      [`${room}/killed.test.js`]: [
        "test('is done', () => new Promise((resolve) => setTimeout(resolve, 50)))",
        "test('waits', () => new Promise((resolve) => setTimeout(resolve, 60_000)))",
        "before(() => process.stderr.write('out of luck\\n'))",
        "before(() => { setTimeout(() => process.kill(process.pid, 'SIGSEGV'), 150) })",
      ].join('\n'),
    })
    assert.equal(status, 1)
    assert.match(failures, /✖ the file .*absent\.test\.js[\s\S]*Cannot find module .*nowhere\.js/)
    const ended =
      /✖ the file .*killed\.test\.js.*\n.*(its process ended|test failed)[\s\S]*out of luck/
    assert.match(failures, ended)
  })

  test(`an error after its test, in files ${kind}, is named with the test`, (context) => {
    const { status, failures } = runFiles(context, {
      [`${room}/stray.test.js`]: [
        "test('leaves a timer', () => { setTimeout(() => { throw new Error('late') }, 5) })",
        "test('waits', () => new Promise((resolve) => setTimeout(resolve, 200)))",
      ].join('\n'),
    })
    assert.equal(status, 1)
    assert.match(failures, /Test "leaves a timer" at .*stray\.test\.js[\s\S]*Error: late/)
    if (room === 'bench') assert.match(failures, /✖ the file bench\/stray\.test\.js/)
  })
}

test('a process that a signal ends is named, and the others run the rest', (context) => {
  const { failures } = runFiles(
    context,
    {
      'gateway/a.test.js': "test('one', () => process.kill(process.pid, 'SIGSEGV'))",
      'gateway/b.test.js': "test('two', () => new Promise((resolve) => setTimeout(resolve, 500)))",
      'gateway/c.test.js': "test('three', () => assert.fail('still run'))",
    },
    '--processes=2',
  )
  assert.match(failures, /✖ the file gateway\/a\.test\.js\n[\s\S]*ended by SIGSEGV/)
  assert.match(failures, /✖ three/)
})

test('only files whose path contains an argument run, and no match is an error', (context) => {
  const files = {
    'a.test.js': "test('a', () => assert.fail('a'))",
    'b.test.js': "test('b', () => {})",
  }
  assert.equal(runFiles(context, files, 'b.test').status, 0)
  const alike = {
    'x/book.test.js': "test('book', () => {})",
    'x/book-pool.test.js': "test('pool', () => assert.fail('pool'))",
  }
  assert.equal(runFiles(context, alike, 'x/book').status, 0, 'a whole path names its file alone')
  assert.equal(runFiles(context, alike, 'book').status, 1)
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-run-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const { status, stderr } = spawnSync(process.execPath, [runTestsFile, `--root=${folder}`], {
    encoding: 'utf8',
  })
  assert.deepEqual([status, stderr], [2, 'no test matches\n'])
})

test('long tests are left out, unless requested or named', (context) => {
  const files = {
    'a.test.js': "test('long: ' + process.env['LONG_TESTS'], () => {})",
    'b.long.test.js': "test('much', () => {})",
  }
  const plain = runFiles(context, files)
  assert.match(plain.stdout, /ok \d+ - long: 0$/m)
  assert.doesNotMatch(plain.stdout, /much/)
  const asked = runFiles(context, files, '--long').stdout
  assert.match(asked, /ok \d+ - long: 1$/m)
  assert.match(asked, /ok \d+ - much$/m)
  assert.match(runFiles(context, files, 'b.long').stdout, /ok \d+ - much$/m)
})

test('the cost of each file is printed on request, in shared processes and others', (context) => {
  const burn = 'const end = performance.now() + 60\nwhile (performance.now() < end);\n'
  const { stdout } = runFiles(
    context,
    {
      'gateway/a.test.js': `test('one', () => {\n${burn}})`,
      'bench/b.test.js': `test('two', () => {\n${burn}})`,
    },
    '--times',
  )
  for (const name of ['gateway/a', 'bench/b', 'all']) {
    const [, cpu, wall] = new RegExp(`^ *([\\d.]+) +([\\d.]+)  ${name}`, 'm').exec(stdout) ?? []
    assert.ok(Number(wall) >= 0, `${name}: ${stdout}`)
    if (process.platform === 'linux') assert.ok(Number(cpu) > 0, `${name}: ${stdout}`)
  }
})
