import { JournalRefusal } from '../../engine/journal/journal-errors.js'
import { segmentName } from '../../engine/journal/segment-format.js'
import { Found, type ReadBatch, SegmentReader } from '../../engine/journal/segment-reader.js'
import type { VenueFolder } from './venue-folder.js'

/** Batch in place; valid until the iterator advances. */
export interface FoundBatch {
  readonly reader: SegmentReader
  readonly batch: ReadBatch
  /** Offset of its record in the segment. */
  readonly offset: number
  /** True if it is the record of a graceful shutdown, which has no commands. */
  readonly isShutdown: boolean
}

/**
 * Yields the batches of the stored segments in order, up to the last valid one.
 * @param fromBatch first batch. Segments that end before it are not read.
 * @throws JournalDamage, JournalRefusal
 */
export function* batchesOf(folder: VenueFolder, fromBatch = 1): Generator<FoundBatch> {
  const { files } = folder
  const first = folder.placeOfBatch(fromBatch)
  let last = -1
  for (const number of files.numbers().slice(Math.max(0, first))) {
    if (last >= 0 && number !== last + 1) {
      throw new JournalRefusal(`${segmentName(last + 1)} is not kept`)
    }
    last = number
    for (const found of recordsOf(new SegmentReader(files, number))) {
      if (found.batch.batchNumber >= fromBatch) yield found
    }
  }
}

/** Yields the records of one segment. */
export function* recordsOf(reader: SegmentReader): Generator<FoundBatch> {
  for (;;) {
    const { offset } = reader
    const found = reader.next()
    if (found !== Found.Batch && found !== Found.Shutdown) return
    yield { reader, batch: reader.batch, offset, isShutdown: found === Found.Shutdown }
  }
}
