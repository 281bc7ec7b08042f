import { SegmentOrigin } from '../../schemas/record-values.js'
import { checkReplayable, type EngineVersions } from './engine-versions.js'
import { JournalDamage, JournalRefusal } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import {
  checkLoss,
  type JournalEnd,
  type JournalEvidence,
  type LossBorder,
} from './journal-loss.js'
import {
  decodeSegmentHeader,
  journalFormatVersion,
  type SegmentHeader,
  segmentHeaderBytes,
  segmentName,
} from './segment-format.js'
import {
  Found,
  isWhole,
  listSegments,
  placeOfBatch,
  type ReadBatch,
  readSegmentHeader,
  SegmentReader,
} from './segment-reader.js'
import { removeTornEnd, type TornEnd, takeTornEnd } from './torn-end.js'

/** End of the journal, from which the writer continues. */
export interface RecoveredJournal {
  /** Number of the next batch to write; 1 if there is no journal. */
  readonly nextBatchNumber: number
  /** Sequence of the last event; 0 if there is no journal. */
  readonly seqAfter: number
  /** Timestamp of the last batch. The core's clock never goes below it. */
  readonly timeMillis: number
  /** Segment that contains the end, -1 if there is no journal, and the offset of the end. */
  readonly segmentNumber: number
  readonly offset: number
  /** Engine version of that segment. A writer of another version starts a new segment. */
  readonly engineVersion: number
  /** Number of batches passed to `onBatch`. */
  readonly batchCount: number
  /** Bytes of an unflushed tail that were cut off; none of them were ever acknowledged. */
  readonly cutBytes: number
  /** True if the journal ends with a graceful shutdown. */
  readonly shutDown: boolean
  /** True if the file of the next segment exists, torn during its creation. It is overwritten. */
  readonly overwritesNext: boolean
  /** Relation of the next batch to the last one. Any value except `Next` requires a new segment. */
  readonly origin: SegmentOrigin
}

export const emptyJournal: RecoveredJournal = {
  nextBatchNumber: 1,
  seqAfter: 0,
  timeMillis: 0,
  segmentNumber: -1,
  offset: 0,
  engineVersion: 0,
  batchCount: 0,
  cutBytes: 0,
  shutDown: false,
  overwritesNext: false,
  origin: SegmentOrigin.Next,
}

export interface RecoveryOptions {
  readonly files: JournalFiles
  /** First batch to replay: the one after the snapshot's, or 1. */
  readonly fromBatch: number
  /** Batches of another engine version are replayed if its rules are the same. */
  readonly versions: EngineVersions
  /** Identity of the venue. The journal of another venue is refused. */
  readonly identity?: string
  /** Receives the records of graceful shutdowns, each with the hash of the state after the batches before it. */
  readonly onShutdown?: (batch: ReadBatch) => void
  /** Evidence of how far the journal once went. */
  readonly evidence?: readonly JournalEvidence[]
  /** A loss that the operator has accepted: the journal continues after these bounds. */
  readonly loss?: LossBorder | null
  /** Returns the bounds of an accepted loss at the end that the replay found; null if nothing is lost. */
  readonly lossAt?: (end: JournalEnd) => LossBorder | null
  /**
   * Returns the sequence of the last event of a batch; null if the replay is at another batch. For a batch that was
   * journaled early, because its events did not fit into the event log, the segments have only an upper bound.
   */
  readonly seqAt?: (batchNumber: number) => number | null
}

type Progress = { -readonly [K in keyof RecoveredJournal]: RecoveredJournal[K] }

/** Result of reading the batches, before anything is written. */
interface JournalRead {
  readonly progress: Progress
  readonly torn: TornEnd | null
  /** Reader at the end of the newest segment; null if there is none. */
  readonly newest: SegmentReader | null
}

/**
 * Passes every journaled batch from `fromBatch` on to `onBatch`, in order. Then cuts an unflushed tail and makes the
 * rest durable, because a killed process may have left good batches only in the page cache.
 * @throws JournalDamage if something that was once durable is missing or changed; nothing is then written.
 * @throws JournalRefusal if segments are missing, or belong to another engine version or venue.
 * @throws JournalLoss if evidence shows more than there is; nothing is then written.
 */
export function recoverJournal(
  options: RecoveryOptions,
  onBatch: (batch: ReadBatch) => void,
): RecoveredJournal {
  const { files, fromBatch } = options
  const { progress, torn, newest } = readBatches(options, onBatch)
  const loss = checkEnd(progress, options)
  if (newest !== null) rewriteTail(files, newest)
  removeTornEnd(files, torn)
  return loss === null ? progress : continueAfterLoss(progress, loss, fromBatch, torn)
}

