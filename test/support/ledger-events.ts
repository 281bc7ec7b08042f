import type { AnyEvent } from '../../schemas/generated/events.js'
import { type RecordSink, viewsOf } from '../../schemas/record-views.js'

/** Consumer of events. */
interface Ledger {
  take(event: AnyEvent): void
}

/** Ledger that gets its events from the test. */
export class PublishedEvents<L extends Ledger> {
  readonly ledger: L
  seq = 0

  constructor(ledger: L) {
    this.ledger = ledger
  }

  /** Passes on the next event, with these fields only. */
  protected emit<Event extends AnyEvent & { claim(sink: RecordSink): boolean }>(
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
