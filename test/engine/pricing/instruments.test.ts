import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InstrumentTable, type InstrumentTerms } from '../../../engine/pricing/instruments.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { InstrumentState, Right } from '../../../schemas/domain.js'
import { InstrumentKey } from '../../../schemas/generated/commands.js'
import { viewsOf } from '../../../schemas/record-views.js'

const terms: InstrumentTerms = {
  underlyingName: 'BTC',
  expiryDate: 20260131,
  expiryMillis: 1000,
  strikeMicros: 110_000e6,
  right: Right.Call,
  tradingMode: 3,
  listedMillis: 1,
}

test('an instrument is found by all of its terms, by name and by the key of a command', () => {
  const table = new InstrumentTable()
  const id = table.add(terms)
  assert.equal(table.find('BTC', 20260131, 110_000e6, Right.Call), id)
  assert.equal(table.findKey(keyOf(terms)), id)
  for (const other of [
    { underlyingName: 'BT' },
    { expiryDate: 20260201 },
    { strikeMicros: 110_000e6 + 1 },
    { right: Right.Put },
  ]) {
    assert.equal(table.findKey(keyOf({ ...terms, ...other })), -1)
  }
})

test('a deleted instrument keeps its id, and its terms may be listed again under a new one', () => {
  const table = new InstrumentTable()
  const first = table.add(terms)
  const other = table.add({ ...terms, right: Right.Put })
  table.remove(first)
  assert.equal(table.findKey(keyOf(terms)), -1)
  assert.equal(table.state[first], InstrumentState.Deleted)
  assert.deepEqual(table.ofUnderlying[0], [other])
  const again = table.add(terms)
  assert.equal(again, 2)
  assert.equal(table.findKey(keyOf(terms)), again)
})

test('a settled instrument keeps its terms, and leaves the list of those with marks', () => {
  const table = new InstrumentTable()
  const first = table.add(terms)
  const other = table.add({ ...terms, right: Right.Put })
  table.settle(first)
  assert.equal(table.findKey(keyOf(terms)), first)
  assert.equal(table.state[first], InstrumentState.Settled)
  assert.deepEqual([table.ofUnderlying[0], table.settledOfUnderlying[0]], [[other], [first]])
  table.remove(first)
  assert.deepEqual(table.settledOfUnderlying[0], [])
  assert.equal(table.add(terms), 2)
})

test('listing twice is a bug of the caller', () => {
  const table = new InstrumentTable()
  table.add(terms)
  assert.throws(() => table.add(terms), /listed twice/)
})

test('deleting an instrument twice, or settling a deleted one, stops the engine', () => {
  const table = new InstrumentTable()
  const id = table.add(terms)
  table.remove(id)
  assert.throws(() => table.remove(id), /deleted once/)
  assert.throws(() => table.settle(id), /settled once/)
})

test('thousands of strikes are distinguished while the table grows', () => {
  const table = new InstrumentTable()
  for (let i = 0; i < 5000; i++) table.add({ ...terms, strikeMicros: (i + 1) * 1e6 })
  for (let i = 0; i < 5000; i++)
    assert.equal(table.find('BTC', 20260131, (i + 1) * 1e6, Right.Call), i)
})

test('underlyings are numbered in order of first use, up to their maximum number', () => {
  const table = new InstrumentTable()
  for (let i = 0; i < underlyingsMax; i++) assert.equal(table.addUnderlying(`U${i}`), i)
  assert.equal(table.addUnderlying('ONE_TOO_MANY'), -1)
  assert.equal(table.addUnderlying('U7'), 7)
})

test('a follower learns the name of an underlying after its index', () => {
  const table = new InstrumentTable()
  table.reserveUnderlying(2)
  assert.equal(table.findUnderlying('SOL'), -1)
  table.nameUnderlying(2, 'SOL')
  assert.equal(table.findUnderlying('SOL'), 2)
  assert.equal(table.add({ ...terms, underlyingName: 'SOL' }), 0)
  assert.equal(table.findKey(keyOf({ ...terms, underlyingName: 'SOL' })), 0)
})

function keyOf({
  underlyingName,
  expiryDate,
  right,
  strikeMicros,
}: InstrumentTerms): InstrumentKey {
  const key = new InstrumentKey().over(viewsOf(new ArrayBuffer(InstrumentKey.bytes)), 0)
  return Object.assign(key, { underlyingText: underlyingName, expiryDate, right, strikeMicros })
}
