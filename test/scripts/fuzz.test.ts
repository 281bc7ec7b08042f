import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const script = join(import.meta.dirname, '../../scripts/fuzz.js')

function run(...flags: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...flags], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('a run prints its seed, its events and a hash that a second run repeats', () => {
  const first = run('--seed', '7', '--events', '2000')
  assert.equal(first.status, 0, first.stderr)
  assert.match(first.stdout, /^seed 7: 2000 events, 1 episodes, [0-9.]+ s, hash [0-9a-f]+\n/)
  const hashOf = (text: string) => /hash ([0-9a-f]+)/.exec(text)?.[1]
  assert.equal(hashOf(run('--seed', '7', '--events', '2000').stdout), hashOf(first.stdout))
})

test('a list of commands runs from its file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-fuzz-'))
  const path = join(folder, 'commands.txt')
  writeFileSync(path, '{"kind":"place","order":1}\n{"kind":"cancel","old":1}\n')
  assert.deepEqual(run('--commands', path), { status: 0, stdout: 'no difference\n', stderr: '' })
  rmSync(folder, { recursive: true })
})

test('invalid flags end with the usage', () => {
  for (const flags of [
    ['--events', 'many'],
    ['--sed', '1'],
    ['--profile', 'constructor'],
  ]) {
    const { status, stderr } = run(...flags)
    assert.equal(status, 2)
    assert.match(stderr, /fuzz \[--seed N\]/)
  }
})
