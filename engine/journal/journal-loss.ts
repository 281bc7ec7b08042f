import type { Signer } from '../../schemas/record-values.js'
import { JournalLoss, orGiveUp } from './journal-errors.js'
import type { JournalFiles } from './journal-files.js'
import {
  decodeSegmentHeader,
  segmentHeaderBytes,
  segmentName,
  segmentNumberOf,
} from './segment-format.js'
import { archiveFolder, type SnapshotStore, snapshotName } from './snapshot-store.js'
import { emptiedLossesOf } from './torn-end.js'

/** The highest nonce that a wallet's owner, or its agents, are known to have used. */
export interface LostNonce {
  readonly wallet: string
  readonly signer: Signer
  /** Unsigned halves of the nonce. */
  readonly high: number
  readonly low: number
}

/** End of the history store. Everything in it was in the journal once. */
export interface HistoryEnd {
  /** Sequence of the last event. */
  readonly seq: number
  /** Engine time of the last event; 0 if unknown. */
  readonly timeMillis: number
  /** Highest numbers of orders, trades, payouts and auctions in the store. */
  readonly orderCount: number
  readonly tradeCount: number
  readonly payoutCount: number
  readonly auctionCount: number
  /** Number of instruments; ids start at 0. */
  readonly instrumentCount?: number
  /** Names of the underlyings with instruments, now or before a loss, in the order of their indexes. */
  readonly underlyings: readonly string[]
  /** Nonces that an accepted loss may have removed from the journal. */
  readonly lostNonces?: readonly LostNonce[]
  /** Other evidence, outside the journal, of how far it once went. */
  readonly others?: readonly JournalEvidence[]
  /** True if there is no store. It is then rebuilt during the start, and provides no evidence. */
  readonly isAbsent?: boolean
}

/** Returns the end of a history store that has seen only events up to `seq`. */
export function historyEndAt(seq: number): HistoryEnd {
  const none = { orderCount: 0, tradeCount: 0, payoutCount: 0, auctionCount: 0 }
  return { seq, timeMillis: 0, ...none, underlyings: [] }
}

/** Bounds above everything that was seen before a loss. New numbers start after them. */
export interface LossBorder
  extends Pick<
    HistoryEnd,
    'seq' | 'timeMillis' | 'orderCount' | 'tradeCount' | 'payoutCount' | 'auctionCount'
  > {
  readonly batchNumber: number
}

/** Position that a source other than the segments has seen. */
export interface JournalEvidence {
  readonly name: string
  readonly seq: number
  /** 0 if unknown. */
  readonly batchNumber: number
}

/** End of the segments. */
export interface JournalEnd {
  readonly segmentNumber: number
  readonly offset: number
  readonly nextBatchNumber: number
  readonly seqAfter: number
}

/**
 * Returns all evidence of the journal's former end, apart from the batches in the segments. Evidence is in the history
 * store, other sources of the venue, snapshots, an archive without later segments, and a segment that lost the batch
 * with the record of a loss.
 */
export function evidenceOf(
  files: JournalFiles,
  store: SnapshotStore,
  history: HistoryEnd,
): JournalEvidence[] {
  const evidence: JournalEvidence[] = [...(history.others ?? [])]
  if (history.seq > 0)
    evidence.push({ name: 'the history store', seq: history.seq, batchNumber: 0 })
  for (const batchNumber of store.list()) {
    const seq = store.seqOf(batchNumber)
    const name = snapshotName(batchNumber)
    if (Number.isFinite(seq)) evidence.push({ name, seq, batchNumber })
  }
  for (const segment of orphanedSegments(files)) {
    const name = `${archiveFolder}/${segment}`
    const header = decodeSegmentHeader(files.read(name, segmentHeaderBytes))
    if (header === null) continue
    evidence.push({ name, seq: header.seqBefore, batchNumber: header.firstBatchNumber })
  }
  for (const { segmentNumber, seqBefore: seq, firstBatchNumber } of emptiedLossesOf(files)) {
    const name = `the header of ${segmentName(segmentNumber)}`
    evidence.push({ name, seq, batchNumber: firstBatchNumber - 1 })
  }
  return evidence
}

