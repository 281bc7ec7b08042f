import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JournalLink } from '../../../engine/core/journal-link.js'
import {
  batchBodyChecksumAt,
  batchCommandBytesAt,
  batchCommandCountAt,
  batchCommandsAt,
  batchEventEndAt,
  batchHashLowAt,
  batchNumberAt,
  batchSeqAfterAt,
} from '../../../engine/journal/journal-records.js'
import { checksumOf } from '../../../engine/journal/record-checksum.js'
import { recordBytesAt, recordTypeAt } from '../../../engine/memory/layout.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { batchCommandBytesMax, journalRingBytes } from '../../../schemas/bounds.js'
import { bulkItemsAt, cancelOrderBytes } from '../../../schemas/commands.js'
import { CommandType } from '../../../schemas/generated/commands.js'
import { JournalRecord } from '../../../schemas/generated/journal.js'
import { CoreRig } from '../../support/core-rig.js'

test('a batch becomes one record with the bytes of its commands, a bulk as it came', () => {
  const { rig, ring, woken, link } = linkedRig(false)
  rig.bulk(() => {
    rig.cancel(1, 1024)
    rig.cancel(1, 2048)
  })
  rig.cancel(1, 3072)
  rig.run()
  link.append(rig.state, rig.core.batch, 5, 6, 70, 900)
  const at = ring.next()
  assert.equal(ring.i32[(at + recordTypeAt) >> 2], JournalRecord.Batch)
  assert.equal(ring.f64[(at + batchNumberAt) >> 3], rig.state.batchNumber)
  assert.equal(ring.f64[(at + batchSeqAfterAt) >> 3], 900)
  assert.equal(ring.i32[(at + batchEventEndAt) >> 2], 70)
  assert.equal(ring.i32[(at + batchHashLowAt) >> 2], 5)
  assert.equal(ring.i32[(at + batchCommandCountAt) >> 2], 2)
  const bytes = bulkItemsAt + 3 * cancelOrderBytes
  assert.equal(ring.i32[(at + batchCommandBytesAt) >> 2], bytes)
  assert.equal(ring.i32[(at + batchCommandsAt + recordTypeAt) >> 2], CommandType.Bulk)
  assert.deepEqual(
    ring.u8.slice(at + batchCommandsAt, at + batchCommandsAt + bytes),
    rig.batches.at(-1)!.u8,
  )
  assert.equal(ring.u32[(at + batchBodyChecksumAt) >> 2], bodyChecksumOf(ring, at))
  assert.equal(woken.count, 1)
})

test('with durability memory the log is opened at once, else the journal does it', () => {
  for (const opens of [true, false]) {
    const { rig, link } = linkedRig(opens)
    rig.log.storeDurable(3)
    link.append(rig.state, rig.core.batch, 0, 0, 70, 1)
    assert.equal(rig.log.durablePosition(), opens ? 70 : 3)
  }
})

test('room is asked for two of the largest batches, and a shutdown names the next batch', () => {
  const { rig, ring, link } = linkedRig(false)
  assert.equal(link.hasRoom(), true)
  link.shutDown(rig.state, rig.core.batch)
  const at = ring.next()
  assert.equal(ring.i32[(at + recordTypeAt) >> 2], JournalRecord.Shutdown)
  assert.equal(ring.f64[(at + batchNumberAt) >> 3], rig.state.batchNumber + 1)
  assert.equal(ring.i32[(at + batchCommandCountAt) >> 2], 0)
  assert.equal(ring.u32[(at + batchBodyChecksumAt) >> 2], bodyChecksumOf(ring, at))
  const small = allocateRing(1 << 20)
  const full = new JournalLink(new Ring(small, 'producer'), () => {}, false)
  assert.ok(2 * batchCommandBytesMax >= 1 << 20)
  assert.equal(full.hasRoom(), false)
})

/** As a reader makes it, from the words that were copied. */
function bodyChecksumOf({ i32 }: Ring, at: number): number {
  const end = at + i32[(at + recordBytesAt) >> 2]!
  return checksumOf(i32, (at + batchCommandsAt) >> 2, end >> 2)
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
