import { assert } from '../../schemas/assert.js'
import { JournaledBatch, JournalRecord } from '../../schemas/generated/journal.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import type { Doorbell } from '../memory/doorbell.js'
import type { Duty } from '../memory/duty.js'
import type { DurableGate } from '../memory/event-log.js'
import type { Ring } from '../memory/ring.js'
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
  /** The consumer's side. */
  readonly ring: Ring
  readonly gate: DurableGate
  /** Of the threads that wait for durable events. */
  readonly doorbells: readonly Doorbell[]
  /** With `memory` nothing waits for a flush: the core opens the gate and rings the doorbells itself. */
  readonly durability: Durability
  readonly engineVersion: number
  /** Whose journal it is: every segment says so. */
  readonly identity?: string
  /** Where `recoverJournal` found the end. */
  readonly resume: RecoveredJournal
  /** A segment is finished when the next record would grow it beyond this. */
  readonly segmentBytes?: number
  /**
   * Zeros written ahead while idle, so that most flushes change no metadata of the file; 0 for
   * none.
   */
  readonly aheadBytes?: number
  /** All batches up to this one are durable; their events are opened next. Never with `memory`. */
  readonly onDurable?: (batchNumber: number) => void
  /** A segment is durable and its successor exists; on shutdown for the last one too. */
  readonly onSegmentFinished?: (segmentNumber: number) => void
}

/**
 * The journal's duty. Whatever queued up on the ring while the last flush ran is one group: one
 * write straight from the ring's memory, one flush, then the gate opens. It is the ring's only
 * consumer and has no clock.
 */
export class JournalWriter implements Duty {
  readonly role = 'journal'
  /** For metrics and tests. */
  groupCount = 0
  bytesWritten = 0
  segmentNumber: number
  /** End of what was written to the segment. */
  offset: number
  nextBatchNumber: number
  /** After the `Shutdown` record is durable; nothing is written any more. */
  isShutDown = false

  readonly #options: JournalWriterOptions
  readonly #segmentBytes: number
  readonly #aheadBytes: number
  readonly #zeros: Uint8Array
  readonly #record = new JournaledBatch()
  #file: JournalFile | null = null
  /** Length of the file, with the zeros ahead. */
  #fileBytes = 0
  #durableSegment: number
  #durableOffset: number
  #seqAfter: number
  #failure: JournalFailure | null = null
  // The group at hand: pieces of the ring's memory to write from `offset` on, where they end, and
  // whose gate.
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

  /** Opens the recovered segment, or begins a new one. @throws JournalFailure */
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
   * @returns records written; 0 when none waited.
   * @throws JournalFailure when the disk fails, and for ever after: a failed flush is never
   * retried, because the kernel may have dropped the pages that it could not write and call the
   * next flush a success.
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
    // The kernel has the bytes: the core may fill the room while the flush runs.
    this.#options.ring.release()
    this.groupCount++
    if (this.#shutdownRead) this.#finishSegment()
    else if (this.#options.durability === 'flush') this.#flush()
    this.#announce()
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

  /** Reads what waits, up to the end of the segment, and completes each record in place. */
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
      // Records lie back to back until the ring wraps.
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

  #announce(): void {
    if (this.#options.durability === 'memory') return
    this.#options.onDurable?.(this.nextBatchNumber - 1)
    this.#options.gate.open(this.#eventEnd)
    for (const doorbell of this.#options.doorbells) doorbell.ring()
  }

  #writeAhead(): void {
    if (this.#aheadBytes === 0 || this.#fileBytes - this.offset >= this.#aheadBytes >> 1) return
    const bytes = Math.min(this.#aheadBytes, this.#segmentBytes - this.#fileBytes)
    if (bytes <= 0) return
    this.#write([this.#zeros.subarray(0, bytes)], this.#fileBytes)
    this.#flush()
  }

  /**
   * Leaves a segment that ends with its last record, all of it durable, whatever the durability.
   */
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

  /** @param isThere whether its file is: never removed, it is a segment without a header all the time. */
  #beginSegment(origin: SegmentOrigin, isThere: boolean): void {
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
      this.#file = isThere ? files.open(name) : files.create(name)
      if (isThere) this.#file.truncate(0)
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
    assert(this.#file !== null, 'journal: used before onStart or after onClose')
    return this.#file
  }

  /** @throws JournalFailure when the disk fails, as at every later turn. */
  #attempt(operation: JournalFailure['operation'], work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#failure = new JournalFailure(operation, segmentName(this.segmentNumber), error)
      throw this.#failure
    }
  }
}