/** Returns the names of archived segments, if the journal's own folder has none. */
function orphanedSegments(files: JournalFiles): string[] {
  const isSegment = (name: string) => segmentNumberOf(name) >= 0
  if (files.list('').some(isSegment)) return []
  return files.list(archiveFolder).filter(isSegment)
}

/**
 * Moves the archived segments back if no others are left. Only for an accepted loss: they are then the journal again.
 */
export function restoreArchive(files: JournalFiles): void {
  const names = orphanedSegments(files)
  for (const name of names) files.rename(`${archiveFolder}/${name}`, name)
  if (names.length === 0) return
  files.syncDirectory('')
  files.syncDirectory(archiveFolder)
}

/**
 * Returns the numbers after which the venue continues if the segments end here. Skips one batch number per lost event:
 * an upper bound of the lost batches, except for batches without events.
 * @returns null if no source has seen more than the segments hold.
 */
export function lossBorderOf(
  end: JournalEnd,
  evidence: readonly JournalEvidence[],
  history: HistoryEnd,
): LossBorder | null {
  if (!evidence.some((each) => isAhead(each, end))) return null
  const seq = Math.max(end.seqAfter, ...evidence.map((each) => each.seq))
  const batches = evidence.map((each) => each.batchNumber)
  const batchNumber = Math.max(end.nextBatchNumber - 1, ...batches) + (seq - end.seqAfter)
  const { timeMillis, orderCount, tradeCount, payoutCount, auctionCount } = history
  return { seq, batchNumber, timeMillis, orderCount, tradeCount, payoutCount, auctionCount }
}

/** Checks that nothing is lost. @throws JournalLoss if a source has seen more than the journal holds. */
export function checkLoss(end: JournalEnd, evidence: readonly JournalEvidence[]): void {
  const ahead = evidence.filter((each) => isAhead(each, end))
  if (ahead.length > 0) throw new JournalLoss(sentenceOf(end, ahead))
}

function isAhead(evidence: JournalEvidence, end: JournalEnd): boolean {
  return evidence.seq > end.seqAfter || evidence.batchNumber >= end.nextBatchNumber
}

function sentenceOf(end: JournalEnd, ahead: readonly JournalEvidence[]): string {
  const isEmpty = end.segmentNumber < 0
  const place = isEmpty
    ? 'there is no segment'
    : `it ends with batch ${end.nextBatchNumber - 1}, sequence ${end.seqAfter} ` +
      `(${segmentName(end.segmentNumber)}, offset ${end.offset})`
  const seen = ahead.map(({ name, seq, batchNumber }) => {
    return `${name} has seen sequence ${seq}${batchNumber > 0 ? `, batch ${batchNumber}` : ''}`
  })
  const seqMax = Math.max(...ahead.map(({ seq }) => seq))
  const batchMax = Math.max(...ahead.map(({ batchNumber }) => batchNumber))
  const lost: string[] = []
  if (seqMax > end.seqAfter) {
    const from = end.seqAfter + 1
    lost.push(`sequences ${from} to ${seqMax} (${seqMax - end.seqAfter} events)`)
  }
  if (batchMax >= end.nextBatchNumber) lost.push(`batches ${end.nextBatchNumber} to ${batchMax}`)
  const where = isEmpty
    ? 'all segments'
    : `the end of ${segmentName(end.segmentNumber)}, or ${segmentName(end.segmentNumber + 1)} and later`
  return (
    `${place}, but ${seen.join(', ')}: ${where} with at least ${lost.join(' and ')} ` +
    `are missing. Bring the files back, ${orGiveUp}`
  )
}
