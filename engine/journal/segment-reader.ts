import { assert } from '../../schemas/assert.js'
import { JournaledBatch, JournalRecord } from '../../schemas/generated/journal.js'
import { SegmentOrigin } from '../../schemas/record-values.js'
import type { RecordViews } from '../../schemas/record-views.js'
import { JournalDamage, JournalRefusal } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import {
  decodeSegmentHeader,
  isRecordBody,
  isRecordHeader,
  journalFormatVersion,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentName,
  segmentNumberOf,
} from './segment-format.js'

/** One journaled batch, with its command records in its views. */
export interface BatchView
  extends RecordViews,
    Pick<JournaledBatch, 'batchNumber' | 'timeMillis' | 'seqAfter' | 'hashLow' | 'hashHigh'>,
    Pick<JournaledBatch, 'commandCount' | 'commandsAt' | 'commandBytes'> {
  /** Version of the engine that decided the batch. */
  readonly engineVersion: number
}

/** A batch at its place in the reader's memory. Valid until the reader reads the next one. */
export class ReadBatch extends JournaledBatch implements BatchView {
  readonly engineVersion: number

  constructor({ engineVersion }: Pick<BatchView, 'engineVersion'>) {
    super()
    this.engineVersion = engineVersion
  }
}

/** Kind of data at the reader's offset: a record, the end, or bytes that are no sound record. */
export const Found = { Batch: 1, Shutdown: 2, End: 0, Hole: -1 } as const
export type Found = (typeof Found)[keyof typeof Found]

/** Reads one segment and checks every record. Holds the whole file in memory, or a moving window of it. */
export class SegmentReader {
  readonly name: string
  readonly header: SegmentHeader
  /** Latest record that `next` found, if it was a batch or a shutdown. */
  batch: ReadBatch
  /** End of the last sound record. */
  offset = segmentHeaderBytes
  /** Durable length of this segment according to the records read so far. */
  durableOffset = segmentHeaderBytes
  /** Length of the file, including trailing zeros. */
  fileBytes: number
  readonly #files: JournalFiles
  readonly #window: ArrayBuffer | undefined
  /** Offset in the file at which the views start. */
  #base = 0
  #views: RecordViews