/**
 * Reads every batch from `fromBatch` on, as a recovery does, and changes nothing. Does not check for a loss.
 * @throws JournalDamage, JournalRefusal as `recoverJournal` does.
 */
export function checkBatches(options: RecoveryOptions): void {
  readBatches(options, () => {})
}

function readBatches(options: RecoveryOptions, onBatch: (batch: ReadBatch) => void): JournalRead {
  const { files, fromBatch } = options
  const numbers = listSegments(files)
  const torn = takeTornEnd(files, numbers, (options.loss ?? null) !== null)
  const progress: Progress = { ...emptyJournal, cutBytes: torn?.bytes ?? 0 }
  if (numbers.length === 0) return { progress, torn, newest: null }
  for (let i = firstNeeded(files, numbers, fromBatch); ; i++) {
    const reader = new SegmentReader(files, numbers[i])
    begin(progress, reader, options)
    const found = replaySegment(reader, options, progress, onBatch)
    if (i < numbers.length - 1) {
      checkSealed(reader, found)
      checkLength(reader, readSegmentHeader(files, numbers[i + 1]).previousBytes)
      continue
    }
    if (torn !== null) checkSealed(reader, found)
    else if (found === Found.Hole) progress.cutBytes += checkTorn(reader)
    return { progress, torn, newest: reader }
  }
}

/** Returns the end of the segments, as recorded in the newest one with a batch. Changes nothing. */
export function findEnd(files: JournalFiles): JournalEnd {
  const numbers = listSegments(files)
  takeTornEnd(files, numbers, true)
  for (let i = numbers.length - 1; i >= 0; i--) {
    const reader = new SegmentReader(files, numbers[i])
    const { firstBatchNumber, seqBefore, origin } = reader.header
    let end = { nextBatchNumber: firstBatchNumber, seqAfter: seqBefore }
    let isPassed = origin !== SegmentOrigin.Next
    for (let found = reader.next(); found > Found.End; found = reader.next()) {
      const { batchNumber, seqAfter } = reader.batch
      end = { nextBatchNumber: batchNumber + (found === Found.Batch ? 1 : 0), seqAfter }
      isPassed = false
    }
    if (!isPassed) return { segmentNumber: numbers[i], offset: reader.offset, ...end }
  }
  return emptyJournal
}

/** Continues the journal in a new segment, after all numbers that were seen before the loss. */
function continueAfterLoss(
  progress: Progress,
  loss: LossBorder,
  fromBatch: number,
  torn: TornEnd | null,
): RecoveredJournal {
  const isEmptyStart = fromBatch === 1 && progress.nextBatchNumber === 1
  progress.overwritesNext = torn?.isEvidence ?? false
  if (progress.segmentNumber < 0) progress.segmentNumber = torn?.segmentNumber ?? -1
  progress.nextBatchNumber = loss.batchNumber + 1
  progress.seqAfter = loss.seq
  progress.timeMillis = Math.max(progress.timeMillis, loss.timeMillis)
  progress.origin = isEmptyStart ? SegmentOrigin.Nothing : SegmentOrigin.Loss
  return progress
}

/**
 * Checks that the journal lost nothing that a snapshot, the lock or a store has recorded.
 * @returns the bounds of a loss that the operator has accepted; null if nothing is lost.
 */
function checkEnd(progress: Progress, options: RecoveryOptions): LossBorder | null {
  progress.seqAfter = options.seqAt?.(progress.nextBatchNumber - 1) ?? progress.seqAfter
  const loss = options.lossAt?.(progress) ?? options.loss ?? null
  if (loss !== null) return loss
  checkLoss(progress, options.evidence ?? [])
  const { fromBatch } = options
  if (progress.segmentNumber < 0 && fromBatch > 1) {
    throw new JournalRefusal(`no segments, batch ${fromBatch} is wanted`)
  }
  checkReached(progress, fromBatch)
  return null
}

function firstNeeded(files: JournalFiles, numbers: readonly number[], fromBatch: number): number {
  const place = placeOfBatch(files, numbers, fromBatch)
  if (place >= 0) return place
  const { firstBatchNumber: first, origin } = readSegmentHeader(files, numbers[0])
  // After a loss the journal continues from a snapshot, or from nothing, whose number need not be the previous one.
  if (origin === SegmentOrigin.Loss && fromBatch > 1) return 0
  if (isWhole(files, numbers) && fromBatch === 1) return 0
  const kept = `the first kept segment, ${segmentName(numbers[0])}, begins with ${first}`
  throw new JournalRefusal(`batch ${fromBatch} is wanted, ${kept}`)
}

