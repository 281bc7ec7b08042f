import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { auditFile } from '../../../gateway/operator/audit-files.js'
import {
  type AuditAction,
  type AuditBytes,
  type AuditEnding,
  type AuditFilter,
  AuditLog,
  type AuditPage,
} from '../../../gateway/operator/audit-log.js'
import type { AuditRow } from '../../../schemas/interface/operator.js'

const folder = mkdtempSync(join(tmpdir(), 'strikebook-audit-'))
after(() => rmSync(folder, { recursive: true }))
const notes: string[] = []
const nobody: AuditFilter = { identity: null, path: null }
const done = (seq: number): AuditEnding => ({ outcome: 'done', status: 200, code: null, seq })
const refused: AuditEnding = { outcome: 'refused', status: 401, code: 'unauthorized', seq: null }

const newPath = () => join(mkdtempSync(join(folder, 'data-')), auditFile)
const options = {
  ...{ isFlushed: true, fileBytesMax: 2 ** 26, nowMillis: () => 5 },
  onNote: (text: string) => notes.push(text),
}
const openLog = (path: string) => AuditLog.open(dirname(path), options)

function action(
  identity: string | null,
  path = '/operator/halts',
  body: unknown = {},
): AuditAction {
  return { identity, path, body, address: '127.0.0.1', method: 'POST', requested: null }
}

async function doIn(log: AuditLog, what: AuditAction, seq: number): Promise<void> {
  await log.end(await log.begin(what), done(seq))
}

async function rowsOf(log: AuditLog, filter = nobody, limit = 100): Promise<readonly AuditRow[]> {
  return (await log.page(null, limit, filter))!.rows
}

const seqsIn = (rows: readonly AuditRow[]) => rows.map(({ seq }) => seq)

test('an action is on disk before it is executed, and listed with its body and sequence afterwards', async () => {
  const path = newPath()
  const log = await openLog(path)
  const id = await log.begin(action('alice', '/operator/halts', { mode: 'halted' }))
  assert.match(readFileSync(path, 'utf8'), /"outcome":"requested".*"mode":"halted"/)
  assert.deepEqual(await rowsOf(log), [])
  await log.end(id, done(7))
  const [row] = await rowsOf(log)
  assert.deepEqual(row, {
    ...{ id: 2, time_ms: 5, identity: 'alice', address: '127.0.0.1', method: 'POST' },
    ...{ path: '/operator/halts', body: { mode: 'halted' }, requested: null },
    ...{ outcome: 'done', status: 200, code: null, seq: 7, left_out: 0 },
  })
  assert.equal(statSync(path).mode & 0o777, 0o600)
  await log.close()
})

test('pages go from the newest line to the first, by identity and path, and new lines do not move them', async () => {
  const log = await openLog(newPath())
  for (let seq = 1; seq <= 30; seq++) {
    await doIn(log, action(seq % 2 ? 'alice' : 'bob', `/operator/${seq % 3}`), seq)
  }
  const seen: (number | null)[] = []
  let cursor: number | null = null
  do {
    const page: AuditPage = (await log.page(cursor, 7, nobody))!
    seen.push(...seqsIn(page.rows))
    cursor = page.nextCursor
    await doIn(log, action('carol'), 1000)
  } while (cursor !== null)
  assert.deepEqual(
    seen,
    Array.from({ length: 30 }, (_, i) => 30 - i),
  )
  const odd = await rowsOf(log, { identity: 'alice', path: '/operator/0' })
  assert.deepEqual(seqsIn(odd), [27, 21, 15, 9, 3])
  await log.close()
})

test('lines longer than one read are returned whole', async () => {
  const log = await openLog(newPath())
  const long = 'é'.repeat(100_000)
  for (let seq = 1; seq <= 5; seq++) await doIn(log, action('alice', '/x', { long, seq }), seq)
  const rows = await rowsOf(log)
  assert.deepEqual(seqsIn(rows), [5, 4, 3, 2, 1])
  for (const { body } of rows) assert.equal((body as { long: string }).long, long)
  await log.close()
})

test('a cursor that no page returned is invalid', async () => {
  const log = await openLog(newPath())
  await doIn(log, action('alice'), 1)
  assert.equal(await log.page(3, 10, nobody), null)
  assert.equal(await log.page(1_000_000, 10, nobody), null)
  assert.deepEqual(await log.page(0, 10, nobody), { rows: [], nextCursor: null })
  await log.close()
})

