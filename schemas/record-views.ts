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

/** Base of every generated cursor. A cursor points at one record at a time. */
export class RecordCursor {
  views: RecordViews = noViews
  i32 = noViews.i32
  u32 = noViews.u32
  f64 = noViews.f64
  u8 = noViews.u8
  /** Offset of the record in its views. */
  at = 0

  /** Moves to the record at an offset of the views. */
  over(views: RecordViews, at: number): this {
    if (views !== this.views) turnTo(this, views)
    this.at = at
    return this
  }

  /** Moves to the record of another cursor. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Claims room for a new record in the sink, which writes its length and type, and moves there.
   * @returns false if the sink is full.
   */
  protected claimIn(sink: RecordSink, bytes: number, type: number): boolean {
    const at = sink.tryClaim(bytes, type)
    if (at < 0) return false
    this.over(sink.views, at)
    return true
  }
}

/** Separate from `over`: V8 always inlines functions of at most 27 bytes of bytecode. */
function turnTo(cursor: RecordCursor, views: RecordViews): void {
  cursor.views = views
  cursor.i32 = views.i32
  cursor.u32 = views.u32
  cursor.f64 = views.f64
  cursor.u8 = views.u8
}
