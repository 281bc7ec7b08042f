import { JournalDamage, orGiveUp } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import {
  decodeSegmentHeader,
  journalFormatVersion,
  type SegmentHeader,
  SegmentOrigin,
  segmentHeaderBytes,
  segmentName,
} from './segment-format.js'
import { Found, listSegments, readSegmentHeader, SegmentReader } from './segment-reader.js'

/** Segments at the end that hold nothing: the journal goes on before them, and they are removed. */
export interface TornEnd {
  /** Newest first: what is left between two removals has no gap. */
  readonly names: readonly string[]
  /** Of the newest. */
  readonly segmentNumber: number
  readonly bytes: number
}

/**
 * Takes the torn end off the list of segments. A segment's header is flushed before its first record is written. So a
 * newest segment that is nothing but a broken header was being created when the power went, and one with records
 * behind it is damaged; so is the only one left, behind which others are missing, unless their loss is accepted.
 * @param numbers of all segments, in order; those of the torn end are taken off.
 * @returns null when the newest segment is whole, or damaged in another way.
 * @throws JournalDamage
 */
export function takeTornEnd(
  files: JournalFiles,
  numbers: number[],
  isLossAccepted: boolean,
): TornEnd | null {
  const last = numbers.at(-1)
  if (last === undefined) return null
  if (unbegunHeaderOf(files, last, false) === null) {
    if (!isBrokenHeader(files, last)) return null
    const isFirstKept = numbers.length === 1 && last > 0
    if (isFirstKept && !isLossAccepted) {
      throw new JournalDamage(segmentName(last), 0, emptiedSentence)
    }
  }
  const torn: number[] = [numbers.pop()!]
  for (const { segmentNumber } of emptiedLosses(files, numbers)) {
    torn.push(segmentNumber)
    numbers.pop()
  }
  const names = torn.map(segmentName)
  const bytes = names.reduce((sum, name) => sum + files.bytesOf(name), 0)
  return { names, segmentNumber: last, bytes }
}

/** Headers of the segments before a torn one that begin behind a loss and are empty: nobody else knows of that loss. */
export function emptiedLossesOf(files: JournalFiles): SegmentHeader[] {
  const numbers = listSegments(files)
  const last = numbers.pop()
  if (last === undefined) return []
  const isTorn = unbegunHeaderOf(files, last, false) !== null || isBrokenHeader(files, last)
  return isTorn ? emptiedLosses(files, numbers) : []
}

export function removeTornEnd(files: JournalFiles, torn: TornEnd | null): void {
  if (torn === null) return
  for (const name of torn.names) {
    files.remove(name)
    files.syncDirectory('')
  }
}

const emptiedSentence =
  'no segment header, and no segment before it that is not archived: what it held is gone. ' +
  `Bring the file back, ${orGiveUp}`

// The segment behind them was created when they were flushed, with the batch that says what is lost at least. A
// successor with a sound header knows their length; behind a torn one this is all that shows it.
function emptiedLosses(files: JournalFiles, numbers: readonly number[]): SegmentHeader[] {
  const headers: SegmentHeader[] = []
  for (let i = numbers.length - 1; i >= 0; i--) {
    const header = unbegunHeaderOf(files, numbers[i], true)
    if (header === null) break
    headers.push(header)
  }
  return headers
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
 * The header of a segment that begins behind a loss, and whose first batch, which says so, is not there.
 * @param isSealed whether it was flushed whole: then it is so only without a trace of that batch, else it is damaged.
 */
function unbegunHeaderOf(
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
