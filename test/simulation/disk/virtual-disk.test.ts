import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FaultKind, FaultPlan, faultKinds } from '../run/fault-plan.js'
import { Statistics } from '../run/statistics.js'
import { cutPower } from './power-cut.js'
import { VirtualDisk } from './virtual-disk.js'

const name = 'segment'
const bytesOf = (...values: number[]) => Uint8Array.from(values)

/** Returns a plan in which only these faults may strike. */
function planOf(seed: number, ...kinds: readonly FaultKind[]): FaultPlan {
  const without = new Set(faultKinds.filter((kind) => !kinds.includes(kind)))
  return new FaultPlan(seed, without, new Statistics())
}

/** Returns a disk with a durable file of four bytes. */
function flushedDisk(): VirtualDisk {
  const disk = new VirtualDisk()
  const file = disk.create(name)
  file.write([bytesOf(1, 2), bytesOf(3, 4)], 0)
  file.flush()
  disk.syncDirectory('')
  return disk
}

test('flushed data under a flushed name survives every power cut', () => {
  for (let seed = 0; seed < 50; seed++) {
    const disk = flushedDisk()
    disk.open(name).write([bytesOf(9, 9, 9)], 4)
    cutPower(disk, planOf(seed, 'power', 'torn', 'reordered'))
    assert.deepEqual([...disk.read(name, 4)], [1, 2, 3, 4], `seed ${seed}`)
  }
})

test('a power cut may or may not remove a file whose folder was not flushed', () => {
  const survived = new Set<boolean>()
  for (let seed = 0; seed < 50; seed++) {
    const disk = flushedDisk()
    const file = disk.create('new')
    file.write([bytesOf(7)], 0)
    file.flush()
    cutPower(disk, planOf(seed, 'power'))
    survived.add(disk.list('').includes('new'))
  }
  assert.equal(survived.size, 2)
})

test('without reordering a power cut keeps the first writes and may tear the last of them', () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 200; seed++) {
    const disk = flushedDisk()
    for (const byte of [5, 6, 7]) disk.open(name).write([bytesOf(byte, byte)], byte * 2 - 6)
    cutPower(disk, planOf(seed, 'power', 'torn'))
    seen.add(disk.read(name).slice(4).join(''))
  }
  for (const text of seen) assert.match(text, /^(5(5(6(6(7(7)?)?)?)?)?)?$/)
  assert.ok(seen.has('') && seen.has('55') && seen.has('556677') && seen.size > 5)
})

test('with reordering a later write survives without an earlier one, with zeros in between', () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 200; seed++) {
    const disk = flushedDisk()
    for (const byte of [5, 6]) disk.open(name).write([bytesOf(byte)], byte - 1)
    cutPower(disk, planOf(seed, 'power', 'reordered'))
    seen.add(disk.read(name).slice(4).join(''))
  }
  assert.deepEqual([...seen].sort(), ['', '06', '5', '56'])
})

test('a rename across folders survives as a whole or not at all', () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 50; seed++) {
    const disk = flushedDisk()
    disk.rename(name, 'archive/segment')
    if (seed % 3 === 0) disk.syncDirectory('archive')
    cutPower(disk, planOf(seed, 'power'))
    const [here, there] = [disk.list(''), disk.list('archive')]
    assert.ok(here.length + there.length >= 1, `seed ${seed}: the power cut removed the file`)
    seen.add(`${here.length}${there.length}`)
  }
  assert.ok(seen.has('10') && seen.has('01'))
})

test('a copy has the contents of the page cache and is independent', () => {
  const disk = flushedDisk()
  disk.open(name).write([bytesOf(8)], 0)
  const copy = disk.copy()
  disk.open(name).write([bytesOf(0)], 0)
  cutPower(copy, planOf(1, 'power'))
  assert.deepEqual([...copy.read(name)], [8, 2, 3, 4])
})
