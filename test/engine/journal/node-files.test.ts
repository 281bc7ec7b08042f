import assert from 'node:assert/strict'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { makeDirectory, NodeFiles, pathCheckMillis } from '../../../engine/journal/node-files.js'
import { segmentName } from '../../../engine/journal/segment-format.js'
import { JournalFixture, recover } from './journal-fixture.js'

function temporaryFiles(context: TestContext): NodeFiles {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-files-'))
  context.after(() => rmSync(root, { recursive: true, force: true }))
  return new NodeFiles(join(root, 'data', 'journal'))
}

test('a write stores pieces of shared memory back to back at their offset', (context) => {
  const files = temporaryFiles(context)
  const shared = new Uint8Array(new SharedArrayBuffer(16)).map((_, index) => index)
  const file = files.create('a')
  file.write([shared.subarray(4, 8), shared.subarray(0, 2)], 0)
  file.write([shared.subarray(9, 10)], 8)
  file.flush()
  assert.deepEqual([...files.read('a')], [4, 5, 6, 7, 0, 1, 0, 0, 9])
  assert.deepEqual([...files.read('a', 3)], [4, 5, 6])
  assert.equal(files.bytesOf('a'), 9)
  file.truncate(2)
  file.close()
  assert.deepEqual([...files.read('a')], [4, 5])
})

test('a folder is created with its parents, readable by the owner alone, or the call fails', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-files-'))
  context.after(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, 'a', 'b', 'c')
  makeDirectory(path)
  makeDirectory(path)
  for (const folder of [path, join(root, 'a')]) assert.equal(statSync(folder).mode & 0o777, 0o700)
  writeFileSync(join(root, 'file'), '')
  assert.throws(() => makeDirectory(join(root, 'file')), /EEXIST/)
  assert.throws(() => makeDirectory(join(root, 'file', 'a')), /EEXIST|ENOTDIR/)
  if (process.platform === 'linux') assert.throws(() => makeDirectory('/proc/nope/data'), /ENOENT/)
})

test('the next file is opened ahead without a listed name, and becomes the created file', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-files-'))
  context.after(() => rmSync(root, { recursive: true, force: true }))
  const files = new NodeFiles(root, true)
  assert.deepEqual(files.list(''), [])
  const [ahead] = readdirSync(root)
  const { ino } = statSync(join(root, ahead!))
  const first = files.create('a')
  assert.equal(statSync(join(root, 'a')).ino, ino)
  first.write([Uint8Array.of(1)], 0)
  files.syncDirectory('')
  assert.deepEqual(readdirSync(root).length, 2, 'the next file is already open')
  assert.throws(() => files.create('a'), /EEXIST/)
  const second = files.create('b')
  second.write([Uint8Array.of(2)], 0)
  const third = files.create('c')
  third.write([Uint8Array.of(3)], 0)
  assert.deepEqual(files.list(''), ['a', 'b', 'c'])
  const contents = ['a', 'b', 'c'].map((name) => [...files.read(name)])
  assert.deepEqual(contents, [[1], [2], [3]])
  for (const file of [first, second, third]) file.close()
  files.syncDirectory('')
  assert.deepEqual(
    new NodeFiles(root, true).list(''),
    ['a', 'b', 'c'],
    'a leftover file is used again',
  )
})

test('an existing file is never created again, and a missing one never opened', (context) => {
  const files = temporaryFiles(context)
  files.create('a').close()
  assert.throws(() => files.create('a'), /EEXIST/)
  assert.throws(() => files.open('b'), /ENOENT/)
})

test('a listing has files without folders; new folders become durable with the first flush', (context) => {
  const files = temporaryFiles(context)
  assert.deepEqual(files.list('archive'), [])
  for (const name of ['b', 'a', 'c']) files.create(name).close()
  files.syncDirectory('archive')
  files.rename('c', 'archive/c')
  files.remove('b')
  assert.deepEqual(files.list(''), ['a'])
  assert.deepEqual(files.list('archive'), ['c'])
})

test('a journal on the real disk can be written, recovered, cut and continued', (context) => {
  const files = temporaryFiles(context)
  const journal = new JournalFixture(files, { segmentBytes: 4096, aheadBytes: 1024 }, 2048)
  for (let i = 0; i < 60; i++) {
    while (!journal.put(i % 11)) journal.writer.doWork()
    if (i % 5 === 0) while (journal.writer.doWork() > 0) {}
  }
  while (journal.writer.doWork() > 0) {}
  journal.writer.onClose()
  const last = segmentName(files.list('').length - 1)
  const file = files.open(last)
  file.truncate(journal.writer.offset - 1)
  file.close()
  const recovered = recover(files)
  assert.equal(recovered.batches.length, 59)
  assert.ok(recovered.cutBytes > 0)
  const later = new JournalFixture(files, { segmentBytes: 4096, resume: recovered })
  later.put(3)
  later.writer.doWork()
  later.writer.onClose()
  assert.equal(recover(files).batches.length, 60)
})

test('a read uses the lent memory if it has room, and new memory otherwise', (context) => {
  const files = temporaryFiles(context)
  const file = files.create('a')
  file.write([Uint8Array.of(1, 2, 3, 4, 5)], 0)
  file.close()
  const lent = new Uint8Array(8).fill(9)
  const bytes = files.read('a', undefined, lent.buffer)
  assert.equal(bytes.buffer, lent.buffer)
  assert.deepEqual([...bytes], [1, 2, 3, 4, 5])
  assert.deepEqual([...lent], [1, 2, 3, 4, 5, 9, 9, 9], 'the memory after the file is unchanged')
  const small = files.read('a', undefined, new ArrayBuffer(4))
  assert.deepEqual([...small], [1, 2, 3, 4, 5])
})

test('a flush fails if the file, or the folder above it, is no longer where it was', () => {
  const above = mkdtempSync(join(tmpdir(), 'strikebook-vanish-'))
  const root = join(above, 'journal')
  const changes: readonly (() => void)[] = [
    () => renameSync(root, join(above, 'moved')),
    () => rmSync(root, { recursive: true }),
    () => rmSync(join(root, 'a')),
    () => {
      renameSync(root, join(above, 'old'))
      cpSync(join(above, 'old'), root, { recursive: true })
    },
  ]
  for (const change of changes) {
    rmSync(root, { recursive: true, force: true })
    const file = new NodeFiles(root).create('a')
    file.write([new Uint8Array(8)], 0)
    file.flush()
    change()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pathCheckMillis + 1)
    assert.throws(() => file.flush(), /journal\/a is (gone|another file now)/)
    file.close()
  }
  rmSync(above, { recursive: true })
})

test('folders and files are private under any umask', (context) => {
  const root = mkdtempSync(join(tmpdir(), 'strikebook-files-'))
  context.after(() => rmSync(root, { recursive: true, force: true }))
  const mask = process.umask(0)
  try {
    const files = new NodeFiles(join(root, 'data', 'journal'), true)
    files.create('a').close()
    files.syncDirectory('archive')
  } finally {
    process.umask(mask)
  }
  const paths = readdirSync(root, { recursive: true }).map(String).sort()
  const modes = paths.map((path) => [path, (statSync(join(root, path)).mode & 0o777).toString(8)])
  assert.deepEqual(modes, [
    ['data', '700'],
    ['data/journal', '700'],
    ['data/journal/a', '600'],
    ['data/journal/archive', '700'],
  ])
})
