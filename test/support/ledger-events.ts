import type { AnyEvent } from '../../schemas/generated/events.js'
import { type RecordSink, viewsOf } from '../../schemas/record-views.js'

/** What follows events. */
interface Ledger {
  take(event: AnyEvent): void
}

/** A ledger that is told events by hand. */
export class ToldEvents<L extends Ledger> {
  readonly ledger: L
  seq = 0

  constructor(ledger: L) {
    this.ledger = ledger
  }

  /** Tells the next event, with nothing in it but these fields. */
  protected tell<Event extends AnyEvent & { claim(sink: RecordSink): boolean }>(
    event: Event,
    fields: Partial<Event>,
  ): this {
    let recordType = 0
    const tryClaim = (_bytes: number, type: number) => {
      recordType = type
      return 0
    }
    event.claim({ views: viewsOf(new ArrayBuffer(1024)), tryClaim })
    Object.assign(event, fields, { recordType, seq: ++this.seq })
    this.ledger.take(event)
    return this
  }
}
