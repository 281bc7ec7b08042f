import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { verbs } from '../../../gateway/command-line/verbs.js'
import type { Comparison } from '../../../scripts/command/replay/comparison.js'
import { CoreRig } from '../../support/core-rig.js'
import { expectedOf } from '../../support/folder-fixture.js'
import { KeptData } from '../../support/kept-data.js'
import { folderRoot } from '../../support/kept-folder.js'
import { RigFolder } from '../../support/rig-folder.js'
import { strikebook, strikebookJson } from '../../support/strikebook.js'

const data = new KeptData('clean')
after(() => data.dispose())
const dataDir = `--data-dir=${data.dataDir}`
const { lastBatch, lastSeq, tables } = expectedOf(folderRoot).clean.informed

interface Replayed {
  readonly batchNumber: number
  readonly seq: number
  readonly timeMillis: number
  readonly stateHash: string
}

const replay = (...words: string[]) => strikebookJson<Replayed>('replay', dataDir, ...words)
const compare = (...words: string[]) => strikebookJson<Comparison>('replay', dataDir, ...words)

/** A parameter of the default that the kept folder has: nothing is otherwise with it. */
const asItWas = 'fees.settlementCap=0.125'

test('a replay ends with the last batch, or before the given sequence or time', () => {
  const all = replay()
  assert.equal(all.batchNumber, lastBatch)
  assert.equal(all.seq, lastSeq)
  const half = replay('--to-seq', String(Math.floor(lastSeq / 2)))
  assert.ok(half.seq <= lastSeq / 2 && half.seq > lastSeq / 4)
  const timed = replay('--to-time', String(half.timeMillis))
  assert.ok(timed.timeMillis <= half.timeMillis && timed.batchNumber >= half.batchNumber)
  const { stateHash } = strikebookJson<Replayed>(
    'inspect',
    'hash',
    dataDir,
    '--batch',
    String(half.batchNumber),
  )
  assert.equal(half.stateHash, stateHash)
})

test('a replay to a sequence continues past a batch that has only a bound of its sequence', (context) => {
  const rig = new CoreRig().openMarket()
  rig.index(90_000)
  const { batches, state } = rig.run()
  const early = batches.at(-2)!
  const folder = new RigFolder(batches.with(-2, { ...early, seqAfter: early.seqAfter + 1000 }))
  context.after(() => folder.dispose())
  const { seq } = state.sink
  const replayed = strikebookJson<Replayed>(
    'replay',
    `--data-dir=${folder.dataDir}`,
    `--to-seq=${seq}`,
  )
  assert.deepEqual([replayed.seq, replayed.batchNumber], [seq, state.batchNumber])
})

test('nothing differs without changes', () => {
  const { fills, liquidations, refused, margins, until } = compare('--set', asItWas)
  assert.equal(until.batchNumber, lastBatch)
  assert.ok(fills.was > 0)
  assert.deepEqual([fills.gone, fills.added], [[], []])
  assert.ok(liquidations.was > 0)
  assert.deepEqual([liquidations.gone, liquidations.added], [[], []])
  assert.deepEqual(refused, {})
  assert.deepEqual(margins, {})
})

test('the example of the help is allowed', () => {
  const { example } = verbs.find(({ name }) => name === 'replay')!
  const set = /--set \S+/.exec(example)![0].split(' ')
  assert.ok(compare(...set).fills.was > 0)
})

test('a parameter changes rejections, fills and margin from its batch on', () => {
  const dear = compare('--set', 'fees.takerRate=0.002')
  assert.ok(Object.keys(dear.margins).length > 0)
  const late = compare('--set', 'fees.takerRate=0.002', '--from-batch', String(lastBatch))
  assert.ok(Object.keys(late.margins).length <= Object.keys(dear.margins).length)
  assert.deepEqual(late.fills.gone, [])
})

test('a parameter changes from any batch on, also without a snapshot before it', () => {
  const bare = new KeptData('clean')
  try {
    const journal = join(bare.dataDir, 'journal')
    const snapshots = readdirSync(journal).filter((name) => name.includes('snapshot'))
    assert.ok(snapshots.length > 0)
    for (const name of snapshots) bare.disposeOf(join(journal, name))
    const dear = (batch: number) =>
      strikebookJson<Comparison>(
        'replay',
        `--data-dir=${bare.dataDir}`,
        ...['--set', 'fees.takerRate=0.002', '--from-batch', String(batch)],
      )
    const wallets = (batch: number) => Object.keys(dear(batch).margins).length
    assert.ok(wallets(2) > 0 && wallets(lastBatch) <= wallets(2))
  } finally {
    bare.dispose()
  }
})

test('an inserted order trades with the existing ones', () => {
  interface Rows {
    readonly rows: readonly {
      readonly wallet: string
      readonly symbol: string
      readonly priceMicros: number
      readonly side: number
    }[]
  }
  const { rows } = strikebookJson<Rows>(
    'inspect',
    'state',
    'orders',
    dataDir,
    '--batch',
    String(lastBatch - 1),
  )
  assert.ok(rows.length > 0 && tables['accounts']! > 1)
  const outcomes = rows.slice(0, 8).map(({ priceMicros, side, symbol, wallet }) => {
    const other = rows.find((row) => row.wallet !== wallet)?.wallet ?? wallet
    const order = {
      ...{ wallet: other, symbol, price: String(priceMicros / 1e6), size: '0.01' },
      ...{ side: side === 0 ? 'Sell' : 'Buy', tif: 'ioc' },
    }
    return compare('--insert', JSON.stringify(order), '--from-batch', String(lastBatch))
  })
  const heard = outcomes.filter(
    ({ fills, refused }) => fills.added.length > 0 || Object.keys(refused).length > 0,
  )
  assert.equal(heard.length, outcomes.length)
})

test('an invalid change or insertion is an error of the command line', () => {
  for (const words of [
    ['--set', 'port=8080'],
    ['--set', 'fees.takerRate=dear'],
    ['--set', 'nothing'],
    ['--insert', '{"side":"Buy"}'],
    ['--insert', 'buy'],
    ['--to-time', 'noon'],
    ['--set', asItWas, '--from-batch', String(lastBatch + 1)],
  ]) {
    assert.equal(strikebook('replay', dataDir, ...words).code, 2, words.join(' '))
  }
})

test('an inserted order does not change cancels by id of the existing orders', () => {
  interface Rows {
    readonly rows: readonly Readonly<Record<'wallet' | 'symbol', string>>[]
  }
  const { rows } = strikebookJson<Rows>('inspect', 'state', 'orders', dataDir, '--batch', '100')
  const [{ symbol, wallet }] = rows as [Rows['rows'][number]]
  const order = { wallet, symbol, side: 'Buy', price: '0.01', size: '0.01' }
  const { refused } = compare('--insert', JSON.stringify(order), '--from-batch', '101')
  assert.equal(refused['order_not_found'], undefined)
})
