import type { RecordViews } from '../../../../schemas/record-views.js'

/** What follows events. */
interface Ledger {
  take(type: number, seq: number, views: RecordViews, at: number): void
}

/** A ledger that is told events by hand. */
export class ToldEvents<L extends Ledger> {
  readonly ledger: L
  seq = 0

  constructor(ledger: L) {
    this.ledger = ledger
  }

  /** Tells the next event: a record of so many bytes with nothing in it but what `write` puts there. */
  protected tell(type: number, bytes: number, write: (views: RecordViews) => void): this {
    const memory = new ArrayBuffer(bytes)
    const views = {
      i32: new Int32Array(memory),
      u32: new Uint32Array(memory),
      f64: new Float64Array(memory),
      u8: new Uint8Array(memory),
    }
    write(views)
    this.ledger.take(type, ++this.seq, views, 0)
    return this
  }
}
