import type { BookSink, RemovedReason } from '../../engine/matching/order-book.js'
import { recordTypeAt } from '../../engine/memory/layout.js'
import type { Ring } from '../../engine/memory/ring.js'
import type { Side } from '../../schemas/domain.js'
import { RemovedCause } from '../../schemas/record-values.js'
import {
  BlockType,
  blockBytes,
  blockCountAt,
  blockReportsAt,
  blockReportsMax,
  ReportType,
  reportWords,
  termsOf,
} from './report-record.js'

// The compiler folds constants of this module into the code, but reads imported ones from memory.
const words = reportWords
const blockWords = blockReportsMax * reportWords
const { Trade: trade, CancelAck: cancelAck } = ReportType
const { Ioc: iocCause } = RemovedCause

/**
 * Writes the reports of a book to a ring: trades, and the cancelled rest of immediate-or-cancel orders. The driver writes
 * the other reports, because only it knows the messages.
 */
export class ReportWriter implements BookSink {
  readonly ring: Ring
  readonly words: Int32Array
  /** Block being filled: word offsets of its first report, of the next one, and of its end. */
  start = 0
  next = 0
  end = 0
  /** Terms of the current message. */
  sequence = 0
  side = 0
  priceIndex = 0
  /** Level that changed last. */
  levelSide = 0
  levelPriceIndex = 0

  constructor(ring: Ring) {
    this.ring = ring
    this.words = ring.i32
    this.openBlock()
  }

  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void {
    this.write(termsOf(trade, 0, sizeLots), makerHandle, priceIndex, takerHandle)
  }

  removed(handle: number, cause: RemovedReason, _openLots: number): void {
    if (cause === iocCause) this.write(termsOf(cancelAck, this.side, 0), handle, this.priceIndex, 0)
  }

  reduced(_handle: number, _openLots: number): void {}

  level(side: Side, priceIndex: number, _sizeLots: number): void {
    this.levelSide = side
    this.levelPriceIndex = priceIndex
  }

  write(terms: number, handle: number, priceIndex: number, taker: number): void {
    const at = this.next
    const block = this.words
    block[at] = this.sequence
    block[at + 1] = terms
    block[at + 2] = handle
    block[at + 3] = priceIndex
    block[at + 4] = taker
    this.next = at + words
    if (this.next === this.end) this.closeBlock(BlockType.Reports)
  }

  /** Commits the block and opens another. The last block of a run may be empty. */
  closeBlock(type: number): void {
    const block = this.start - (blockReportsAt >> 2)
    this.words[block + (recordTypeAt >> 2)] = type
    this.words[block + (blockCountAt >> 2)] = (this.next - this.start) / words
    this.ring.commit()
    this.openBlock()
  }

  /** Claims the next block. Spins until the reader has freed space. */
  openBlock(): void {
    let at = -1
    while (at < 0) at = this.ring.tryClaim(blockBytes, BlockType.Reports)
    this.start = (at + blockReportsAt) >> 2
    this.next = this.start
    this.end = this.start + blockWords
  }
}
