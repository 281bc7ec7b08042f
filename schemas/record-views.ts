/** Views of one block of memory with records: a ring, the event log, or a block of its own. */
export interface RecordViews {
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f64: Float64Array
  readonly u8: Uint8Array
}

/** Place of a record, as every cursor has it. */
export interface RecordPlace {
  readonly views: RecordViews
  readonly at: number
}

/** Destination of records: a ring, or the events of the core. */
export interface RecordSink {
  readonly views: RecordViews
  /** Claims a record and writes its header. @returns its offset; negative if there is no space or no reader. */
  tryClaim(bytes: number, type: number): number
}

/** Returns views of a whole buffer, whose length is a multiple of 8. */
export function viewsOf(buffer: ArrayBufferLike): RecordViews {
  return {
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f64: new Float64Array(buffer),
    u8: new Uint8Array(buffer),
  }
}

/** Returns views of a copy of `length` bytes, which may start at any offset. */
export function viewsOfCopy(bytes: Uint8Array, length: number): RecordViews {
  const views = viewsOf(new ArrayBuffer(length))
  views.u8.set(bytes.subarray(0, length))
  return views
}

/** Views of empty memory. */
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
    if (views !== this.views) setViews(this, views)
    this.at = at
    return this
  }

  /** Moves to the record of another cursor. */
  of(record: RecordPlace): this {
    return this.over(record.views, record.at)
  }

  /**
   * Claims space for a new record in the sink, which writes its length and type, and moves there.
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
function setViews(cursor: RecordCursor, views: RecordViews): void {
  cursor.views = views
  cursor.i32 = views.i32
  cursor.u32 = views.u32
  cursor.f64 = views.f64
  cursor.u8 = views.u8
}
