import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalLink } from '../../../engine/core/journal-link.js'
import { checksumOf } from '../../../engine/journal/record-checksum.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { batchCommandBytesMax, journalRingBytes } from '../../../schemas/bounds.js'
import {
  AnyCommand,
  BulkCommand,
  CancelOrderCommand,
  CommandType,
} from '../../../schemas/generated/commands.js'
import { JournaledBatch, JournalRecord } from '../../../schemas/generated/journal.js'
import { CoreRig } from '../../support/core-rig.js'

test('a batch becomes one record with the bytes of its commands, and a bulk is stored as received', () => {
  const { rig, ring, woken, link } = linkedRig(false)
  rig.bulk(() => {
    rig.cancel(1, 1024)
    rig.cancel(1, 2048)
  })
  rig.cancel(1, 3072)
  rig.run()
  link.append(rig.state, rig.core.batch, { hashLow: 5, hashHigh: 6, eventEnd: 70, seqAfter: 900 })
  const record = new JournaledBatch().over(ring, ring.next())
  assert.equal(record.recordType, JournalRecord.Batch)
  assert.equal(record.batchNumber, rig.state.batchNumber)
  assert.equal(record.seqAfter, 900)
  assert.equal(record.eventEnd, 70)
  assert.equal(record.hashLow, 5)
  assert.equal(record.hashHigh, 6)
  assert.equal(record.commandCount, 2)
  const bytes = BulkCommand.bytesWith(3 * CancelOrderCommand.bytes)
  assert.equal(record.commandBytes, bytes)
  const { commandsAt } = record
  assert.equal(new AnyCommand().over(ring, commandsAt).recordType, CommandType.Bulk)
  assert.deepEqual(ring.u8.slice(commandsAt, commandsAt + bytes), rig.batches.at(-1)!.u8)
  assert.equal(record.bodyChecksum, bodyChecksumOf(record))
  assert.equal(woken.count, 1)
})

test('with durability memory the core opens the log at once, otherwise the journal does', () => {
  for (const opens of [true, false]) {
    const { rig, link } = linkedRig(opens)
    rig.log.storeDurable(3)
    link.append(rig.state, rig.core.batch, { hashLow: 0, hashHigh: 0, eventEnd: 70, seqAfter: 1 })
    assert.equal(rig.log.durableOffset(), opens ? 70 : 3)
  }
})

test('journaling a batch twice stops the engine', () => {
  const { rig, link } = linkedRig(false)
  const end = { hashLow: 0, hashHigh: 0, eventEnd: 70, seqAfter: 1 }
  link.append(rig.state, rig.core.batch, end)
  assert.throws(() => link.append(rig.state, rig.core.batch, end), /batch numbers increase/)
})

test('the link reserves room for two of the largest batches, and a shutdown names the next batch', () => {
  const { rig, ring, link } = linkedRig(false)
  assert.equal(link.hasRoom(), true)
  link.shutDown(rig.state, rig.core.batch)
  const record = new JournaledBatch().over(ring, ring.next())
  assert.equal(record.recordType, JournalRecord.Shutdown)
  assert.equal(record.batchNumber, rig.state.batchNumber + 1)
  assert.equal(record.commandCount, 0)
  assert.equal(record.bodyChecksum, bodyChecksumOf(record))
  const small = allocateRing(1 << 20)
  const full = new JournalLink(new Ring(small, 'producer'), () => {}, false)
  assert.ok(2 * batchCommandBytesMax >= 1 << 20)
  assert.equal(full.hasRoom(), false)
})

/** Computes the checksum like a reader, from the copied words. */
function bodyChecksumOf({ at, commandsAt, i32, recordBytes }: JournaledBatch): number {
  return checksumOf(i32, commandsAt, at + recordBytes)
}

function linkedRig(opensLog: boolean) {
  const rig = new CoreRig().openMarket()
  const memory = allocateRing(journalRingBytes)
  const ring = new Ring(memory, 'consumer')
  const woken = { count: 0 }
  const wake = () => {
    woken.count++
  }
  const link = new JournalLink(new Ring(memory, 'producer'), wake, opensLog)
  return { rig, ring, woken, link }
}
