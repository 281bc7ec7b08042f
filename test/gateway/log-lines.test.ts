import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { LogLines } from '../../gateway/log-lines.js'

test('logged lines are in the file, one by one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-log-'))
  const path = join(folder, 'log')
  const fd = openSync(path, 'a')
  const log = pino({ base: null }, new LogLines(fd))
  log.info('one')
  log.fatal({ role: 'journal' }, 'two — ü')
  closeSync(fd)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  rmSync(folder, { recursive: true })
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['one', 'two — ü'],
  )
})

test('a full disk drops lines, and neither throws nor waits', () => {
  const fd = openSync('/dev/full', 'w')
  const log = pino(new LogLines(fd))
  const begin = performance.now()
  for (let i = 0; i < 100; i++) log.info('a line')
  log.fatal('the last one')
  assert.ok(performance.now() - begin < 10_000)
  closeSync(fd)
})

/** Lines of 40 bytes into a file that is soon too long; then it is cut within the third, and three more are written. */
const limited = `
import { fstatSync, ftruncateSync, openSync } from 'node:fs'
const [file, path] = process.argv.slice(1)
const { LogLines } = await import(file)
const fd = openSync(path, 'a')
const lines = new LogLines(fd)
const line = (i) => JSON.stringify({ msg: String(i).padEnd(29) }) + '\\n'
for (let i = 0; i < 50; i++) lines.write(line(i))
console.log(fstatSync(fd).size)
ftruncateSync(fd, 100)
for (let i = 50; i < 53; i++) lines.write(line(i))
`

test('once there is room again, the next line starts anew and says how many are missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strikebook-log-'))
  const path = join(folder, 'log')
  const file = new URL('../../gateway/log-lines.js', import.meta.url).href
  const script = ['--input-type=module', '-e', limited, file, path]
  const inShort = ['-c', 'ulimit -f 1 && exec "$0" "$@"', process.execPath, ...script]
  const fullBytes = Number(execFileSync('/bin/sh', inShort, { encoding: 'utf8' }))
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  rmSync(folder, { recursive: true })
  const [broken, note, ...rest] = lines.slice(2)
  assert.throws(() => JSON.parse(broken!), 'the line that broke off')
  assert.equal(JSON.parse(note!).missing, 50 - Math.floor(fullBytes / 40))
  assert.deepEqual(
    rest.map((text) => JSON.parse(text).msg.trim()),
    ['50', '51', '52'],
  )
})
