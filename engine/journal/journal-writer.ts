import { assert } from '../../schemas/assert.js'
import { JournaledBatch, JournalRecord } from '../../schemas/generated/journal.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import type { Duty } from '../memory/duty.js'
import type { DurableGate } from '../memory/event-log.js'
import type { Ring } from '../memory/ring.js'
import type { Wakeup } from '../memory/wakeup.js'
import { JournalFailure } from './journal-errors.js'
import type { JournalFile, JournalFiles } from './journal-files.js'
import type { RecoveredJournal } from './recovery.js'
import {
  batchMagic,
  encodeSegmentHeader,
  journalFormatVersion,
  sealRecord,
  segmentHeaderBytes,
  segmentName,
} from './segment-format.js'

const durabilities = ['flush', 'memory'] as const
export type Durability = (typeof durabilities)[number]

const segmentBytesDefault = 1 << 26
export const aheadBytesDefault = 1 << 20

export interface JournalWriterOptions {
  readonly files: JournalFiles
  /** Consumer's end of the ring. */
  readonly ring: Ring
  readonly gate: DurableGate
  /** Wakeup words of the threads that wait for durable events. */
  readonly wakeups: readonly Wakeup[]
  /** With `memory`, nothing waits for a flush: the core opens the gate and wakes these threads itself. */
  readonly durability: Durability
  readonly engineVersion: number
  /** Identity of the venue, stored in every segment. */
  readonly identity?: string
  /** End of the journal that `recoverJournal` found. */
  readonly resume: RecoveredJournal
  /** A segment is finished when the next record would make it longer than this. */
  readonly segmentBytes?: number
  /** Zeros that are written ahead while idle, so that most flushes change no metadata of the file; 0 for none. */
  readonly aheadBytes?: number
  /**
   * Called when all batches up to this one are durable, before the gate opens for their events. Never with `memory`.
   */
  readonly onDurable?: (batchNumber: number) => void
  /** Called when a segment is durable and its successor exists; on shutdown for the last segment too. */
  readonly onSegmentFinished?: (segmentNumber: number) => void
}

/**
 * Duty of the journal. The batches that queued on the ring during the last flush form one group: one write directly
 * from the ring's memory, one flush, then the gate opens. It is the ring's only consumer and has no clock.
 */
export class JournalWriter implements Duty {
  readonly role = 'journal'
  /** Number of flushed groups, for metrics and tests. */
  groupCount = 0
  bytesWritten = 0
  segmentNumber: number
  /** End of the data written to the segment. */
  offset: number
  nextBatchNumber: number
  /** True after the `Shutdown` record is durable; nothing is written any more. */
  isShutDown = false

  readonly #options: JournalWriterOptions
  readonly #segmentBytes: number
  readonly #aheadBytes: number
  readonly #zeros: Uint8Array
  readonly #record = new JournaledBatch()
  #file: JournalFile | null = null
  /** Length of the file, including the zeros ahead. */
  #fileBytes = 0
  #durableSegment: number
  #durableOffset: number
  #seqAfter: number
  #failure: JournalFailure | null = null
  // The current group: pieces of the ring's memory to write from `offset`, their end in the segment, and the event
  // offset to open the gate for.
  readonly #pieces: Uint8Array[] = []
  #groupEnd = 0
  #eventEnd = 0
  #segmentFull = false
  #shutdownRead = false

