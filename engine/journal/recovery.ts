import { SegmentOrigin } from '../../schemas/record-values.js'
import { checkReplayable, type EngineVersions } from './engine-versions.js'
import { JournalDamage, JournalRefusal } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import { checkLoss, type JournalEnd, type LossBorder, type Witness } from './journal-loss.js'
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

/** Where the journal ends, for the writer to go on. */
export interface RecoveredJournal {
  /** Of the next batch to be written; 1 when there is no journal. */
  readonly nextBatchNumber: number
  /** Sequence of the last event, 0 when there is no journal. */
  readonly seqAfter: number
  /** Timestamp of the last batch: the core's clock never goes behind it. */
  readonly timeMillis: number
  /** Segment that holds the end, -1 when there is no journal, and where it ends. */
  readonly segmentNumber: number
  readonly offset: number
  /** Engine version of that segment; the writer begins a new one when its own is another. */
  readonly engineVersion: number
  /** Batches given to `onBatch`. */
  readonly batchCount: number
  /** Bytes of an unflushed tail that were cut off, all of it never acknowledged. */
  readonly cutBytes: number
  /** Whether the journal ends in a graceful shutdown. */
  readonly shutDown: boolean
  /** Whether the next segment's file is there already, torn at its creation: it is written over. */
  readonly overwritesNext: boolean
  /** How the next batch follows; but for `Next` it begins a segment of its own. */
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
  /** First batch wanted: the one after the snapshot's, or 1. */
  readonly fromBatch: number
  /** Batches of another engine version are replayed where its rules are the same. */
  readonly versions: EngineVersions
  /** Whose journal it is; another's is refused. */
  readonly identity?: string
  /** Takes the records of graceful ends, each with the hash of the state that the batches before it lead to. */
  readonly onShutdown?: (batch: ReadBatch) => void
  /** What else shows how far the journal once was. */
  readonly witnesses?: readonly Witness[]
  /** A loss that the operator has accepted: the journal continues after this border. */
  readonly loss?: LossBorder | null
  /** Returns the border of an accepted loss at the end that the replay found; null: nothing is lost. */
  readonly lossAt?: (end: JournalEnd) => LossBorder | null
  /**
   * Returns the sequence of the last event of a batch; null: the replay is at another batch. The segments have only an upper
   * bound for a batch that was journaled early, because its events did not fit into the event log.
   */
  readonly seqAt?: (batchNumber: number) => number | null
}

type Progress = { -readonly [K in keyof RecoveredJournal]: RecoveredJournal[K] }

/**
 * Gives every journaled batch from `fromBatch` on to `onBatch`, in order, then cuts an unflushed
 * tail and makes the rest durable: a process that was killed may have left good batches in the
 * page cache alone.
 * @throws JournalDamage when something that was once durable is gone or changed; nothing is
 * written then.
 * @throws JournalRefusal when segments are missing, belong to another engine version or another venue.
 * @throws JournalLoss when a witness has seen more than there is; nothing is written then.
 */
export function recoverJournal(
  options: RecoveryOptions,
  onBatch: (batch: ReadBatch) => void,
): RecoveredJournal {
  const { files, fromBatch } = options
  const numbers = listSegments(files)
  const torn = takeTornEnd(files, numbers, (options.loss ?? null) !== null)
  const progress: Progress = { ...emptyJournal, cutBytes: torn?.bytes ?? 0 }
  let loss = options.loss ?? null
  if (numbers.length === 0) {
    loss = checkEnd(progress, options)
    removeTornEnd(files, torn)
    return loss === null ? progress : behind(progress, loss, fromBatch, torn)
  }
  for (let i = firstNeeded(files, numbers, fromBatch); i < numbers.length; i++) {
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
    loss = checkEnd(progress, options)
    rewriteTail(files, reader)
  }
  removeTornEnd(files, torn)
  return loss === null ? progress : behind(progress, loss, fromBatch, torn)
}

/** Where the segments end, as far as the newest one with a batch tells; nothing is changed. */
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

/** The journal goes on in a new segment, behind everything that was seen of what is lost. */
function behind(
  progress: Progress,
  loss: LossBorder,
  fromBatch: number,
  torn: TornEnd | null,
): RecoveredJournal {
  const isNothing = fromBatch === 1 && progress.nextBatchNumber === 1
  progress.overwritesNext = torn?.isWitness ?? false
  if (progress.segmentNumber < 0) progress.segmentNumber = torn?.segmentNumber ?? -1
  progress.nextBatchNumber = loss.batchNumber + 1
  progress.seqAfter = loss.seq
  progress.timeMillis = Math.max(progress.timeMillis, loss.timeMillis)
  progress.origin = isNothing ? SegmentOrigin.Nothing : SegmentOrigin.Loss
  return progress
}

/**
 * Checks that the journal lost nothing that a snapshot, the lock or a store has recorded.
 * @returns the border of a loss that the operator has accepted; null: nothing is lost.
 */
function checkEnd(progress: Progress, options: RecoveryOptions): LossBorder | null {
  progress.seqAfter = options.seqAt?.(progress.nextBatchNumber - 1) ?? progress.seqAfter
  const loss = options.lossAt?.(progress) ?? options.loss ?? null
  if (loss !== null) return loss
  checkLoss(progress, options.witnesses ?? [])
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
  // Behind a loss it goes on from a snapshot, or from nothing, whose number need not be the one before.
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
  // What a loss passes over counts with the batch that tells of it: without that one the journal ends before it.
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

/** @throws JournalRefusal when the newest segment whose header is sound belongs to another venue. */
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

/** A segment that has a successor was flushed whole before that one was created. */
function checkSealed(reader: SegmentReader, found: Found): void {
  if (found !== Found.Hole) return
  throw new JournalDamage(reader.name, reader.offset, 'no sound record in a finished segment')
}

function checkLength(reader: SegmentReader, bytesOnce: number): void {
  if (bytesOnce === reader.offset) return
  throw new JournalDamage(
    reader.name,
    reader.offset,
    `it ends here, once it had ${bytesOnce} bytes`,
  )
}

function checkReached(progress: RecoveredJournal, fromBatch: number): void {
  if (progress.nextBatchNumber >= fromBatch) return
  const end = progress.nextBatchNumber - 1
  throw new JournalRefusal(`it ends with batch ${end}, the snapshot holds ${fromBatch - 1}`)
}

/** @returns how many bytes the torn tail has. @throws JournalDamage when it was durable once. */
function checkTorn(reader: SegmentReader): number {
  if (reader.wasDurableBeyond()) {
    throw new JournalDamage(reader.name, reader.offset, 'no sound record where one was durable')
  }
  return reader.trailingBytes()
}

// What may have been unflushed is written once more, not only flushed: after a failed flush the
// kernel can hold pages that never reached the disk, and call them clean. Of a segment without a
// record that was written after its creation was over, that is the header, too, and its entry in
// the directory.
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
