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