  constructor(options: JournalWriterOptions) {
    const { resume } = options
    this.#options = options
    this.#segmentBytes = options.segmentBytes ?? segmentBytesDefault
    this.#aheadBytes =
      options.durability === 'flush' ? (options.aheadBytes ?? aheadBytesDefault) : 0
    assert(this.#segmentBytes < 2 ** 30, 'journal: offsets in a segment are 32-bit')
    this.#zeros = new Uint8Array(this.#aheadBytes)
    this.segmentNumber = resume.segmentNumber
    this.offset = resume.offset
    this.nextBatchNumber = resume.nextBatchNumber
    this.#seqAfter = resume.seqAfter
    this.#durableSegment = resume.segmentNumber
    this.#durableOffset = resume.offset
  }

  /** Opens the recovered segment, or starts a new one. @throws JournalFailure */
  onStart(): void {
    const { resume, engineVersion, files } = this.#options
    const isGap = resume.origin !== SegmentOrigin.Next
    if (resume.segmentNumber < 0 || resume.engineVersion !== engineVersion || isGap) {
      this.#beginSegment(resume.origin, resume.overwritesNext)
      if (resume.segmentNumber >= 0) this.#options.onSegmentFinished?.(resume.segmentNumber)
      return
    }
    this.#attempt('open', () => {
      this.#file = files.open(segmentName(this.segmentNumber))
    })
    this.#fileBytes = this.offset
  }

  /**
   * Writes and flushes one group.
   * @returns the number of records written; 0 if none waited.
   * @throws JournalFailure if the disk fails, and on every later call. A failed flush is never retried, because the
   * kernel may have dropped the pages that it could not write and report the next flush as a success.
   */
  doWork(): number {
    if (this.#failure !== null) throw this.#failure
    if (this.isShutDown) return 0
    const count = this.#gather()
    if (count === 0) {
      if (!this.#segmentFull) {
        this.#writeAhead()
        return 0
      }
      this.#rollSegment()
      return this.doWork()
    }
    this.#write(this.#pieces, this.offset)
    this.bytesWritten += this.#groupEnd - this.offset
    this.offset = this.#groupEnd
    // The kernel has the bytes, so the core may reuse the space during the flush.
    this.#options.ring.release()
    this.groupCount++
    if (this.#shutdownRead) this.#finishSegment()
    else if (this.#options.durability === 'flush') this.#flush()
    this.#publishDurable()
    if (this.#shutdownRead) {
      this.isShutDown = true
      this.#options.onSegmentFinished?.(this.segmentNumber)
    }
    return count
  }

  onClose(): void {
    this.#file?.close()
    this.#file = null
  }

  /** Reads the waiting records, up to the end of the segment, and completes each in place. */
  #gather(): number {
    const ring = this.#options.ring
    let count = 0
    let begin = 0
    let end = 0
    this.#pieces.length = 0
    this.#groupEnd = this.offset
    this.#segmentFull = false
    while (!this.#shutdownRead) {
      const at = ring.next()
      if (at < 0) break
      const bytes = this.#record.over(ring, at).recordBytes
      if (this.#groupEnd + bytes > this.#segmentBytes && this.#groupEnd > segmentHeaderBytes) {
        ring.unread(at)
        this.#segmentFull = true
        break
      }
      this.#complete(this.#record)
      // Records are contiguous until the ring wraps.
      if (at !== end || count === 0) {
        if (end > begin) this.#pieces.push(ring.u8.subarray(begin, end))
        begin = at
      }
      end = at + bytes
      this.#groupEnd += bytes
      count++
    }
    if (end > begin) this.#pieces.push(ring.u8.subarray(begin, end))
    return count
  }

  #complete(record: JournaledBatch): void {
    assert(
      record.batchNumber === this.nextBatchNumber,
      'journal: the batches of the core have no gaps',
    )
    assert(
      record.recordBytes === JournaledBatch.bytes + record.commandBytes,
      'journal: a record is its header and its commands',
    )
    record.segment = this.segmentNumber
    record.offset = this.#groupEnd
    record.durableSegment = this.#durableSegment
    record.durableOffset = this.#durableOffset
    record.magic = batchMagic
    this.#seqAfter = record.seqAfter
    this.#eventEnd = record.eventEnd
    if (record.recordType === JournalRecord.Shutdown) this.#shutdownRead = true
    else this.nextBatchNumber++
    sealRecord(record)
  }

  #write(pieces: readonly Uint8Array[], offset: number): void {
    let end = offset
    for (const piece of pieces) end += piece.length
    this.#attempt('write', () => this.#openFile().write(pieces, offset))
    this.#fileBytes = Math.max(this.#fileBytes, end)
  }

  #flush(): void {
    this.#attempt('flush', () => this.#openFile().flush())
    this.#durableSegment = this.segmentNumber
    this.#durableOffset = this.offset
  }

  #publishDurable(): void {
    if (this.#options.durability === 'memory') return
    this.#options.onDurable?.(this.nextBatchNumber - 1)
    this.#options.gate.open(this.#eventEnd)
    for (const wakeup of this.#options.wakeups) wakeup.ring()
  }

  #writeAhead(): void {
    if (this.#aheadBytes === 0 || this.#fileBytes - this.offset >= this.#aheadBytes >> 1) return
    const bytes = Math.min(this.#aheadBytes, this.#segmentBytes - this.#fileBytes)
    if (bytes <= 0) return
    this.#write([this.#zeros.subarray(0, bytes)], this.#fileBytes)
    this.#flush()
  }

  /** Ends a segment at its last record and makes it durable, regardless of the durability option. */
  #finishSegment(): void {
    if (this.#fileBytes > this.offset) {
      this.#attempt('write', () => this.#openFile().truncate(this.offset))
      this.#fileBytes = this.offset
    }
    this.#flush()
  }

  #rollSegment(): void {
    const finished = this.segmentNumber
    this.#finishSegment()
    this.#openFile().close()
    this.#beginSegment(SegmentOrigin.Next, false)
    this.#options.onSegmentFinished?.(finished)
  }

  /**
   * Starts a segment. @param exists true if its file exists. It is overwritten, never removed, so it remains a segment
   * without a header.
   */
  #beginSegment(origin: SegmentOrigin, exists: boolean): void {
    const { files, engineVersion, identity = '' } = this.#options
    const header = encodeSegmentHeader({
      formatVersion: journalFormatVersion,
      engineVersion,
      segmentNumber: this.segmentNumber + 1,
      firstBatchNumber: this.nextBatchNumber,
      previousBytes: this.segmentNumber < 0 ? 0 : this.offset,
      seqBefore: this.#seqAfter,
      origin,
      identity,
    })
    this.segmentNumber++
    this.#attempt('open', () => {
      const name = segmentName(this.segmentNumber)
      this.#file = exists ? files.open(name) : files.create(name)
      if (exists) this.#file.truncate(0)
      this.#file.write([header], 0)
      this.#file.flush()
      files.syncDirectory('')
    })
    this.offset = segmentHeaderBytes
    this.#fileBytes = segmentHeaderBytes
    this.#durableSegment = this.segmentNumber
    this.#durableOffset = this.offset
  }

  #openFile(): JournalFile {
    assert(this.#file !== null, 'journal: the segment is open')
    return this.#file
  }

  /** Runs a disk operation. @throws JournalFailure if it fails; every later turn fails too. */
  #attempt(operation: JournalFailure['operation'], work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failure = new JournalFailure(operation, segmentName(this.segmentNumber), error)
      throw this.#failure
    }
  }
}
