import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CoreReplica } from '../../../engine/core/replica.js'
import { JournalDamage } from '../../../engine/journal/journal-errors.js'
import { recoverJournal } from '../../../engine/journal/recovery.js'
import { segmentHeaderBytes, segmentName } from '../../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../../engine/journal/segment-reader.js'
import { SnapshotStore, snapshotName } from '../../../engine/journal/snapshot-store.js'
import { engineConfigDefault } from '../../../engine/state/market/engine-config.js'
import { JournaledBatch } from '../../../schemas/generated/journal.js'
import { isLongRun } from '../../support/long-test.js'
import { MemoryFiles } from '../../support/memory-files.js'
import { versions } from './journal-fixture.js'
import { type BatchBorder, JournaledCore } from './journaled-core.js'
import { PrefixDisk } from './prefix-disk.js'

// Every bit of a 32 KiB journal is flipped. A record's check reads its own bytes alone, so for most
// bits it is enough to let the reader meet the damaged record, and to ask it whether it was durable:
// the two questions of which recovery makes its verdict. The verdict itself, by a whole recovery, is
// taken for every bit of every header and a seeded few of the others; a long run takes it for all of them.

const seed = 20261122
const journalBytes = 1 << 15
const wholeRecoveryOneIn = isLongRun ? 1 : 120
/** Bits that a check of one record alone is made for. */
const bitStep = isLongRun ? 1 : 13
let random = seed
// A hundred thousand refusals: their stacks would cost more than the checks.
Error.stackTraceLimit = 0

function below(count: number): number {
  random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
  return (random >>> 8) % count
}

const core = new JournaledCore(seed, journalBytes)
const name = segmentName(0)

test('every flipped bit of the journal is met as damage by the reader of its record', () => {
  const disk = new PrefixDisk(core.files)
  const bytes = disk.contentOf(name)
  assert.ok(bytes.length >= journalBytes)
  for (let bit = 0; bit < segmentHeaderBytes * 8; bit++) {
    flip(bytes, bit)
    assert.throws(() => new SegmentReader(disk, 0), JournalDamage, `bit ${bit}`)
    flip(bytes, bit)
  }
  const reader = new SegmentReader(disk, 0)
  for (const border of core.borders) {
    for (let bit = border.at * 8; bit < border.end * 8; bit += bitStep) {
      flip(bytes, bit)
      reader.offset = border.at
      if (reader.next() !== Found.Hole) assert.fail(`bit ${bit} was not seen, seed ${seed}`)
      if (reader.wasDurableBeyond() === isInLastGroup(core, border)) assert.fail(`bit ${bit}`)
      flip(bytes, bit)
    }
  }
})

test('a flipped bit is refused with its place, or in the last group cut and reported', () => {
  const disk = new PrefixDisk(core.files)
  const bytes = disk.contentOf(name)
  for (let bit = 0; bit < segmentHeaderBytes * 8; bit++) assertRefused(disk, name, bit, 0)
  let cut = 0
  for (const [index, border] of core.borders.entries()) {
    for (let bit = border.at * 8; bit < border.end * 8; bit++) {
      const inHeader = bit < (border.at + JournaledBatch.bytes) * 8
      if (!inHeader && below(wholeRecoveryOneIn) > 0) continue
      if (!isInLastGroup(core, border)) {
        assertRefused(disk, name, bit, border.at)
        continue
      }
      cut++
      flip(bytes, bit)
      const recovered = recoverJournal({ files: disk, fromBatch: 1, versions }, () => {})
      // Zeros at the very end are no news: a file may have been written ahead with them.
      const written = bytes.findLastIndex((byte) => byte !== 0) + 1
      flip(bytes, bit)
      assert.equal(recovered.batchCount, index, `bit ${bit}: batches before it`)
      assert.equal(recovered.offset, border.at, `bit ${bit}: where it ends now`)
      assert.equal(recovered.cutBytes, written - border.at, `bit ${bit}: what was cut`)
      disk.restore()
    }
  }
  assert.ok(cut > 50, 'the last group was damaged, too')
})

test('a flipped bit in a finished segment is refused, whatever is behind it', () => {
  const segmented = new JournaledCore(seed + 1, journalBytes, 1 << 13)
  const disk = new PrefixDisk(segmented.files)
  const newest = disk.list('').length - 1
  assert.ok(newest >= 3)
  for (let segment = 0; segment < newest; segment++) {
    for (let bit = 0; bit < segmentHeaderBytes * 8; bit++) {
      assertRefused(disk, segmentName(segment), bit, 0)
    }
  }
  for (const { segmentNumber, at, end } of segmented.borders) {
    if (segmentNumber === newest) continue
    for (let bit = at * 8 + below(99); bit < end * 8; bit += 1 + below(99)) {
      assertRefused(disk, segmentName(segmentNumber), bit, at)
    }
  }
})

test('every flipped bit of a snapshot is found, told, and the older snapshot is taken', () => {
  const files = new MemoryFiles()
  const store = new SnapshotStore(files, versions)
  const replica = new CoreReplica(engineConfigDefault)
  const [older, newer] = [2, 20]
  for (const { batchNumber, hash } of core.borders.slice(0, newer)) {
    replica.applyBatch(core.rig.batches[batchNumber - 1]!)
    if (batchNumber !== older && batchNumber !== newer) continue
    const { low, high } = hash
    const state = replica.save()
    store.write({
      batchNumber,
      seq: batchNumber,
      hashLow: low,
      hashHigh: high,
      state,
    })
  }
  const disk = new PrefixDisk(files)
  const newest = snapshotName(newer)
  const bytes = disk.contentOf(newest)
  assert.ok(bytes.length > 5000, `${bytes.length} bytes`)
  const reading = new SnapshotStore(disk, versions)
  for (let bit = 0; bit < bytes.length * 8; bit += bitStep) {
    flip(bytes, bit)
    const { snapshot, damaged } = reading.readNewest()
    flip(bytes, bit)
    if (snapshot?.batchNumber !== older || damaged.length !== 1) assert.fail(`bit ${bit}`)
    if (!damaged[0]!.startsWith(`${newest}: `)) assert.fail(`bit ${bit}: ${damaged[0]}`)
  }
  assert.equal(reading.readNewest().snapshot?.batchNumber, newer)
})

function isInLastGroup({ borders }: JournaledCore, { acknowledged }: BatchBorder): boolean {
  return acknowledged === borders.length
}

function assertRefused(disk: PrefixDisk, file: string, bit: number, offset: number): void {
  const bytes = disk.contentOf(file)
  flip(bytes, bit)
  let told: unknown = null
  try {
    recoverJournal({ files: disk, fromBatch: 1, versions }, () => {})
  } catch (error) {
    told = error
  }
  flip(bytes, bit)
  const where = `${file}, bit ${bit}, seed ${seed}`
  assert.ok(told instanceof JournalDamage, where)
  assert.ok(told.file === file && told.offset === offset, `${where}: ${told.message}`)
  assert.ok(told.message.includes(`${file} at offset ${offset}`), told.message)
  assert.equal(disk.changed.length, 0, `${where}: nothing is touched`)
}

function flip(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3]! ^= 1 << (bit & 7)
}
