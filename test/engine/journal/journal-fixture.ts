import type { JournalFiles } from '../../../engine/journal/journal-files.js'
import {
  batchBodyChecksumAt,
  batchCommandBytesAt,
  batchCommandCountAt,
  batchCommandsAt,
  batchEventEndAt,
  batchHashHighAt,
  batchHashLowAt,
  batchNumberAt,
  batchSeqAfterAt,
  batchTimeMillisAt,
} from '../../../engine/journal/journal-records.js'
import { JournalWriter, type JournalWriterOptions } from '../../../engine/journal/journal-writer.js'
import { checksumOf } from '../../../engine/journal/record-checksum.js'
import {
  emptyJournal,
  type RecoveredJournal,
  recoverJournal,
} from '../../../engine/journal/recovery.js'
import type { BatchView } from '../../../engine/journal/segment-reader.js'
import { allocateEventLog, DurableGate } from '../../../engine/memory/event-log.js'
import { allocateRing, Ring } from '../../../engine/memory/ring.js'
import { JournalRecord } from '../../../schemas/generated/journal.js'

export const engineVersion = 7

/**
 * A core that only numbers its batches, with the journal behind it. Its state hash is a sum over
 * commands.
 */
export class JournalFixture {
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
      doorbells: [],
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
   * One batch of `words` command words, from `firstWord` on, committed to the ring. @returns whether
   * the ring had room.
   */
  put(words: number, firstWord = this.batchNumber * 1000): boolean {
    const commandBytes = words * 8
    const at = this.ring.tryClaim(batchCommandsAt + commandBytes, JournalRecord.Batch)
    if (at < 0) return false
    this.#header(at, commandBytes)
    for (let i = 0; i < words; i++) {
      const word = firstWord + i
      this.ring.f64[((at + batchCommandsAt) >> 3) + i] = word
      this.hash = (this.hash + word) | 0
    }
    this.ring.i32[(at + batchCommandCountAt) >> 2] = words
    this.#sealBody(at, commandBytes)
    this.ring.commit()
    this.batchNumber++
    return true
  }

  putShutdown(): void {
    const at = this.ring.tryClaim(batchCommandsAt, JournalRecord.Shutdown)
    this.#header(at, 0)
    this.ring.i32[(at + batchCommandCountAt) >> 2] = 0
    this.#sealBody(at, 0)
    this.ring.commit()
  }

  #sealBody(at: number, commandBytes: number): void {
    const from = (at + batchCommandsAt) >> 2
    const checksum = checksumOf(this.ring.i32, from, from + (commandBytes >> 2))
    this.ring.u32[(at + batchBodyChecksumAt) >> 2] = checksum
  }

  #header(at: number, commandBytes: number): void {
    const { i32, f64 } = this.ring
    f64[(at + batchNumberAt) >> 3] = this.batchNumber
    f64[(at + batchTimeMillisAt) >> 3] = 1_700_000_000_000 + this.batchNumber
    f64[(at + batchSeqAfterAt) >> 3] = seqAfter(this.batchNumber)
    i32[(at + batchEventEndAt) >> 2] = this.batchNumber * 2
    i32[(at + batchCommandBytesAt) >> 2] = commandBytes
    i32[(at + batchHashLowAt) >> 2] = this.hash
    i32[(at + batchHashHighAt) >> 2] = ~this.hash
  }
}

export function seqAfter(batchNumber: number): number {
  return batchNumber * 10
}

export interface Recovered extends RecoveredJournal {
  /** Numbers of the batches that were given back; each was checked. */
  readonly batches: number[]
}

/** Recovers and checks that each batch is what `JournalFixture.put` wrote under its number. */
export function recover(files: JournalFiles, fromBatch = 1, version = engineVersion): Recovered {
  const batches: number[] = []
  const journal = recoverJournal({ files, fromBatch, engineVersion: version }, (batch) => {
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
