import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { JournalWriter } from '../../engine/journal/journal-writer.js'
import { NodeFiles } from '../../engine/journal/node-files.js'
import { checksumOf } from '../../engine/journal/record-checksum.js'
import { emptyJournal } from '../../engine/journal/recovery.js'
import { allocateEventLog, DurableGate } from '../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../engine/memory/ring.js'
import { engineVersion } from '../../engine/state/engine-version.js'
import { journalRingBytes } from '../../schemas/bounds.js'
import { JournaledBatch, JournalRecord } from '../../schemas/generated/journal.js'
import { folderIdentity } from './folder-fixture.js'
import type { RecordedBatch } from './recorded-batches.js'

const record = new JournaledBatch()

/** Batches of a rig as the data of a venue on disk, removed by `dispose`. */
export class RigFolder {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'strikebook-rig-'))

  /**
   * @param batches batches of a rig that started with the default configuration, since another one is not part of the
   * journal
   */
  constructor(batches: readonly RecordedBatch[], segmentBytes = 1 << 20) {
    const directory = join(this.dataDir, 'journal')
    mkdirSync(directory)
    const memory = allocateRing(journalRingBytes)
    const ring = new Ring(memory, 'producer')
    const writer = new JournalWriter({
      files: new NodeFiles(directory),
      ring: new Ring(memory, 'consumer'),
      gate: new DurableGate(allocateEventLog(1 << 16)),
      wakeups: [],
      durability: 'memory',
      engineVersion,
      identity: folderIdentity,
      resume: emptyJournal,
      segmentBytes,
      aheadBytes: 0,
    })
    writer.onStart()
    for (const batch of batches) {
      put(ring, batch)
      while (writer.doWork() > 0) {}
    }
  }

  dispose(): void {
    rmSync(this.dataDir, { recursive: true })
  }
}

function put(ring: Ring, batch: RecordedBatch): void {
  const { commandBytes, commandCount, u8 } = batch
  if (!record.claim(ring, JournalRecord.Batch, JournaledBatch.bytesWith(commandBytes))) {
    throw new Error('rig folder: a batch that no ring holds')
  }
  record.batchNumber = batch.batchNumber
  record.timeMillis = batch.timeMillis
  record.commandBytes = commandBytes
  record.commandCount = commandCount
  record.hashLow = batch.hashLow
  record.hashHigh = batch.hashHigh
  record.seqAfter = batch.seqAfter
  record.u8.set(u8.subarray(0, commandBytes), record.commandsAt)
  const { at, commandsAt, i32, recordBytes } = record
  record.bodyChecksum = checksumOf(i32, commandsAt, at + recordBytes)
  ring.commit()
}
