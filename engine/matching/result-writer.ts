import type { Side } from '../../schemas/domain.js'
import {
  BookTop,
  ChangedLevel,
  CountedFill,
  DoneCommand,
  MatchedFill,
  ReducedOrder,
  RemovedOrder,
  ResultRecord,
} from '../../schemas/generated/results.js'
import type { DoneOutcome } from '../../schemas/record-values.js'
import type { RecordSink } from '../../schemas/record-views.js'
import type { Ring } from '../memory/ring.js'
import type { CountedFill as CountedFillTerms } from './mmp-window.js'
import type { BookSink, RemovedReason } from './order-book.js'
import { priceMicrosOf } from './price-grid.js'
import type { ProtectionSink } from './protection-table.js'

/**
 * Writes the actions of the books of one matcher as result records, with ticket and instrument of the current command.
 * The core sees nothing before `ring.commit`, unless the ring fills up.
 */
export class ResultWriter implements BookSink, ProtectionSink, RecordSink {
  readonly views: Ring
  readonly #fill = new MatchedFill()
  readonly #removed = new RemovedOrder()
  readonly #reduced = new ReducedOrder()
  readonly #counted = new CountedFill()
  readonly #level = new ChangedLevel()
  readonly #top = new BookTop()
  readonly #done = new DoneCommand()
  ticket = 0
  instrument = 0
  readonly onFull: () => void

  /**
   * @param onFull called while the ring has no space, after everything written so far is committed. If the core runs in
   * this thread, it drains the ring; otherwise it waits for the core.
   */
  constructor(ring: Ring, onFull: () => void) {
    this.views = ring
    this.onFull = onFull
  }

  fill(makerHandle: number, takerHandle: number, priceIndex: number, sizeLots: number): void {
    const at = this.tryClaim(MatchedFill.bytes, ResultRecord.Fill)
    const fill = this.#fill.over(this.views, at)
    fill.ticket = this.ticket
    fill.instrument = this.instrument
    fill.makerHandle = makerHandle
    fill.takerHandle = takerHandle
    fill.priceMicros = priceMicrosOf(priceIndex)
    fill.sizeLots = sizeLots
  }

  removed(handle: number, cause: RemovedReason, openLots: number): void {
    const at = this.tryClaim(RemovedOrder.bytes, ResultRecord.Removed)
    const removed = this.#removed.over(this.views, at)
    removed.ticket = this.ticket
    removed.instrument = this.instrument
    removed.handle = handle
    removed.cause = cause
    removed.openLots = openLots
  }

  reduced(handle: number, openLots: number): void {
    const at = this.tryClaim(ReducedOrder.bytes, ResultRecord.Reduced)
    const reduced = this.#reduced.over(this.views, at)
    reduced.ticket = this.ticket
    reduced.instrument = this.instrument
    reduced.handle = handle
    reduced.openLots = openLots
  }

  counted(fill: CountedFillTerms): void {
    const at = this.tryClaim(CountedFill.bytes, ResultRecord.Mmp)
    const counted = this.#counted.over(this.views, at)
    counted.ticket = this.ticket
    counted.account = fill.account
    counted.underlying = fill.underlying
    counted.triggers = fill.triggers
    counted.sizeLots = fill.sizeLots
    counted.deltaMicros = fill.deltaMicros
    counted.vegaMicros = fill.vegaMicros
  }

  level(side: Side, priceIndex: number, sizeLots: number): void {
    const at = this.tryClaim(ChangedLevel.bytes, ResultRecord.Level)
    const level = this.#level.over(this.views, at)
    level.ticket = this.ticket
    level.instrument = this.instrument
    level.side = side
    level.priceMicros = priceMicrosOf(priceIndex)
    level.sizeLots = sizeLots
  }

  /** Reports the best prices of the current command's book, as indexes on the price grid; 0 for none. */
  top(bidIndex: number, askIndex: number): void {
    const at = this.tryClaim(BookTop.bytes, ResultRecord.BookTop)
    const top = this.#top.over(this.views, at)
    top.ticket = this.ticket
    top.instrument = this.instrument
    top.bidMicros = bidIndex === 0 ? 0 : priceMicrosOf(bidIndex)
    top.askMicros = askIndex === 0 ? 0 : priceMicrosOf(askIndex)
  }

  /** Writes the last record of the current command. */
  done(outcome: DoneOutcome, openLots: number): void {
    const at = this.tryClaim(DoneCommand.bytes, ResultRecord.Done)
    const done = this.#done.over(this.views, at)
    done.ticket = this.ticket
    done.outcome = outcome
    done.openLots = openLots
  }

  /** Claims a record and waits for space if necessary. The result is never negative. */
  tryClaim(bytes: number, type: number): number {
    const at = this.views.tryClaim(bytes, type)
    return at >= 0 ? at : this.waitAndClaim(bytes, type)
  }

  // One command may have more results than the ring holds (a sweep of thousands of orders). The core always drains
  // results before it waits for anything else, so this wait ends.
  waitAndClaim(bytes: number, type: number): number {
    for (;;) {
      this.views.commit()
      this.onFull()
      const at = this.views.tryClaim(bytes, type)
      if (at >= 0) return at
    }
  }
}
