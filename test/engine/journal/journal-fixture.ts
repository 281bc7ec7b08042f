import type { EngineVersion, EngineVersions } from '../../../engine/journal/engine-versions.js'
import type { JournalFiles } from '../../../engine/journal/journal-files.js'
import { JournalWriter, type JournalWriterOptions } from '../../../engine/journal/journal-writer.js'
import { checksumOf } from '../../../engine/journal/record-checksum.js'
import {
  emptyJournal,
  type RecoveredJournal,
  recoverJournal,
} from '../../../engine/journal/recovery.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import { snapshotFormatVersion } from '../../../engine/journal/snapshot-store.js'
import { allocateEventLog, DurableGate } from '../../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { JournaledBatch, JournalRecord } from '../../../schemas/generated/journal.js'

export const engineVersion = 7
export const versions = versionsOf(engineVersion)

/** Returns an engine that knows no other version than its own. */
export function versionsOf(engine: number): EngineVersions {
  return [versionAs(engine, true)]
}

/**
 * Returns the engine version after the fixture's.
 * @param isReplayable true if it decides as the fixture's does
 */
export function versionsAfter(isReplayable: boolean): EngineVersions {
  return [versionAs(engineVersion, isReplayable), versionAs(engineVersion + 1, true)]
}

function versionAs(engine: number, isReplayable: boolean): EngineVersion {
  const release = `0.${engine}.0`
  return { engine, release, snapshotFormat: snapshotFormatVersion, isReplayable }
}

/** Core that only numbers its batches, with a journal. Its state hash is a sum over commands. */
export class JournalFixture {
  readonly #record = new JournaledBatch()
  readonly ring: Ring
  readonly gate: DurableGate
  readonly writer: JournalWriter
  readonly finished: number[] = []
  hash = 0
  batchNumber: number

  constructor(
    readonly files: JournalFiles,
    options: Partial<JournalWriterOptions> = {},
    ringBytes = 1 << 16,
  ) {
    const memory = allocateRing(ringBytes)
    this.ring = new Ring(memory, 'producer')
    this.gate = new DurableGate(allocateEventLog(1 << 16))
    const resume: RecoveredJournal = options.resume ?? emptyJournal
    this.batchNumber = resume.nextBatchNumber
    this.writer = new JournalWriter({
      files,
      ring: new Ring(memory, 'consumer'),
      gate: this.gate,
      wakeups: [],
      durability: 'flush',
      engineVersion,
      aheadBytes: 0,
      onSegmentFinished: (segmentNumber) => this.finished.push(segmentNumber),
      resume,
      ...options,
    })
    this.writer.onStart()
  }

  /**
   * Commits one batch of `words` command words, from `firstWord` on, to the ring.
   * @returns false if the ring had no room
   */
  put(words: number, firstWord = this.batchNumber * 1000): boolean {
    const record = this.#record
    const bytes = JournaledBatch.bytesWith(words * 8)
    if (!record.claim(this.ring, JournalRecord.Batch, bytes)) return false
    this.#fillHeader(words * 8)
    for (let i = 0; i < words; i++) {
      const word = firstWord + i
      record.f64[(record.commandsAt >> 3) + i] = word
      this.hash = (this.hash + word) | 0
    }
    record.commandCount = words
    this.#sealBody()
    this.batchNumber++
    return true
  }

  putShutdown(): void {
    this.#record.claim(this.ring, JournalRecord.Shutdown, JournaledBatch.bytes)
    this.#fillHeader(0)
    this.#record.commandCount = 0
    this.#sealBody()
  }

  #sealBody(): void {
    const { commandBytes, commandsAt, i32 } = this.#record
    this.#record.bodyChecksum = checksumOf(i32, commandsAt, commandsAt + commandBytes)
    this.ring.commit()
  }

  #fillHeader(commandBytes: number): void {
    Object.assign(this.#record, {
      batchNumber: this.batchNumber,
      timeMillis: 1_700_000_000_000 + this.batchNumber,
      seqAfter: seqAfter(this.batchNumber),
      eventEnd: this.batchNumber * 2,
      commandBytes,
      hashLow: this.hash,
      hashHigh: ~this.hash,
    })
  }
}

export function seqAfter(batchNumber: number): number {
  return batchNumber * 10
}

export interface Recovered extends RecoveredJournal {
  /** Numbers of the returned batches; each was checked. */
  readonly batches: number[]
}

/** Recovers and checks that each batch is what `JournalFixture.put` wrote under its number. */
export function recover(files: JournalFiles, fromBatch = 1, version = engineVersion): Recovered {
  const batches: number[] = []
  const journal = recoverJournal({ files, fromBatch, versions: versionsOf(version) }, (batch) => {
    checkBatch(batch)
    batches.push(batch.batchNumber)
  })
  return { ...journal, batches }
}

function checkBatch(batch: BatchView): void {
  const wrong = (what: string) => new Error(`batch ${batch.batchNumber}: wrong ${what} recovered`)
  if (batch.seqAfter !== seqAfter(batch.batchNumber)) throw wrong('sequence')
  if (batch.timeMillis !== 1_700_000_000_000 + batch.batchNumber) throw wrong('time')
  if (batch.commandBytes !== batch.commandCount * 8) throw wrong('length')
  for (let i = 0; i < batch.commandCount; i++) {
    if (batch.f64[(batch.commandsAt >> 3) + i] !== batch.batchNumber * 1000 + i) {
      throw wrong('command')
    }
  }
}
