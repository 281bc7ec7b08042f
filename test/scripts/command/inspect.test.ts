import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { expectedOf } from '../../support/folder-fixture.js'
import { KeptData } from '../../support/kept-data.js'
import { folderRoot } from '../../support/kept-folder.js'
import { strikebook, strikebookJson } from '../../support/strikebook.js'

const data = new KeptData('clean')
after(() => data.dispose())
const dataDir = `--data-dir=${data.dataDir}`
const inspect = <T = Record<string, unknown>>(...words: string[]) =>
  strikebookJson<T>('inspect', ...words, dataDir)
const { lastBatch, lastSeq, tables } = expectedOf(folderRoot).clean.informed

interface Row {
  readonly [column: string]: unknown
}

test('inspect lists the journal with its segments, its snapshots and its end', () => {
  interface Listed {
    readonly segments: readonly Row[]
    readonly snapshots: readonly Row[]
    readonly end: Row
  }
  const { segments, snapshots, end } = inspect<Listed>('journal')
  const files = readdirSync(join(data.dataDir, 'journal'), { recursive: true })
  assert.equal(segments.length + snapshots.length, files.length - 1)
  assert.equal(end['seqAfter'], lastSeq)
  assert.equal(end['isGraceful'], true)
  assert.match(strikebook('inspect', 'journal', dataDir).out, /ends with batch \d+.*gracefully/)
})

test('inspect shows a segment, a batch and a command down to every field', () => {
  const { batches } = inspect<{ batches: readonly Row[] }>('segment', '0', '--limit', '5')
  assert.equal(batches.length, 5)
  const full = batches.find(({ commandCount }) => Number(commandCount) > 0)!
  const number = String(full['batchNumber'])
  const { commands } = inspect<{ commands: readonly Row[] }>('batch', number)
  assert.equal(commands.length, full['commandCount'])
  const command = inspect<Row>('command', number, '0')
  assert.equal(command['type'], commands[0]!['type'])
  assert.ok('wallet' in command)
})

test('inspect shows a snapshot if its state has the hash that it names', () => {
  const { batchNumber, counts } = inspect<{ batchNumber: number; counts: Row }>('snapshot')
  assert.equal(batchNumber, lastBatch)
  assert.equal(counts['accounts'], tables['accounts'])
  assert.equal(counts['orders'], tables['working orders'])
})

test('inspect shows the tables of the state after any batch', () => {
  const now = inspect<{ rows: readonly Row[] }>('state', 'accounts', '--limit', '1000')
  assert.equal(now.rows.length, tables['accounts'])
  const cash = now.rows.map((row) => Number(row['cashMicros'])).reduce((sum, one) => sum + one, 0)
  assert.equal(cash, tables['cash micros'])
  const early = inspect<{ rowCount: number; batchNumber: number }>(
    'state',
    'accounts',
    '--batch',
    '5',
  )
  assert.equal(early.batchNumber, 5)
  assert.ok(early.rowCount < now.rows.length)
})

test('the hash after the last batch equals that of the last snapshot, by either method', () => {
  const { stateHash } = inspect<{ stateHash: string }>('hash')
  assert.match(stateHash, /^[0-9a-f]{16}$/)
  const replayed = inspect<{ stateHash: string; batchNumber: number }>(
    'hash',
    '--batch',
    String(lastBatch),
  )
  assert.deepEqual(replayed.stateHash, stateHash)
})

interface Story {
  readonly steps: readonly { readonly kind: string; readonly record: Row; readonly batch: number }[]
}

test('inspect shows the whole history of an order: its command and its events', () => {
  const { rows } = inspect<{ rows: readonly Row[] }>('state', 'orders', '--limit', '1')
  const [{ orderId, wallet }] = rows as [Row]
  const { steps } = inspect<Story>('order', String(orderId))
  const [first] = steps
  assert.equal(first!.kind, 'command')
  assert.match(String(first!.record['type']), /PlaceOrder|ReplaceOrder|Bulk/)
  assert.equal(first!.record['wallet'], wallet)
  const updates = steps.filter(({ record }) => record['type'] === 'OrderUpdate')
  assert.ok(updates.length > 0)
  for (const { record } of updates) assert.equal((record['facts'] as Row)['orderId'], orderId)
})

test('inspect shows everything that names a wallet', () => {
  const { rows } = inspect<{ rows: readonly Row[] }>('state', 'exposures', '--limit', '1')
  const wallet = String(rows[0]!['wallet'])
  const { steps } = inspect<Story>('wallet', wallet, '--limit', '100000')
  for (const type of ['Account', 'OrderUpdate', 'Fill']) {
    assert.ok(
      steps.some(({ record }) => record['type'] === type),
      type,
    )
  }
  for (const { record } of steps) assert.ok(JSON.stringify(record).includes(wallet))
})

test('an unknown batch, order or file is an error of the command line', () => {
  for (const words of [
    ['batch', '99999999'],
    ['state', 'nonsense'],
    ['snapshot', '7'],
    ['segment', '77'],
  ]) {
    assert.equal(strikebook('inspect', ...words, dataDir).code, 2, words.join(' '))
  }
  assert.equal(strikebook('inspect', 'journal', '--data-dir=/nowhere').code, 2)
  assert.equal(strikebook('inspect', 'wallet', '0x12', dataDir).code, 2)
})

test('verify proves a sound folder, also by replay, and changes nothing', () => {
  const read = () =>
    readdirSync(join(data.dataDir, 'journal'), {
      recursive: true,
      encoding: 'utf8',
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('base64'))
  const before = read()
  const verdict = strikebookJson<Row>('verify', '--replay', dataDir)
  assert.equal(verdict['ok'], true)
  assert.equal(verdict['replayed'], lastBatch)
  assert.deepEqual(read(), before)
})

test('an order or a wallet that the journal does not have is a failure that says so', () => {
  for (const words of [
    ['order', '999999999'],
    ['wallet', `0x${'7'.repeat(40)}`],
  ]) {
    const { code, error } = strikebook('inspect', ...words, dataDir)
    assert.equal(code, 1)
    assert.match(error, /the journal has no records of/)
  }
})

test('verify ends with 1 and names file and offset of a flipped bit in the archive', () => {
  const archive = join(data.dataDir, 'journal', 'archive')
  const name = readdirSync(archive).find((file) => file.startsWith('segment'))!
  const bytes = readFileSync(join(archive, name))
  bytes[5000] ^= 4
  writeFileSync(join(archive, name), bytes)
  const { code, out } = strikebook('verify', dataDir)
  assert.equal(code, 1)
  assert.match(
    out,
    new RegExp(`^journal/archive/${name} at offset \\d+: \\d+ bytes without a valid record`, 'm'),
  )
  assert.equal(JSON.parse(strikebook('verify', dataDir, '--json').out).ok, false)
})

test('an unknown table is an error of the command line, whatever its name', () => {
  for (const name of ['dust', '__proto__', 'constructor', 'toString']) {
    const { code, error } = strikebook('inspect', 'state', name, dataDir)
    assert.equal(code, 2, name)
    assert.match(error, /unknown table/)
  }
})
