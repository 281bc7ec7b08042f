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

/** The newest segment where it holds nothing: the journal goes on before it. */
export interface TornEnd {
  readonly name: string
  readonly segmentNumber: number
  readonly bytes: number
  /**
   * Whether it shows that the segment before it has lost the batch that told of a loss. Then it stays, to be written
   * over: without it, nobody would know of that loss.
   */
  readonly isWitness: boolean
}

/**
 * Takes a torn segment off the list of segments. A segment's header is flushed before its first record is written. So a
 * newest segment that is nothing but a broken header was being created when the power went, and one with records
 * behind it is damaged; so is the only one left, behind which others are missing, unless their loss is accepted.
 * @param numbers of all segments, in order; that of the torn end is taken off.
 * @returns null when the newest segment is whole, or damaged in another way.
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
  const isWitness = emptiedLosses(files, numbers).length > 0
  return { name, segmentNumber: last, bytes: files.bytesOf(name), isWitness }
}

/** Headers of the segments before a torn one that begin behind a loss and are empty: nobody else knows of that loss. */
export function emptiedLossesOf(files: JournalFiles): SegmentHeader[] {
  const numbers = listSegments(files)
  const last = numbers.pop()
  return last !== undefined && isTorn(files, last) ? emptiedLosses(files, numbers) : []
}

export function removeTornEnd(files: JournalFiles, torn: TornEnd | null): void {
  if (torn === null || torn.isWitness) return
  files.remove(torn.name)
  files.syncDirectory('')
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

function isTorn(files: JournalFiles, segmentNumber: number): boolean {
  return (
    unbegunHeaderOf(files, segmentNumber, false) !== null || isBrokenHeader(files, segmentNumber)
  )
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
