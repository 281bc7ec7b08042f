import type { Side } from '../../schemas/domain.js'
import { ResultRecord } from '../../schemas/generated/results.js'
import type { Ring } from '../memory/ring.js'
import type { CountedFill } from './mmp-window.js'
import type { BookSink, RemovedReason } from './order-book.js'
import { priceMicrosOf } from './price-grid.js'
import type { ProtectionSink } from './protections.js'
import {
  countedAccountAt,
  countedDeltaMicrosAt,
  countedRecordBytes,
  countedSizeLotsAt,
  countedTicketAt,
  countedTriggersAt,
  countedUnderlyingAt,
  countedVegaMicrosAt,
  doneOpenLotsAt,
  doneOutcomeAt,
  doneRecordBytes,
  doneTicketAt,
  fillInstrumentAt,
  fillMakerHandleAt,
  fillPriceMicrosAt,
  fillRecordBytes,
  fillSizeLotsAt,
  fillTakerHandleAt,
  fillTicketAt,
  levelInstrumentAt,
  levelPriceMicrosAt,
  levelRecordBytes,
  levelSideAt,
  levelSizeLotsAt,
  levelTicketAt,
  reducedHandleAt,
  reducedInstrumentAt,
  reducedOpenLotsAt,
  reducedRecordBytes,
  reducedTicketAt,
  removedCauseAt,
  removedHandleAt,
  removedInstrumentAt,
  removedOpenLotsAt,
  removedRecordBytes,
  removedTicketAt,
} from './records.js'

/**
 * Writes what the books of one matcher do as result records (records.ts), with the ticket and the
 * instrument of the running command. Nothing is visible to the core before `ring.commit`, unless
 * the ring fills up.
 */
export class ResultWriter implements BookSink, ProtectionSink {
  readonly ring: Ring
  ticket = 0
  instrument = 0
  readonly onFull: () => void

  /**
   * @param onFull called while the ring has no room, after everything written so far was
   * committed, until it has some: drains the ring when the core runs in this thread, waits for
   * the core when it does not.
   */
  constructor(ring: Ring, onFull: () => void) {
    this.ring = ring
    this.onFull = onFull
  }

  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void {
    const at = this.claim(fillRecordBytes, ResultRecord.Fill)
    const { i32, f64 } = this.ring
    i32[(at + fillTicketAt) >> 2] = this.ticket
    i32[(at + fillInstrumentAt) >> 2] = this.instrument
    i32[(at + fillMakerHandleAt) >> 2] = makerHandle
    i32[(at + fillTakerHandleAt) >> 2] = takerHandle
    f64[(at + fillPriceMicrosAt) >> 3] = priceMicrosOf(priceIndex)
    f64[(at + fillSizeLotsAt) >> 3] = sizeLots
  }

  removed(handle: number, cause: RemovedReason, openLots: number): void {
    const at = this.claim(removedRecordBytes, ResultRecord.Removed)
    const { i32, f64 } = this.ring
    i32[(at + removedTicketAt) >> 2] = this.ticket
    i32[(at + removedInstrumentAt) >> 2] = this.instrument
    i32[(at + removedHandleAt) >> 2] = handle
    i32[(at + removedCauseAt) >> 2] = cause
    f64[(at + removedOpenLotsAt) >> 3] = openLots
  }

  reduced(handle: number, openLots: number): void {
    const at = this.claim(reducedRecordBytes, ResultRecord.Reduced)
    const { i32, f64 } = this.ring
    i32[(at + reducedTicketAt) >> 2] = this.ticket
    i32[(at + reducedInstrumentAt) >> 2] = this.instrument
    i32[(at + reducedHandleAt) >> 2] = handle
    f64[(at + reducedOpenLotsAt) >> 3] = openLots
  }

  counted(fill: CountedFill): void {
    const at = this.claim(countedRecordBytes, ResultRecord.Mmp)
    const { i32, f64 } = this.ring
    i32[(at + countedTicketAt) >> 2] = this.ticket
    i32[(at + countedAccountAt) >> 2] = fill.account
    i32[(at + countedUnderlyingAt) >> 2] = fill.underlying
    i32[(at + countedTriggersAt) >> 2] = fill.triggers
    f64[(at + countedSizeLotsAt) >> 3] = fill.sizeLots
    f64[(at + countedDeltaMicrosAt) >> 3] = fill.deltaMicros
    f64[(at + countedVegaMicrosAt) >> 3] = fill.vegaMicros
  }

  level(side: Side, priceIndex: number, sizeLots: number): void {
    const at = this.claim(levelRecordBytes, ResultRecord.Level)
    const { i32, f64 } = this.ring
    i32[(at + levelTicketAt) >> 2] = this.ticket
    i32[(at + levelInstrumentAt) >> 2] = this.instrument
    i32[(at + levelSideAt) >> 2] = side
    f64[(at + levelPriceMicrosAt) >> 3] = priceMicrosOf(priceIndex)
    f64[(at + levelSizeLotsAt) >> 3] = sizeLots
  }

  /** The last record of the running command. */
  done(outcome: number, openLots: number): void {
    const at = this.claim(doneRecordBytes, ResultRecord.Done)
    const { i32, f64 } = this.ring
    i32[(at + doneTicketAt) >> 2] = this.ticket
    i32[(at + doneOutcomeAt) >> 2] = outcome
    f64[(at + doneOpenLotsAt) >> 3] = openLots
  }

  claim(bytes: number, type: number): number {
    const at = this.ring.tryClaim(bytes, type)
    return at >= 0 ? at : this.claimLater(bytes, type)
  }

  // One command may have more results than the ring holds (a sweep of thousands of orders). The
  // core always drains results before it waits for anything else, so this wait ends.
  claimLater(bytes: number, type: number): number {
    for (;;) {
      this.ring.commit()
      this.onFull()
      const at = this.ring.tryClaim(bytes, type)
      if (at >= 0) return at
    }
  }
}
