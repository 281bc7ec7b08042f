import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { lockDataDirectory } from '../../../engine/journal/data-lock.js'
import type { Manifest } from '../../../scripts/venue-data/backup.js'
import { KeptData } from '../../support/kept-data.js'
import { strikebook } from '../../support/strikebook.js'

const source = new KeptData('clean')
const taken = `${source.dataDir}-backup`
const target = `${source.dataDir}-restored`
const manifestPath = join(taken, 'backup.json')
let segment = ''
let kept: Readonly<Record<'segment' | 'manifest', Buffer>>

before(() => {
  const { code, error } = strikebook('backup', `--data-dir=${source.dataDir}`, `--to=${taken}`)
  assert.equal(code, 0, error)
  const { files } = manifest()
  segment = join(taken, files.find(({ file }) => /segment-/.test(file))!.file)
})
beforeEach(() => {
  kept = { segment: readFileSync(segment), manifest: readFileSync(manifestPath) }
})
afterEach(() => {
  writeFileSync(segment, kept.segment)
  writeFileSync(manifestPath, kept.manifest)
  source.disposeOf(target)
})
after(() => {
  source.dispose()
  source.disposeOf(taken)
})

const manifest = () => JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest
const restore = (...words: string[]) =>
  strikebook('restore', `--from=${taken}`, `--data-dir=${target}`, '--any-identity', ...words)

test('a backup with a flipped byte, a cut or a missing file is named, and nothing is restored', () => {
  const damages: readonly (readonly [RegExp, () => void])[] = [
    [
      /other bytes than once/,
      () =>
        writeFileSync(
          segment,
          kept.segment.map((byte) => byte ^ 1),
        ),
    ],
    [/bytes, once \d+/, () => truncateSync(segment, 300)],
    [/is missing/, () => rmSync(segment)],
  ]
  for (const [what, damage] of damages) {
    damage()
    const { code, error } = restore()
    assert.equal(code, 1)
    assert.match(error, /the backup is damaged: journal\//)
    assert.match(error, what)
    assert.ok(!existsSync(target))
  }
})

test('a list of files that is damaged, or leads out of the backup, is invalid', () => {
  const { files, ...rest } = manifest()
  const outside = [{ ...files[0]!, file: '../outside' }]
  const texts = [
    String(kept.manifest).slice(0, 50),
    '{}',
    JSON.stringify({ ...rest, files: outside }),
  ]
  for (const text of texts) {
    writeFileSync(manifestPath, text)
    const { code, error } = restore()
    assert.equal(code, 1)
    assert.match(error, /is not a valid manifest/)
  }
  rmSync(manifestPath)
  assert.equal(restore().code, 2)
  assert.ok(!existsSync(target))
})

test('a folder that a venue has locked is not replaced', async () => {
  assert.equal(restore().code, 0)
  const names = readdirSync(target)
  const lock = await lockDataDirectory(target)
  assert.match(restore().error, /is not empty/)
  const { code, error } = restore('--replace')
  await lock.release()
  assert.equal(code, 1)
  assert.match(error, /is in use by process/)
  assert.deepEqual(readdirSync(target), names)
})

test('a restore that ends in another state puts the previous folder back', () => {
  assert.equal(restore().code, 0)
  const names = readdirSync(target)
  writeFileSync(manifestPath, JSON.stringify({ ...manifest(), stateHash: '0'.repeat(16) }))
  const { code, error } = restore('--replace')
  assert.equal(code, 1)
  assert.match(error, /another state than the backup/)
  assert.deepEqual(readdirSync(target), names)
})

test("another venue's data are accepted only with --any-identity", () => {
  const words = [`--from=${taken}`, `--data-dir=${target}`, '--preset=testnet']
  const { code, error } = strikebook('restore', ...words)
  assert.equal(code, 2)
  assert.match(error, /allow any with --any-identity/)
  assert.ok(!existsSync(target))
})

test('a file that is not part of a backup fails by its name, whatever its origin', () => {
  const sha256 = createHash('sha256').update('planted').digest('hex')
  const names = [
    ...['operator.token', 'lock-1.sock', 'history.rebuilding', 'history.db-wal', 'unfinished'],
    ...[
      'backup.json',
      'a/b',
      'journal/other',
      'journal/archive/other',
      'rail.jsonl.part',
      'journal',
    ],
  ]
  for (const file of names) {
    const { files, ...rest } = manifest()
    const planted = { file, bytes: 7, sha256 }
    writeFileSync(manifestPath, JSON.stringify({ ...rest, files: [...files, planted] }))
    const { code, error } = restore()
    assert.equal(code, 1, file)
    assert.ok(error.includes(`its manifest lists the unknown file "${file}"`), error)
    assert.ok(!existsSync(target))
    writeFileSync(manifestPath, kept.manifest)
  }
})

test('restore does not wait for a pipe, and does not follow a link', () => {
  const path = join(taken, 'planted')
  const outside = `${taken}-outside`
  const sha256 = createHash('sha256').update('planted').digest('hex')
  const { files, ...rest } = manifest()
  const planted = { file: 'planted', bytes: 7, sha256 }
  writeFileSync(manifestPath, JSON.stringify({ ...rest, files: [...files, planted] }))
  writeFileSync(outside, 'planted')
  for (const make of [() => execFileSync('mkfifo', [path]), () => symlinkSync(outside, path)]) {
    make()
    const { code, error } = restore()
    assert.equal(code, 1)
    assert.match(error, /planted is not a regular file/)
    assert.ok(!existsSync(target))
    rmSync(path)
  }
  rmSync(outside)
})

test('a manifest with control characters is invalid', () => {
  writeFileSync(manifestPath, JSON.stringify({ ...manifest(), identity: '\u001b[31m' }))
  const { code, error } = restore()
  assert.equal(code, 1)
  assert.match(error, /is not a valid manifest/)
})

test('a record of the rail that is damaged, or ahead of the journal, is never restored', () => {
  const terms = { directiveId: 'a', wallet: '0x01', destination: '0x02', amountMicros: 1 }
  const ahead = JSON.stringify({ ...terms, seq: 1e9, delivery: 0, txHash: null })
  for (const [line, what] of [
    ['garbage', /line 1 is damaged/],
    [ahead, /it has sequence 1000000000/],
  ] as const) {
    const text = `${line}\n`
    writeFileSync(join(taken, 'rail.jsonl'), text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    const record = { file: 'rail.jsonl', bytes: text.length, sha256 }
    const { files, ...rest } = JSON.parse(String(kept.manifest)) as Manifest
    writeFileSync(manifestPath, JSON.stringify({ ...rest, files: [...files, record] }))
    const { code, error } = restore()
    assert.equal(code, 1)
    assert.match(error, what)
    assert.ok(!existsSync(target))
  }
  rmSync(join(taken, 'rail.jsonl'))
})
