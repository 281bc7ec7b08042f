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

// Flips every bit of a 32 KiB journal. A record's check reads only its own bytes. So for most bits the reader's result
// for the damaged record suffices, with whether the record was durable: recovery decides by these two alone. A whole
// recovery runs for every bit of every header and a seeded few of the others; a long run tries all of them.

const seed = 20261122
const journalBytes = 1 << 15
const wholeRecoveryOneIn = isLongRun ? 1 : 120
/** Interval of the bits for which only the reader of one record runs. */
const bitStep = isLongRun ? 1 : 13
let random = seed
// A hundred thousand errors: their stacks would cost more than the checks.
Error.stackTraceLimit = 0

function below(count: number): number {
  random = (Math.imul(random, 1_664_525) + 1_013_904_223) | 0
  return (random >>> 8) % count
}

const core = new JournaledCore(seed, journalBytes)
const name = segmentName(0)

test("the record's reader detects every flipped bit of the journal as damage", () => {
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
      if (reader.next() !== Found.Hole) assert.fail(`the reader missed bit ${bit}, seed ${seed}`)
      if (reader.wasDurableBeyond() === isInLastGroup(core, border)) assert.fail(`bit ${bit}`)
      flip(bytes, bit)
    }
  }
})

test('recovery fails at a flipped bit with its place, or in the last group cuts and reports it', () => {
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
      // Zeros at the very end do not count: a file may have been prefilled with them.
      const written = bytes.findLastIndex((byte) => byte !== 0) + 1
      flip(bytes, bit)
      assert.equal(recovered.batchCount, index, `bit ${bit}: batches before it`)
      assert.equal(recovered.offset, border.at, `bit ${bit}: the new end`)
      assert.equal(recovered.cutBytes, written - border.at, `bit ${bit}: the cut bytes`)
      disk.restore()
    }
  }
  assert.ok(cut > 50, 'some bits of the last group were flipped')
})

test('recovery fails at a flipped bit in a finished segment, whatever follows it', () => {
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

test('recovery finds and reports every flipped bit of a snapshot, and uses the older snapshot', () => {
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
  let failure: unknown = null
  try {
    recoverJournal({ files: disk, fromBatch: 1, versions }, () => {})
  } catch (error) {
    failure = error
  }
  flip(bytes, bit)
  const where = `${file}, bit ${bit}, seed ${seed}`
  assert.ok(failure instanceof JournalDamage, where)
  assert.ok(failure.file === file && failure.offset === offset, `${where}: ${failure.message}`)
  assert.ok(failure.message.includes(`${file} at offset ${offset}`), failure.message)
  assert.equal(disk.changed.length, 0, `${where}: the failed recovery changes nothing`)
}

function flip(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3]! ^= 1 << (bit & 7)
}
