import assert from 'node:assert/strict'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { auditFile, auditPartsIn } from '../../../gateway/operator/audit-files.js'
import { type AuditAction, AuditLog, type AuditPage } from '../../../gateway/operator/audit-log.js'
import type { AuditRow } from '../../../schemas/interface/operator.js'

const root = mkdtempSync(join(tmpdir(), 'strikebook-audit-files-'))
after(() => rmSync(root, { recursive: true }))

const fileBytesMax = 1000
const everybody = { identity: null, path: null }

function action(identity: string, body: unknown = {}): AuditAction {
  const where = { address: '127.0.0.1', method: 'POST', path: '/operator/halts' }
  return { identity, ...where, body, requested: null }
}

/** A log whose files hold a few lines each. */
async function openLog(folder = mkdtempSync(join(root, 'data-'))) {
  const notes: string[] = []
  const onNote = (text: string) => notes.push(text)
  const options = { isFlushed: true, fileBytesMax, nowMillis: () => 5, onNote }
  const log = await AuditLog.open(folder, options)
  const act = async (seq: number) => {
    const ending = { outcome: 'done', status: 200, code: null, seq } as const
    await log.end(await log.begin(action(`p${seq}`)), ending)
  }
  const add = async (from: number, to: number) => {
    for (let seq = from; seq <= to; seq++) await act(seq)
  }
  return { folder, notes, log, act, add }
}

async function rowsOf(log: AuditLog, limit = 7): Promise<readonly AuditRow[]> {
  const rows: AuditRow[] = []
  let cursor: number | null = null
  do {
    const page: AuditPage = (await log.page(cursor, limit, everybody))!
    rows.push(...page.rows)
    cursor = page.nextCursor
  } while (cursor !== null)
  return rows
}

const seqsOf = async (log: AuditLog) => (await rowsOf(log)).map(({ seq }) => seq)
const falling = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, i) => from - i)
const filesIn = (folder: string) => readdirSync(folder).sort()

test('a full file is closed, and pages continue across all files', async () => {
  const { folder, log, add } = await openLog()
  await add(1, 40)
  const parts = auditPartsIn(folder)
  assert.ok(parts.length > 5, `${parts.length}`)
  assert.equal(parts[0]!.name, auditFile)
  for (const [place, { name, base, bytes }] of parts.entries()) {
    const before = parts[place - 1]
    if (before !== undefined) assert.equal(base, before.base + before.bytes)
    const text = readFileSync(join(folder, name), 'utf8')
    for (const line of text.split('\n').slice(0, -1)) JSON.parse(line)
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
    assert.ok(bytes < 2 * fileBytesMax)
  }
  assert.deepEqual(await seqsOf(log), falling(40, 1))
  await log.close()
  const again = await openLog(folder)
  await again.act(41)
  assert.deepEqual(await seqsOf(again.log), falling(41, 1))
  assert.deepEqual(again.notes, [])
  await again.log.close()
})

test('an older log, one file of any size, is continued', async () => {
  const { folder, log, add } = await openLog()
  await add(1, 30)
  await log.close()
  const whole = filesIn(folder)
    .sort((one, other) => (one === auditFile ? -1 : other === auditFile ? 1 : one < other ? -1 : 1))
    .map((name) => readFileSync(join(folder, name)))
  const before = mkdtempSync(join(root, 'before-'))
  writeFileSync(join(before, auditFile), Buffer.concat(whole))
  const again = await openLog(before)
  await again.act(31)
  assert.equal(filesIn(before).length, 2)
  assert.deepEqual(await seqsOf(again.log), falling(31, 1))
  await again.log.close()
})

test('a crash at any step of closing a file leaves a complete log', async () => {
  const { folder, log, add } = await openLog()
  await add(1, 3)
  await log.close()
  const end = auditPartsIn(folder).reduce((sum, { bytes }) => sum + bytes, 0)
  const next = join(folder, `operator-audit-${String(end).padStart(15, '0')}.jsonl`)
  const last = auditPartsIn(folder).at(-1)!
  // The next file is there, and has nothing; then a part of its first line.
  for (const text of ['', '{"id":99,"ti']) {
    writeFileSync(next, text)
    const again = await openLog(folder)
    assert.deepEqual(await seqsOf(again.log), falling(3, 1))
    assert.equal(statSync(next).size, 0)
    assert.equal(statSync(join(folder, last.name)).size, last.bytes)
    await again.log.close()
  }
  const again = await openLog(folder)
  await again.act(4)
  assert.ok(statSync(next).size > 0)
  assert.deepEqual(await seqsOf(again.log), falling(4, 1))
  await again.log.close()
})

test('an action that was open when its file was closed is completed by the next start', async () => {
  const { folder, log, add } = await openLog()
  await log.begin(action('bob', { amount: '1' }))
  await add(1, 12)
  assert.ok(auditPartsIn(folder).length > 2)
  await log.close()
  const again = await openLog(folder)
  const [row] = await rowsOf(again.log)
  assert.deepEqual([row!.identity, row!.outcome, row!.body], ['bob', 'unknown', { amount: '1' }])
  await again.log.close()
})

test('the oldest files may be moved away, and the log then begins with the first that is left', async () => {
  const { folder, log, add } = await openLog()
  await add(1, 40)
  const [first, second, third] = auditPartsIn(folder)
  const { nextCursor } = (await log.page(null, 3, everybody))!
  rmSync(join(folder, first!.name))
  rmSync(join(folder, second!.name))
  await log.close()
  const again = await openLog(folder)
  const seqs = await seqsOf(again.log)
  assert.deepEqual(again.notes, [])
  assert.ok(seqs.length > 20 && seqs.length < 40, `${seqs.length}`)
  assert.deepEqual(seqs, falling(40, 41 - seqs.length))
  assert.ok((await again.log.page(nextCursor, 3, everybody)) !== null, 'a cursor of before holds')
  assert.equal(await again.log.page(third!.base - 1, 3, everybody), null)
  assert.equal(await again.log.page(0, 3, everybody), null)
  await again.act(41)
  assert.equal((await seqsOf(again.log))[0], 41)
  await again.log.close()
})

test('a file moved away while the venue runs is noticed at the next read: pages end after it', async () => {
  const { folder, notes, log, add } = await openLog()
  await add(1, 40)
  const [first] = auditPartsIn(folder)
  rmSync(join(folder, first!.name))
  const seqs = await seqsOf(log)
  assert.match(notes.join(), /^audit log: .*ENOENT.*it now begins at \d+$/)
  assert.ok(seqs.length < 40)
  assert.deepEqual(seqs, falling(40, 41 - seqs.length))
  await log.close()
})

test('after a gap no line is shown, the venue starts, and names the missing bytes', async () => {
  for (const [damage, what] of [
    [(path: string) => rmSync(path), /\d+ bytes are missing between/],
    [(path: string) => truncateSync(path, 10), /\d+ bytes are missing between/],
    [(path: string) => writeFileSync(path, 'more\n', { flag: 'a' }), /5 bytes after the beginning/],
  ] as const) {
    const { folder, log, add } = await openLog()
    await add(1, 40)
    await log.close()
    damage(join(folder, auditPartsIn(folder)[3]!.name))
    const again = await openLog(folder)
    assert.match(again.notes.join(), what)
    const seqs = await seqsOf(again.log)
    assert.ok(seqs.length > 0 && seqs.length < 40)
    assert.deepEqual(seqs, falling(40, 41 - seqs.length))
    await again.log.close()
  }
})
