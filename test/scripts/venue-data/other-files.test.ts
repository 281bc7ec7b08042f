import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { scrubJournal } from '../../../scripts/venue-data/scrub.js'
import { VenueFolder } from '../../../scripts/venue-data/venue-folder.js'
import { CoreRig } from '../../support/core-rig.js'
import { KeptData } from '../../support/kept-data.js'
import { RigFolder } from '../../support/rig-folder.js'
import { strikebook } from '../../support/strikebook.js'

let data: KeptData
let to = ''
let lastSeq = 0
beforeEach(() => {
  data = new KeptData('clean')
  to = `${data.dataDir}-backup`
  lastSeq = scrubJournal(new VenueFolder(data.dataDir)).lastSeq
})
afterEach(() => {
  data.dispose()
  data.disposeOf(to)
})

const put = (file: string, text: string) => writeFileSync(join(data.dataDir, file), text)
const copied = (file: string) => readFileSync(join(to, file), 'utf8')
const verify = (folder: string, ...words: string[]) =>
  strikebook('verify', `--data-dir=${folder}`, ...words)
const backup = () => strikebook('backup', `--data-dir=${data.dataDir}`, `--to=${to}`)

function delivery(directiveId: string, seq: number, status = 0): string {
  const terms = { wallet: '0x01', destination: '0x02', amountMicros: 5_000_000 }
  return `${JSON.stringify({ directiveId, ...terms, seq, delivery: status, txHash: null })}\n`
}

function auditNameOf(base: number): string {
  return `operator-audit-${String(base).padStart(15, '0')}.jsonl`
}

function audited(id: number, of: number, seq: number | null): string {
  const outcome = seq === null ? 'requested' : 'done'
  return `${JSON.stringify({ id, time_ms: 1, of, outcome, method: 'é', seq, from: 0 })}\n`
}

test('deliveries after the end of the journal are not in a backup, because a start would fail with them', () => {
  const held = delivery('a', lastSeq)
  const later = delivery('a', lastSeq, 7)
  put('rail.jsonl', `${held}${delivery('b', lastSeq + 3)}${later}{"directiveId":"c`)
  const { code, out } = verify(data.dataDir)
  assert.equal(code, 1)
  const seen = `rail.jsonl: it has sequence ${lastSeq + 3}, but the journal ends with ${lastSeq}`
  assert.ok(out.includes(seen), out)
  assert.equal(backup().code, 0)
  assert.equal(copied('rail.jsonl'), held + later)
  assert.equal(verify(to).code, 0)
})

test('verify by replay knows where the journal ends when its last batch has only a bound', (context) => {
  const { batches, state } = new CoreRig().openMarket()
  const { seq } = state.sink
  const last = batches.at(-1)!
  const folder = new RigFolder(batches.with(-1, { ...last, seqAfter: seq + 1000 }))
  context.after(() => folder.dispose())
  writeFileSync(join(folder.dataDir, 'rail.jsonl'), delivery('a', seq + 3))
  const { code, out } = verify(folder.dataDir, '--replay')
  assert.equal(code, 1)
  assert.ok(out.includes(`has sequence ${seq + 3}, but the journal ends with ${seq}`), out)
})

test('the audit log of a backup ends before actions that the journal lacks, and begins every action that it has', () => {
  const kept = audited(1, 1, null) + audited(2, 2, null) + audited(3, 1, lastSeq)
  put('operator-audit.jsonl', kept + audited(4, 2, lastSeq + 1) + audited(5, 5, null))
  assert.match(verify(data.dataDir).out, /operator-audit\.jsonl: it has sequence/)
  assert.equal(backup().code, 0)
  assert.equal(copied('operator-audit.jsonl'), kept)
  assert.equal(verify(to).code, 0)
})

test('an audit log of several files is cut in the one where the journal ends, and later files are left out', () => {
  const first = audited(1, 1, null) + audited(2, 1, lastSeq)
  const second = audited(3, 3, null)
  const secondName = auditNameOf(Buffer.byteLength(first))
  const third = audited(4, 3, lastSeq + 1)
  const whole = first + second + third
  put('operator-audit.jsonl', first)
  put(secondName, second + third)
  put(auditNameOf(Buffer.byteLength(whole)), audited(5, 5, null))
  assert.equal(backup().code, 0)
  assert.equal(copied('operator-audit.jsonl'), first)
  assert.equal(copied(secondName), second)
  assert.ok(!existsSync(join(to, auditNameOf(Buffer.byteLength(whole)))))
  assert.equal(verify(to).code, 0)
})

test('a missing file of the audit log is reported, and the first ones may be elsewhere', () => {
  const line = audited(1, 1, lastSeq)
  const bytes = Buffer.byteLength(line)
  for (const place of [1, 2, 3]) put(auditNameOf(place * bytes), line)
  assert.equal(verify(data.dataDir).code, 0)
  rmSync(join(data.dataDir, auditNameOf(2 * bytes)))
  const { code, out } = verify(data.dataDir)
  assert.equal(code, 1)
  assert.ok(out.includes(`${bytes} bytes are missing between ${auditNameOf(bytes)} and`), out)
})

test('an unreadable record is a fault, and no backup contains one with which a start would fail', () => {
  for (const [file, text, what] of [
    ['rail.jsonl', 'garbage\n', /line 1 is damaged/],
    ['rail.jsonl', 'null\n', /line 1 is damaged/],
    ['rail.jsonl', '{"directiveId":"a"}\n', /line 1 is damaged/],
    ['withdrawals-missing.json', '{}', /withdrawals-missing\.json/],
  ] as const) {
    put(file, text)
    const { code, out } = verify(data.dataDir)
    assert.equal(code, 1, text)
    assert.match(out, what)
    const refused = backup()
    assert.equal(refused.code, 1)
    assert.match(refused.error, what)
    assert.ok(!existsSync(to))
    rmSync(join(data.dataDir, file))
  }
})

test('faults with which a venue starts are reported, and the files are in the backup unchanged', () => {
  put('push-vapid.json', '{}')
  put('operator-approvals.json', '{}')
  put('operator-audit.jsonl', `${audited(1, 1, null)}rubbish\n`)
  const { code, out } = verify(data.dataDir)
  assert.equal(code, 1)
  assert.match(out, /push-vapid\.json: it is no pair of keys/)
  assert.match(out, /operator-approvals\.json: .*not a list of requests/)
  assert.match(out, /operator-audit\.jsonl at offset \d+: a line that cannot be read/)
  const taken = backup()
  assert.equal(taken.code, 0)
  assert.match(taken.error, /push-vapid\.json: it is no pair of keys/)
  assert.match(copied('operator-audit.jsonl'), /rubbish/)
})

test('a file that is being written is not copied', () => {
  put('push-vapid.json.part', '{')
  put('notes.txt', 'of the operator')
  assert.equal(backup().code, 0)
  assert.ok(!existsSync(join(to, 'push-vapid.json.part')))
  assert.equal(copied('notes.txt'), 'of the operator')
})
