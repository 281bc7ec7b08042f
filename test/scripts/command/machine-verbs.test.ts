import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { strikebook, strikebookJson } from '../../support/strikebook.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-verbs-'))
after(() => rmSync(folder, { recursive: true }))

test('doctor checks everything, and names the remedy of each fault', () => {
  const { code, out } = strikebook('doctor', `--data-dir=${join(folder, 'data')}`, '--json')
  const { ok, checks } = JSON.parse(out)
  assert.equal(code, ok ? 0 : 1)
  const names = checks.map(({ name }: { name: string }) => name)
  for (const name of [
    'cores',
    'governor',
    'isolation',
    'huge pages',
    'clock source',
    'open files',
    'flush',
    'Node',
    'signatures',
    'native binaries',
  ]) {
    assert.ok(names.includes(name), name)
  }
  for (const { standing, advice } of checks) assert.equal(advice === '', standing === 'good')
})

test('pin proposes rows without faults, as a part of a configuration', () => {
  const file = join(folder, 'venue.toml')
  const { code, out } = strikebook('pin')
  assert.equal(code, 0)
  writeFileSync(file, out)
  const checked = strikebook('pin', '--check', file, '--json')
  const { ok, faults } = JSON.parse(checked.out)
  assert.equal(checked.code, ok ? 0 : 1)
  for (const fault of faults) assert.match(fault, /are one$/)
  writeFileSync(file, '[pinning]\ncore = 999\n')
  assert.equal(strikebook('pin', '--check', file).code, 1)
  writeFileSync(file, '[pinning]\nnobody = 1\n')
  assert.equal(strikebook('pin', '--check', file).code, 2)
})

test('a token of the operator interface is shown once, with the line that has its hash', () => {
  const shown = strikebookJson('keys', 'token', '--identity=alice', '--scopes=read,halts')
  const { token, line } = shown as { readonly token: string; readonly line: string }
  assert.match(token, /^sbk_[A-Za-z0-9_-]{43}$/)
  assert.match(line, /^alice read,halts sha256:[0-9a-f]{64}$/)
  assert.ok(!line.includes(token))
  for (const [identity, scopes] of [
    ['operator', 'read'],
    ['Alice', 'read'],
    ['alice', 'cash'],
  ]) {
    const { code } = strikebook('keys', 'token', `--identity=${identity}`, `--scopes=${scopes}`)
    assert.equal(code, 2)
  }
})

test('a key is written to a file readable by its owner alone, and shown nowhere', () => {
  const file = join(folder, 'trader.key')
  const made = strikebook('keys', 'new', '--out', file, '--json')
  assert.equal(made.code, 0)
  const key = readFileSync(file, 'utf8').trim()
  assert.match(key, /^0x[0-9a-f]{64}$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!(made.out + made.error).includes(key.slice(2)))
  const { address } = JSON.parse(made.out)
  assert.deepEqual(strikebookJson('keys', 'address', file), { address })
  assert.equal(strikebook('keys', 'new', '--out', file).code, 2)
  assert.equal(readFileSync(file, 'utf8').trim(), key)
})

test('the address of a known key is correct, and an invalid key is never repeated', () => {
  const file = join(folder, 'known.key')
  writeFileSync(file, `0x${'1'.padStart(64, '0')}\n`)
  const { out } = strikebook('keys', 'address', file)
  assert.equal(out.trim(), '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf')
  writeFileSync(file, `0x${'zz'.padStart(64, '5')}\n`)
  const wrong = strikebook('keys', 'address', file)
  assert.equal(wrong.code, 2)
  assert.ok(!wrong.error.includes('5555'))
})
