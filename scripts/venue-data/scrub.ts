import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { JournalDamage, JournalRefusal } from '../../engine/journal/journal-errors.js'
import {
  isRecordHeader,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentName,
} from '../../engine/journal/segment-format.js'
import { Found, SegmentReader } from '../../engine/journal/segment-reader.js'
import { archiveFolder, snapshotName } from '../../engine/journal/snapshot-store.js'
import { errorOf } from '../../engine/threads/error-of.js'
import { AnyCommand, CommandType, NoteFileCommand } from '../../schemas/generated/commands.js'
import { JournaledBatch } from '../../schemas/generated/journal.js'
import { NotedFile, SegmentOrigin } from '../../schemas/record-values.js'
import type { VenueFolder } from './venue-folder.js'

const command = new AnyCommand()
const noted = new NoteFileCommand()

/** Damage in a file. */
export interface Fault {
  /** Path from the data folder. */
  readonly file: string
  /** Byte offset; -1: the file as a whole. */
  readonly offset: number
  readonly what: string
}

/** Reads every byte of the journal, its archive and the snapshots, and verifies all checksums. */
export function scrubJournal(folder: VenueFolder): JournalScrub {
  const scrub = new JournalScrub(folder)
  scrub.run()
  return scrub
}

class JournalScrub {
  readonly faults: Fault[] = []
  /** Remarks that are not faults, such as an unflushed tail. */
  readonly notes: string[] = []
  segments = 0
  snapshots = 0
  batches = 0
  bytes = 0
  /** Sequence of the last event in the journal. */
  lastSeq = 0
  /** Minimum length in bytes of the files next to the journal, by `NotedFile`; 0 if none was noted. */
  readonly notedBytes: number[] = Object.values(NotedFile).map(() => 0)
  readonly #folder: VenueFolder
  /** Number of the next batch; 0: unknown. */
  #nextBatch = 0

  constructor(folder: VenueFolder) {
    this.#folder = folder
  }

  run(): void {
    const { files, store } = this.#folder
    // Listed first: in a running venue the journal is always ahead of the snapshots.
    const snapshots = store.list()
    const numbers = files.numbers()
    let before: SegmentReader | null = null
    for (const number of numbers) {
      if (before !== null && number !== before.header.segmentNumber + 1) {
        this.#fault(
          segmentName(before.header.segmentNumber + 1),
          -1,
          'the segment is missing, although later ones exist',
        )
        this.#nextBatch = 0
        before = null
      }
      before = this.#segment(number, before, number === numbers.at(-1))
    }
    for (const batchNumber of snapshots) this.#snapshot(batchNumber)
  }

  #segment(number: number, before: SegmentReader | null, isNewest: boolean): SegmentReader | null {
    const name = segmentName(number)
    const reader = this.#open(name, number, isNewest)
    if (reader === null) return null
    this.segments++
    this.bytes += reader.fileBytes
    const { header } = reader
    if (before !== null && header.previousBytes !== before.offset) {
      const what = `it ends here, once it had ${header.previousBytes} bytes`
      this.#fault(before.name, before.offset, what)
    }
    if (header.identity !== this.#folder.identity) {
      this.#fault(name, 0, `it belongs to ${header.identity}`)
    }
    this.#records(reader, isNewest)
    return reader
  }

  #open(name: string, number: number, isNewest: boolean): SegmentReader | null {
    try {
      return new SegmentReader(this.#folder.files, number)
    } catch (error) {
      const isKnown = error instanceof JournalDamage || error instanceof JournalRefusal
      if (!isKnown) throw error
      const isBegun = isNewest && this.#folder.files.bytesOf(name) <= segmentHeaderBytes
      if (isBegun) {
        this.notes.push(`${name} has no records yet`)
        return null
      }
      this.#fault(name, 0, error.message)
      this.#nextBatch = 0
      return null
    }
  }

  #records(reader: SegmentReader, isNewest: boolean): void {
    this.#checkFirst(reader.header)
    for (;;) {
      const at = reader.offset
      const found = reader.next()
      if (found === Found.Batch || found === Found.Shutdown) {
        this.#take(reader, at, found === Found.Batch)
        continue
      }
      if (found === Found.End) return
      const next = nextRecord(reader)
      if (isNewest && !reader.wasDurableBeyond()) {
        this.notes.push(
          `${reader.name}: ${reader.trailingBytes()} bytes of an unflushed tail at ${at}`,
        )
        return
      }
      const end = next < 0 ? reader.offset + reader.trailingBytes() : next
      this.#fault(reader.name, at, `${end - at} bytes without a valid record`)
      if (next < 0) return
      reader.offset = next
      this.#nextBatch = 0
    }
  }

  #checkFirst({ origin, firstBatchNumber, segmentNumber }: SegmentHeader): void {
    const isNext = this.#nextBatch === 0 || firstBatchNumber === this.#nextBatch
    const isAfterLoss = origin !== SegmentOrigin.Next && firstBatchNumber > this.#nextBatch
    if (!isNext && !isAfterLoss) {
      const what = `it begins with batch ${firstBatchNumber}, not ${this.#nextBatch}`
      this.#fault(segmentName(segmentNumber), 0, what)
    }
    this.#nextBatch = firstBatchNumber
  }

  #take({ batch, name }: SegmentReader, at: number, isBatch: boolean): void {
    const { batchNumber, seqAfter } = batch
    if (this.#nextBatch > 0 && batchNumber !== this.#nextBatch) {
      this.#fault(name, at, `found batch ${batchNumber}, expected ${this.#nextBatch}`)
    }
    this.#nextBatch = batchNumber + (isBatch ? 1 : 0)
    this.lastSeq = seqAfter
    if (!isBatch) return
    this.batches++
    const end = batch.commandsAt + batch.commandBytes
    for (let at = batch.commandsAt; at < end; at += command.over(batch, at).recordBytes) {
      if (command.over(batch, at).recordType !== CommandType.NoteFile) continue
      const { bytes, file } = noted.of(command)
      this.notedBytes[file] = bytes
    }
  }

  #snapshot(batchNumber: number): void {
    const name = snapshotName(batchNumber)
    this.snapshots++
    try {
      const { state } = this.#folder.store.readOne(batchNumber)
      this.bytes += state.length
      if (this.#nextBatch > 0 && batchNumber >= this.#nextBatch) {
        const what = `it is of batch ${batchNumber}, the journal ends with ${this.#nextBatch - 1}`
        this.#fault(name, -1, what)
      }
    } catch (error) {
      const isKnown = error instanceof JournalDamage || error instanceof JournalRefusal
      // A running venue may have replaced it by a newer one since.
      if (!isKnown && !this.#folder.files.has(name)) return
      this.#fault(name, 0, errorOf(error).message)
    }
  }

  #fault(name: string, offset: number, what: string): void {
    const { journalDirectory } = this.#folder
    const isKept = [name, join(archiveFolder, name)].some((path) =>
      existsSync(join(journalDirectory, path)),
    )
    const file = isKept ? this.#folder.placeOf(name) : join('journal', name)
    this.faults.push({ file, offset, what })
  }
}

/** Returns the offset of the next valid record header after the reader's offset; -1: none. */
function nextRecord({ batch, header, offset }: SegmentReader): number {
  const views = batch.views
  const record = new JournaledBatch()
  for (let at = offset + 8; at + JournaledBatch.bytes <= views.u8.length; at += 8) {
    if (isRecordHeader(record.over(views, at), header.segmentNumber)) return at
  }
  return -1
}