  /**
   * @param window memory to read through, at least as long as the longest record. Another reader may have used it
   * before. Without a window, the whole file is read at once.
   * @throws JournalDamage if the header is not sound; JournalRefusal if it has another format.
   */
  constructor(files: JournalFiles, segmentNumber: number, window?: ArrayBuffer) {
    this.name = segmentName(segmentNumber)
    this.#files = files
    this.#window = window
    // Cursors keep the views of the first window, so no later window may be longer. The length is read first, because the
    // segment may grow between the two reads.
    const lengthBytes = window === undefined ? 0 : files.bytesOf(this.name)
    const bytes = files.read(this.name, window?.byteLength, window)
    this.fileBytes = window === undefined ? bytes.length : lengthBytes
    this.header = checkedHeader(bytes, segmentNumber)
    this.#views = viewsOf(bytes)
    this.batch = new ReadBatch(this.header).over(this.#views, 0)
  }

  next(): Found {
    if (!this.#findRecord()) return this.trailingBytes() === 0 ? Found.End : Found.Hole
    return this.#pass()
  }

  /** Moves past the record that was found. */
  #pass(): Found {
    const { batch } = this
    this.offset += batch.recordBytes
    this.durableOffset = Math.max(this.durableOffset, durableOffsetOf(batch, this.header))
    return batch.recordType === JournalRecord.Shutdown ? Found.Shutdown : Found.Batch
  }

  /** Rereads a file that has grown or was finished. Only for a reader with a window. */
  refresh(): void {
    this.fileBytes = this.#files.bytesOf(this.name)
    this.#read(this.offset)
    // A new object, because cursors over the previous one keep its views, which may be shorter.
    this.batch = new ReadBatch(this.header).over(this.#views, 0)
  }

  /** Like `next`, for a segment that is being written: anything that is not yet a sound record is the end. */
  nextWritten(): Found {
    return this.#findRecord() ? this.#pass() : Found.End
  }

  /** Returns the number of bytes from `offset` to the last nonzero one: the length of a torn tail. */
  trailingBytes(): number {
    let end = this.offset
    for (let from = this.offset; from < this.fileBytes; from = this.#windowEnd) {
      this.#load(from, 1)
      const used = usedUpTo(this.#views, from - this.#base)
      if (used > from - this.#base) end = this.#base + used
    }
    return end - this.offset
  }

  /**
   * Returns true if a sound record after `offset` was written when more than `offset` bytes of this segment were known
   * to be durable. The data missing at `offset` was then lost after its flush. Only for a whole file.
   */
  wasDurableBeyond(): boolean {
    assert(this.#window === undefined, 'segment reader: the whole file is in memory')
    const views = this.#views
    const segment = this.header.segmentNumber
    const record = new JournaledBatch()
    const last = views.u8.length - JournaledBatch.bytes
    for (let at = this.offset; at <= last; at += 8) {
      record.over(views, at)
      if (!isRecordHeader(record, segment)) continue
      if (durableOffsetOf(record, this.header) > this.offset) return true
    }
    return false
  }

  /** Reads the record at `offset` into `batch`. @returns true if it is complete and sound. */
  #findRecord(): boolean {
    this.#load(this.offset, JournaledBatch.bytes)
    const record = this.batch.over(this.#views, this.offset - this.#base)
    if (!isRecordHeader(record, this.header.segmentNumber, this.#base)) return false
    this.#load(this.offset, record.recordBytes)
    return isRecordBody(record.over(this.#views, this.offset - this.#base))
  }

  get #windowEnd(): number {
    return this.#base + this.#views.u8.length
  }

  /** Moves the window to `from`, unless it already has the next `bytes` bytes, or all up to the end of the file. */
  #load(from: number, bytes: number): void {
    const wanted = Math.min(from + bytes, this.fileBytes)
    if (from >= this.#base && wanted <= this.#windowEnd) return
    this.#read(from)
  }

  #read(from: number): void {
    const read = this.#files.read(this.name, this.#window!.byteLength, this.#window, from)
    this.#base = from
    this.#views = viewsOf(read)
  }
}

/** Returns the end of the last nonzero byte after `from`, or `from`. */
function usedUpTo({ u8: bytes, i32: words }: RecordViews, from: number): number {
  let end = bytes.length
  while (end > from && (end & 3) !== 0 && bytes[end - 1] === 0) end--
  if ((end & 3) === 0) while (end > from && words[(end >> 2) - 1] === 0) end -= 4
  while (end > from && bytes[end - 1] === 0) end--
  return Math.max(end, from)
}

/** Returns the numbers of the segments on disk, in order. @throws JournalRefusal if one in between is missing. */
export function listSegments(files: JournalFiles): number[] {
  const numbers = files
    .list('')
    .map(segmentNumberOf)
    .filter((number) => number >= 0)
    .sort((a, b) => a - b)
  for (let i = 1; i < numbers.length; i++) {
    if (numbers[i] !== numbers[i - 1] + 1) {
      throw new JournalRefusal(
        `${segmentName(numbers[i - 1] + 1)} is missing, later ones are there`,
      )
    }
  }
  return numbers
}

/** Returns the index of the last of these segments that starts at or before the batch; -1 if there is none. */
export function placeOfBatch(
  files: JournalFiles,
  numbers: readonly number[],
  batchNumber: number,
): number {
  return numbers.findLastIndex(
    (number) => readSegmentHeader(files, number).firstBatchNumber <= batchNumber,
  )
}

/** Returns true if the segments lead to the state without any snapshot. */
export function isWhole(files: JournalFiles, numbers: readonly number[]): boolean {
  const [first] = numbers
  if (first === undefined) return false
  const origin = headerOf(files, first)?.origin
  return first === 0 ? origin !== SegmentOrigin.Loss : origin === SegmentOrigin.Nothing
}

/** Reads a header. @returns null if it is not sound. */
function headerOf(files: JournalFiles, segmentNumber: number): SegmentHeader | null {
  return decodeSegmentHeader(files.read(segmentName(segmentNumber), segmentHeaderBytes))
}

/** Reads and checks a header. @throws JournalDamage, JournalRefusal */
export function readSegmentHeader(files: JournalFiles, segmentNumber: number): SegmentHeader {
  return checkedHeader(files.read(segmentName(segmentNumber), segmentHeaderBytes), segmentNumber)
}

function checkedHeader(bytes: Uint8Array, segmentNumber: number): SegmentHeader {
  const name = segmentName(segmentNumber)
  const header = decodeSegmentHeader(bytes)
  if (header === null) throw new JournalDamage(name, 0, 'no segment header')
  if (header.segmentNumber !== segmentNumber) {
    throw new JournalDamage(name, 0, `it is segment ${header.segmentNumber} under another name`)
  }
  if (header.formatVersion !== journalFormatVersion) {
    const versions = `format ${header.formatVersion}, this engine reads ${journalFormatVersion}`
    throw new JournalRefusal(`${name} has ${versions}`)
  }
  return header
}

function durableOffsetOf(record: JournaledBatch, header: SegmentHeader): number {
  return record.durableSegment === header.segmentNumber ? record.durableOffset : 0
}

function viewsOf(bytes: Uint8Array): RecordViews {
  return {
    i32: new Int32Array(bytes.buffer, 0, bytes.length >> 2),
    u32: new Uint32Array(bytes.buffer, 0, bytes.length >> 2),
    f64: new Float64Array(bytes.buffer, 0, bytes.length >> 3),
    u8: bytes,
  }
}