test('a crash within a line at any byte loses only that line, and its action is listed as unknown', async () => {
  const path = newPath()
  const log = await openLog(path)
  await doIn(log, action('alice'), 1)
  const id = await log.begin(action('bob', '/operator/deposits', { amount: '1' }))
  const begun = readFileSync(path)
  await log.end(id, done(2))
  await log.close()
  const whole = readFileSync(path)
  for (let bytes = begun.length; bytes < whole.length; bytes += 17) {
    const torn = newPath()
    writeFileSync(torn, whole.subarray(0, bytes))
    const again = await openLog(torn)
    const rows = await rowsOf(again)
    assert.deepEqual(
      rows.map(({ identity, outcome, body }) => [identity, outcome, body]),
      [
        ['bob', 'unknown', { amount: '1' }],
        ['alice', 'done', {}],
      ],
    )
    await doIn(again, action('carol'), 3)
    assert.deepEqual(seqsIn(await rowsOf(again)), [3, null, 1])
    const ids = (await rowsOf(again)).map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    await again.close()
    const third = await openLog(torn)
    assert.equal((await rowsOf(third)).length, 3)
    await third.close()
  }
})

test('an action that was open among many others is found at the next start', async () => {
  const path = newPath()
  const log = await openLog(path)
  await log.begin(action('bob', '/operator/clock'))
  for (let seq = 1; seq <= 50; seq++) await doIn(log, action('alice'), seq)
  await log.close()
  const again = await openLog(path)
  const rows = await rowsOf(again, { identity: 'bob', path: null })
  assert.deepEqual(
    rows.map(({ outcome, path: of }) => [outcome, of]),
    [['unknown', '/operator/clock']],
  )
  await again.close()
})

test('an unreadable line is reported, hides no other, and does not prevent a start', async () => {
  const path = newPath()
  const log = await openLog(path)
  await doIn(log, action('alice'), 1)
  await log.close()
  appendFileSync(path, '{"id":9,\u0000\u0000\n')
  const again = await openLog(path)
  await doIn(again, action('alice'), 2)
  const rows = await rowsOf(again, { identity: 'alice', path: null })
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['done', 'damaged', 'done'],
  )
  await again.close()
})

test('concurrent requests share their flushes and are all there', async () => {
  const log = await openLog(newPath())
  const many = Array.from({ length: 100 }, (_, i) => doIn(log, action(`p${i}`), i))
  await Promise.all([...many, log.note(action(null), refused)])
  assert.equal((await rowsOf(log, nobody, 200)).length, 101)
  await log.close()
})

/** A log whose file fails while `fault` says with what. */
async function openFailing(step: 'appendFile' | 'datasync') {
  const file = await open(newPath(), 'a+')
  const disk = { fault: '' }
  const failing = async () => {
    if (disk.fault !== '') throw new Error(disk.fault)
  }
  const wrapped = {
    begin: 0,
    fault: () => null,
    appendFile: (bytes: Buffer) => file.appendFile(bytes),
    datasync: () => file.datasync(),
    close: () => file.close(),
    stat: () => file.stat(),
    truncate: (bytes: number) => file.truncate(bytes),
    read: file.read.bind(file),
  }
  const { [step]: sound } = wrapped
  const broken = {
    ...wrapped,
    [step]: async (bytes: Buffer) => {
      await failing()
      await sound(bytes)
    },
  }
  return { disk, log: await AuditLog.over(broken as unknown as AuditBytes, options) }
}

test('an action that cannot be logged is not begun, and pending results are written first', async () => {
  const { disk, log } = await openFailing('appendFile')
  const id = await log.begin(action('alice'))
  disk.fault = 'ENOSPC: no space left on device'
  await log.end(id, done(1))
  await assert.rejects(log.begin(action('bob')), /cannot be written/)
  await assert.rejects(log.note(action(null), refused), /ENOSPC/)
  assert.match(notes.at(-1)!, /ENOSPC/)
  disk.fault = ''
  await doIn(log, action('carol'), 2)
  assert.deepEqual(
    (await rowsOf(log)).map(({ identity, outcome, seq }) => [identity, outcome, seq]),
    [
      ['carol', 'done', 2],
      ['alice', 'done', 1],
    ],
  )
  await log.close()
})

test('after a failed flush no action begins until the venue restarts', async () => {
  const { disk, log } = await openFailing('datasync')
  await doIn(log, action('alice'), 1)
  disk.fault = 'EIO: i/o error'
  await assert.rejects(log.begin(action('bob')), /EIO/)
  disk.fault = ''
  await assert.rejects(log.begin(action('bob')), /flush of the audit log failed/)
  await log.close()
})

test('the former end of the journal is known from the latest lines, whatever follows them', async () => {
  const path = newPath()
  const log = await openLog(path)
  assert.equal(log.foundSeq, 0)
  await doIn(log, action('alice'), 70)
  await doIn(log, action('alice'), 69)
  for (let i = 0; i < 20; i++) await log.note(action(null), refused)
  await log.close()
  const again = await openLog(path)
  assert.ok(again.foundSeq >= 69)
  await again.close()
})
