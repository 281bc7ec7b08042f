import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { encodeReplayFile, type ReplayFile } from '../../bench/book-replay/replay-file.js'
import { sampleFile } from '../../bench/book-replay/replay-sample.js'
import { fileFrom, plainReplay } from '../support/plain-replay.js'

const script = join(import.meta.dirname, '../../bench/book-replay.js')
const folder = mkdtempSync(join(tmpdir(), 'book-replay-test-'))
after(() => rmSync(folder, { recursive: true }))

interface Ended {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** The command as a user runs it. */
function run(...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...words], (error, out, errorText) => {
      const code = typeof error?.code === 'number' ? error.code : 0
      resolve({ code, out, error: errorText })
    })
  })
}

function write(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

function writeFile(name: string, file: ReplayFile): string {
  return write(name, encodeReplayFile(file))
}

test('a file is replayed, and its reports have the hash of the plain rules', async () => {
  const file = sampleFile({ seed: 7, messages: 3_000, tickLeast: 9_900, tickSpread: 60 })
  const path = writeFile('sample.br', file)
  const { code, out, error } = await run(path, '--json', '--repeats', '1', '--warm-ups', '1')
  assert.equal(code, 0, error)
  const result = JSON.parse(out)
  const plain = plainReplay(file)
  assert.deepEqual(Object.keys(result), [
    'messages',
    'trades',
    'seconds',
    'million_per_second',
    'sha256',
  ])
  assert.equal(result.messages, 3_000)
  assert.equal(result.trades, plain.trades)
  assert.ok(plain.trades > 20)
  assert.equal(result.sha256, plain.sha256)
  assert.ok(result.seconds > 0 && result.million_per_second > 0)
  assert.match(error, /1 runs to warm up, then the median of 1/)
})

test('a file without messages is valid', async () => {
  const { code, out } = await run(writeFile('empty.br', fileFrom([])), '--json', '--repeats', '1')
  assert.equal(code, 0)
  assert.equal(JSON.parse(out).sha256, plainReplay(fileFrom([])).sha256)
})

test('an unreadable file ends with 1 and a sentence that names it', async () => {
  const open = fileFrom([
    { kind: 'New', id: 5, tick: 10 },
    { kind: 'New', id: 5, tick: 11 },
  ])
  for (const [path, message] of [
    [join(folder, 'missing.br'), /missing\.br: ENOENT/],
    [write('plain.br', Buffer.from('plain words')), /plain\.br: /],
    [write('short.br', brotliCompressSync(Buffer.from([3, 0, 0, 0, 1]))), /3 messages make 34/],
    [writeFile('zero.br', fileFrom([{ kind: 'New', id: 1, quantity: 0 }])), /order of nothing/],
    [writeFile('open.br', open), /message 1: order 5 is still open/],
  ] as const) {
    const { code, out, error } = await run(path, '--json')
    assert.equal(code, 1, error)
    assert.equal(out, '')
    assert.match(error, message)
  }
})

test('wrong usage ends with 2, and help with 0', async () => {
  assert.equal((await run()).code, 2)
  assert.equal((await run('a.br', '--repeats', '0')).code, 2)
  assert.equal((await run('a.br', '--fast')).code, 2)
  const help = await run('--help')
  assert.equal(help.code, 0)
  assert.match(help.out, /Example/)
})
