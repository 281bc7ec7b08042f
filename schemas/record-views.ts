/** Views of one piece of memory that holds records: a ring's, the event log's, or of its own. */
export interface RecordViews {
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f64: Float64Array
  readonly u8: Uint8Array
}

/** Where a record stands: what every cursor knows. */
export interface RecordPlace {
  readonly views: RecordViews
  readonly at: number
}

/** Where records are written: a ring, or the events of the core. */
export interface RecordSink {
  readonly views: RecordViews
  /** Offset of a new record whose header is written, or below 0: no room, or nobody listens. */
  tryClaim(bytes: number, type: number): number
}

/** Views of all of a buffer, whose length is a multiple of 8. */
export function viewsOf(buffer: ArrayBufferLike): RecordViews {
  return {
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f64: new Float64Array(buffer),
    u8: new Uint8Array(buffer),
  }
}

/** Views of a copy of so many bytes, from wherever they begin. */
export function viewsOfCopy(bytes: Uint8Array, length: number): RecordViews {
  const views = viewsOf(new ArrayBuffer(length))
  views.u8.set(bytes.subarray(0, length))
  return views
}

/** Where there is no memory to look at. */
export const noViews: RecordViews = viewsOf(new ArrayBuffer(0))

/** Stands on one record of a memory at a time. Every generated cursor is one. */
export class RecordCursor {
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** The record at this offset of these views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) turnTo(this, views)
    this.at = at
    return this
  }

  /** The record that another cursor stands on. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Moves to room for a new record, whose length and type the sink has written.
   * @returns false: the sink has given none.
   */
  protected claimIn(sink: RecordSink, bytes: number, type: number): boolean {
    const at = sink.tryClaim(bytes, type)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }
}

/** Apart from `over`, which V8 inlines everywhere while its bytecode has at most 27 bytes. */
function turnTo(cursor: RecordCursor, views: RecordViews): void {
  cursor.views = views
  cursor.i32 = views.i32
  cursor.u32 = views.u32
  cursor.f64 = views.f64
  cursor.u8 = views.u8
}
