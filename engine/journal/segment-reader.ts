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

/** One journaled batch, whose command records lie in its views. */
export interface BatchView
  extends RecordViews,
    Pick<JournaledBatch, 'batchNumber' | 'timeMillis' | 'seqAfter' | 'hashLow' | 'hashHigh'>,
    Pick<JournaledBatch, 'commandCount' | 'commandsAt' | 'commandBytes'> {
  /** Whose rules have decided it. */
  readonly engineVersion: number
}

/** A batch where it was read. The reader moves it: valid until the next one is read. */
export class ReadBatch extends JournaledBatch implements BatchView {
  readonly engineVersion: number

  constructor({ engineVersion }: Pick<BatchView, 'engineVersion'>) {
    super()
    this.engineVersion = engineVersion
  }
}

/**
 * What stands at the reader's offset: a record, nothing any more, or bytes that are no sound
 * record.
 */
export const Found = { Batch: 1, Shutdown: 2, End: 0, Hole: -1 } as const
export type Found = (typeof Found)[keyof typeof Found]

/** Reads one segment, checking every record; holds the whole file in memory, or a window of it that moves. */
export class SegmentReader {
  readonly name: string
  readonly header: SegmentHeader
  /** The record that `next` found last, when it was a batch or a shutdown. */
  batch: ReadBatch
  /** End of the last sound record. */
  offset = segmentHeaderBytes
  /** How much of this segment the records read so far say was durable. */
  durableOffset = segmentHeaderBytes
  /** Length of the file, with any zeros at its end. */
  fileBytes: number
  readonly #files: JournalFiles
  readonly #window: ArrayBuffer | undefined
  /** Place in the file where the views begin. */
  #base = 0
  #views: RecordViews

  /**
   * @param window memory to read through, at least as long as the longest record; it may be another reader's that
   * is done with. Without it the reader takes the whole file at once.
   * @throws JournalDamage when the header is not sound, JournalRefusal when its format is another
   * one.
   */
  constructor(files: JournalFiles, segmentNumber: number, window?: ArrayBuffer) {
    this.name = segmentName(segmentNumber)
    this.#files = files
    this.#window = window
    // Before the first look: of a segment that grows meanwhile no later window is longer than the first one, whose
    // views cursors keep.
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

  /** Goes on behind the record that was found. */
  #pass(): Found {
    const { batch } = this
    this.offset += batch.recordBytes
    this.durableOffset = Math.max(this.durableOffset, durableOffsetOf(batch, this.header))
    return batch.recordType === JournalRecord.Shutdown ? Found.Shutdown : Found.Batch
  }

  /** Looks anew at the file, which has grown, or was finished; of one that is read through a window. */
  refresh(): void {
    this.fileBytes = this.#files.bytesOf(this.name)
    this.#read(this.offset)
    // Another one: cursors over the one before keep its views, which may be shorter.
    this.batch = new ReadBatch(this.header).over(this.#views, 0)
  }

  /** As `next`, of a segment that is being written: what is no sound record yet is none. */
  nextWritten(): Found {
    return this.#findRecord() ? this.#pass() : Found.End
  }

  /** Bytes from `offset` to the last one that is not zero: what a torn tail left behind. */
  trailingBytes(): number {
    let end = this.offset
    for (let from = this.offset; from < this.fileBytes; from = this.#windowEnd) {
      this.#bring(from, 1)
      const used = usedUpTo(this.#views, from - this.#base)
      if (used > from - this.#base) end = this.#base + used
    }
    return end - this.offset
  }

  /**
   * Whether a sound record behind `offset` was written when more than `offset` bytes of this segment
   * were known durable. Then what is missing at `offset` was lost after its flush. Only of a whole file.
   */
  wasDurableBeyond(): boolean {
    assert(this.#window === undefined, 'segment reader: a window does not show all that follows')
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

  /** @returns whether a record stands at `offset`, whole and sound: `batch` is over it then. */
  #findRecord(): boolean {
    this.#bring(this.offset, JournaledBatch.bytes)
    const record = this.batch.over(this.#views, this.offset - this.#base)
    if (!isRecordHeader(record, this.header.segmentNumber, this.#base)) return false
    this.#bring(this.offset, record.recordBytes)
    return isRecordBody(record.over(this.#views, this.offset - this.#base))
  }

  get #windowEnd(): number {
    return this.#base + this.#views.u8.length
  }

  /** Moves the window to `from`, unless so many bytes from there on, or all that there are, are in it. */
  #bring(from: number, bytes: number): void {
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

/** End of the last byte behind `from` that is not zero, or `from`. */
function usedUpTo({ u8: bytes, i32: words }: RecordViews, from: number): number {
  let end = bytes.length
  while (end > from && (end & 3) !== 0 && bytes[end - 1] === 0) end--
  if ((end & 3) === 0) while (end > from && words[(end >> 2) - 1] === 0) end -= 4
  while (end > from && bytes[end - 1] === 0) end--
  return Math.max(end, from)
}

/**
 * Numbers of the segments on disk, in order. @throws JournalRefusal when one is missing in
 * between.
 */
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

/** Place of the last of these segments that begins with the batch or before it; -1: none does. */
export function placeOfBatch(
  files: JournalFiles,
  numbers: readonly number[],
  batchNumber: number,
): number {
  return numbers.findLastIndex(
    (number) => readSegmentHeader(files, number).firstBatchNumber <= batchNumber,
  )
}

/** Whether the segments alone lead to the state, without any snapshot. */
export function isWhole(files: JournalFiles, numbers: readonly number[]): boolean {
  const [first] = numbers
  if (first === undefined) return false
  const origin = headerOf(files, first)?.origin
  return first === 0 ? origin !== SegmentOrigin.Loss : origin === SegmentOrigin.Nothing
}

/** @returns null when the header is not sound. */
function headerOf(files: JournalFiles, segmentNumber: number): SegmentHeader | null {
  return decodeSegmentHeader(files.read(segmentName(segmentNumber), segmentHeaderBytes))
}

/** @throws JournalDamage, JournalRefusal */
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
