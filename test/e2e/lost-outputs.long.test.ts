import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectPath } from '../support/project.js'
import { eventually } from './support/venue.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-outputs-'))
after(() => rmSync(folder, { recursive: true }))

const script = projectPath('dist/scripts/strikebook.js')
const full = openSync('/dev/full', 'w')
after(() => closeSync(full))

/**
 * Runs a venue until it is ready and has answered a client, then ends it.
 * @returns its exit code
 */
async function run(outputs: readonly ['pipe' | number, 'pipe' | number], file: string) {
  const flags = ['--port=0', '--operator-port=0', '--feed=none', '--maker=off']
  const words = [process.execPath, script, 'start', ...flags, `--data-dir=${file}.data`]
  const shell = ['-c', 'umask 0 && exec "$0" "$@"']
  const child = spawn('/bin/sh', [...shell, ...words], { stdio: ['ignore', ...outputs] })
  // Without a reader each write of the child fails with EPIPE.
  child.stdout?.destroy()
  child.stderr?.destroy()
  const ended = once(child, 'exit')
  try {
    let url = ''
    await eventually('the venue is ready', async () => {
      const text = readFileSync(file, 'utf8')
      assert.equal(child.exitCode, null, text.slice(-2000))
      url = /(?:^ready |"url":")(http[^ "]+).*\n/m.exec(text)?.[1] ?? ''
      return url !== ''
    })
    // The ready line came before: a venue that fails on it would have ended by now.
    await sleep(300)
    assert.equal((await fetch(`${url}/health`)).status, 200)
  } finally {
    child.kill('SIGTERM')
  }
  return (await ended)[0]
}

/** The same, with a new file as the other output. */
async function runWithFile(name: string, outputsOf: (fd: number) => Parameters<typeof run>[0]) {
  const file = join(folder, name)
  const fd = openSync(file, 'w')
  try {
    return await run(outputsOf(fd), file)
  } finally {
    closeSync(fd)
  }
}

test('a venue whose standard output or log is full or closed starts and serves', async () => {
  const codes = await Promise.all([
    runWithFile('full-output', (fd) => [full, fd]),
    runWithFile('closed-output', (fd) => ['pipe', fd]),
    runWithFile('closed-log', (fd) => [fd, 'pipe']),
  ])
  assert.deepEqual(codes, [0, 0, 0])
  const data = join(folder, 'full-output.data')
  const paths = readdirSync(data, { recursive: true }).map((path) => join(data, String(path)))
  assert.ok(paths.includes(join(data, 'journal')))
  const isShared = (path: string) => (statSync(path).mode & 0o077) !== 0
  assert.deepEqual([data, ...paths].filter(isShared), [], 'private also under umask 0')
})

for (const words of [
  ['--version'],
  ['--help'],
  ['pin', '--help'],
  ['pin', '--json'],
  ['start', '--print-config'],
]) {
  test(`${words.join(' ')} reports that standard output is full and exits with 1`, () => {
    const { status, stderr } = spawnSync(process.execPath, [script, ...words], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    assert.equal(status, 1, stderr)
    const lines = stderr
      .split('\n')
      .filter((line) => line.includes('standard output failed: ENOSPC'))
    assert.equal(lines.length, 1, stderr)
    assert.doesNotMatch(stderr, /^ {4}at /m)
  })
}

test('a command whose standard error is full does its work', () => {
  const { status, stdout } = spawnSync(process.execPath, [script, 'simulate', '--steps=1'], {
    stdio: ['ignore', 'pipe', full],
    encoding: 'utf8',
  })
  assert.equal(status, 0)
  assert.match(stdout, /everything holds/)
})

test('a benchmark whose standard output is full writes its file and exits with 1', () => {
  const file = join(folder, 'rows.json')
  const words = [script, 'bench', 'ring', '--quick', '--out', file]
  const { status, stderr } = spawnSync(process.execPath, words, {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /\nstrikebook: standard output failed: ENOSPC[^\n]*\n$/)
  assert.ok(JSON.parse(readFileSync(file, 'utf8')).length > 0)
})