function begin(
  progress: Progress,
  reader: SegmentReader,
  { identity = '' }: RecoveryOptions,
): void {
  const header = reader.header
  checkOwner(reader.name, header.identity, identity)
  const isGap =
    header.origin !== SegmentOrigin.Next && header.firstBatchNumber > progress.nextBatchNumber
  const isNext = header.firstBatchNumber === progress.nextBatchNumber
  if (progress.segmentNumber >= 0 && !isNext && !isGap) {
    const what = `begins with batch ${header.firstBatchNumber}, not ${progress.nextBatchNumber}`
    throw new JournalDamage(reader.name, 0, what)
  }
  progress.segmentNumber = header.segmentNumber
  progress.engineVersion = header.engineVersion
  progress.offset = reader.offset
  // Numbers skipped by a loss count only together with the batch that records the loss. Without that batch, the journal
  // ends before the gap.
  if (header.origin === SegmentOrigin.Next) passTo(progress, header)
}

function passTo(progress: Progress, { firstBatchNumber, seqBefore }: SegmentHeader): void {
  progress.nextBatchNumber = firstBatchNumber
  progress.seqAfter = seqBefore
}

function replaySegment(
  reader: SegmentReader,
  options: RecoveryOptions,
  progress: Progress,
  onBatch: (batch: ReadBatch) => void,
): Found {
  for (;;) {
    const at = reader.offset
    const found = reader.next()
    if (found === Found.End || found === Found.Hole) return found
    const batch = reader.batch
    if (at === segmentHeaderBytes) passTo(progress, reader.header)
    if (batch.batchNumber !== progress.nextBatchNumber) {
      const what = `batch ${batch.batchNumber} where ${progress.nextBatchNumber} belongs`
      throw new JournalDamage(reader.name, at, what)
    }
    progress.shutDown = found === Found.Shutdown
    progress.offset = reader.offset
    progress.seqAfter = batch.seqAfter
    progress.timeMillis = batch.timeMillis
    const isWanted = batch.batchNumber >= options.fromBatch
    if (found === Found.Shutdown) {
      if (isWanted) options.onShutdown?.(batch)
      continue
    }
    progress.nextBatchNumber++
    if (!isWanted) continue
    checkReplayable(reader.header, options.versions)
    progress.batchCount++
    onBatch(batch)
  }
}

/**
 * Checks the venue of the journal. @throws JournalRefusal if the newest segment with a sound header belongs to another
 * venue.
 */
export function checkIdentity(files: JournalFiles, identity: string): void {
  for (const number of listSegments(files).reverse()) {
    const name = segmentName(number)
    const header = decodeSegmentHeader(files.read(name, segmentHeaderBytes))
    if (header === null || header.formatVersion !== journalFormatVersion) continue
    checkOwner(name, header.identity, identity)
    return
  }
}

function checkOwner(name: string, owner: string, identity: string): void {
  if (owner === identity) return
  throw new JournalRefusal(`${name} belongs to ${owner}; this is ${identity}`)
}

/** Checks a segment that has a successor. It was flushed completely before the successor was created. */
function checkSealed(reader: SegmentReader, found: Found): void {
  if (found !== Found.Hole) return
  throw new JournalDamage(reader.name, reader.offset, 'no sound record in a finished segment')
}

function checkLength(reader: SegmentReader, lengthBefore: number): void {
  if (lengthBefore === reader.offset) return
  throw new JournalDamage(
    reader.name,
    reader.offset,
    `it ends here, once it had ${lengthBefore} bytes`,
  )
}

function checkReached(progress: RecoveredJournal, fromBatch: number): void {
  if (progress.nextBatchNumber >= fromBatch) return
  const end = progress.nextBatchNumber - 1
  throw new JournalRefusal(`it ends with batch ${end}, the snapshot holds ${fromBatch - 1}`)
}

/** Checks a torn tail. @returns its length in bytes. @throws JournalDamage if it was once durable. */
function checkTorn(reader: SegmentReader): number {
  if (reader.wasDurableBeyond()) {
    throw new JournalDamage(reader.name, reader.offset, 'no sound record where one was durable')
  }
  return reader.trailingBytes()
}

// Rewrites whatever may have been unflushed, instead of only flushing it: after a failed flush the kernel can hold
// pages that never reached the disk, and consider them clean. If no record was written after the segment's creation,
// this includes the header and the directory entry.
function rewriteTail(files: JournalFiles, reader: SegmentReader): void {
  const isNew = reader.durableOffset === segmentHeaderBytes
  const from = isNew ? 0 : reader.durableOffset
  const file = files.open(reader.name)
  try {
    if (reader.fileBytes > reader.offset) file.truncate(reader.offset)
    const tail = reader.batch.u8.subarray(from, reader.offset)
    if (tail.length > 0) file.write([tail], from)
    file.flush()
  } finally {
    file.close()
  }
  if (isNew) files.syncDirectory('')
}
