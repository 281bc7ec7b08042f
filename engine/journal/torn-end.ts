import { SegmentOrigin } from '../../schemas/record-values.js'
import { JournalDamage, orGiveUp } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import {
  decodeSegmentHeader,
  journalFormatVersion,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentName,
} from './segment-format.js'
import { Found, listSegments, readSegmentHeader, SegmentReader } from './segment-reader.js'

/** The newest segment, if it contains no batch: the journal continues before it. */
export interface TornEnd {
  readonly name: string
  readonly segmentNumber: number
  readonly bytes: number
  /**
   * True if it shows that the segment before it lost the batch with the record of a loss. It is then kept to be
   * overwritten, because it is the only evidence of that loss.
   */
  readonly isEvidence: boolean
}

/**
 * Removes a torn segment from the list. A segment's header is flushed before its first record is written. A newest
 * segment with only a broken header was therefore being created when the power failed. A broken header followed by
 * records is damage. So is a broken header of the only segment left, since others before it are missing, unless their
 * loss is accepted.
 * @param numbers of all segments, in order; the torn one is removed.
 * @returns null if the newest segment is complete, or damaged in another way.
 * @throws JournalDamage
 */
export function takeTornEnd(
  files: JournalFiles,
  numbers: number[],
  isLossAccepted: boolean,
): TornEnd | null {
  const last = numbers.at(-1)
  if (last === undefined || !isTorn(files, last)) return null
  const name = segmentName(last)
  const isFirstKept = numbers.length === 1 && last > 0
  if (isFirstKept && !isLossAccepted && isBrokenHeader(files, last)) {
    throw new JournalDamage(name, 0, emptiedSentence)
  }
  numbers.pop()
  const isEvidence = emptiedLosses(files, numbers).length > 0
  return { name, segmentNumber: last, bytes: files.bytesOf(name), isEvidence }
}

/**
 * Returns the headers of the empty segments before a torn one that start after a loss. Nothing else records that loss.
 */
export function emptiedLossesOf(files: JournalFiles): SegmentHeader[] {
  const numbers = listSegments(files)
  const last = numbers.pop()
  return last !== undefined && isTorn(files, last) ? emptiedLosses(files, numbers) : []
}

export function removeTornEnd(files: JournalFiles, torn: TornEnd | null): void {
  if (torn === null || torn.isEvidence) return
  files.remove(torn.name)
  files.syncDirectory('')
}

const emptiedSentence =
  'no segment header, and no segment before it that is not archived: what it held is gone. ' +
  `Bring the file back, ${orGiveUp}`

// Such a segment was flushed, with the batch that records the minimum loss, before its successor was created. A
// successor with a sound header knows its length; a torn successor only shows that it was flushed.
function emptiedLosses(files: JournalFiles, numbers: readonly number[]): SegmentHeader[] {
  const headers: SegmentHeader[] = []
  for (let i = numbers.length - 1; i >= 0; i--) {
    const header = emptyHeaderOf(files, numbers[i], true)
    if (header === null) break
    headers.push(header)
  }
  return headers
}

function isTorn(files: JournalFiles, segmentNumber: number): boolean {
  return emptyHeaderOf(files, segmentNumber, false) !== null || isBrokenHeader(files, segmentNumber)
}

function isBrokenHeader(files: JournalFiles, segmentNumber: number): boolean {
  if (files.bytesOf(segmentName(segmentNumber)) > segmentHeaderBytes) return false
  try {
    readSegmentHeader(files, segmentNumber)
    return false
  } catch (error) {
    if (error instanceof JournalDamage) return true
    throw error
  }
}

/**
 * Returns the header of a segment that starts after a loss, if the first batch, which records the loss, is missing.
 * @param isSealed true if the segment was flushed completely. It then qualifies only without a trace of that batch;
 * otherwise it is damaged.
 */
function emptyHeaderOf(
  files: JournalFiles,
  segmentNumber: number,
  isSealed: boolean,
): SegmentHeader | null {
  const header = decodeSegmentHeader(files.read(segmentName(segmentNumber), segmentHeaderBytes))
  if (header === null || header.formatVersion !== journalFormatVersion) return null
  if (header.segmentNumber !== segmentNumber || header.origin === SegmentOrigin.Next) return null
  const reader = new SegmentReader(files, segmentNumber)
  const found = reader.next()
  if (isSealed) return found === Found.End ? header : null
  return found <= Found.End && !reader.wasDurableBeyond() ? header : null
}
