import { assert } from '../../schemas/assert.js'
import { eventBytesMax } from '../../schemas/bounds.js'
import type { RecordSink, RecordViews } from '../../schemas/record-views.js'
import {
  cursorBytes,
  logClaimedAt,
  logDurableAt,
  logHeadAt,
  logReadersAt,
  logReadersMax,
  logRecordsAt,
  paddingType,
  recordBytesAt,
  recordTypeAt,
} from './layout.js'

/**
 * Allocates the shared memory of an event log with `capacityBytes` of records, a power of two.
 * @param recordBytesMax size of the largest record; the same for writer and readers.
 */
export function allocateEventLog(
  capacityBytes: number,
  recordBytesMax = eventBytesMax,
): SharedArrayBuffer {
  assert((capacityBytes & (capacityBytes - 1)) === 0, 'event log: capacity is a power of two')
  assert(capacityBytes >= 4 * recordBytesMax, 'event log: room for several of the largest record')
  return new SharedArrayBuffer(logRecordsAt + capacityBytes)
}

abstract class LogViews implements RecordViews {
  readonly capacityBytes: number
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f64: Float64Array
  readonly u8: Uint8Array
  protected readonly head: Int32Array
  protected readonly claimed: Int32Array
  protected readonly durable: Int32Array
  protected readonly cursors: Int32Array
  protected readonly wordMask: number
  protected readonly recordBytesMax: number

  constructor(memory: SharedArrayBuffer, recordBytesMax: number) {
    this.recordBytesMax = recordBytesMax
    this.capacityBytes = memory.byteLength - logRecordsAt
    this.wordMask = (this.capacityBytes >> 3) - 1
    this.head = new Int32Array(memory, logHeadAt, 1)
    this.claimed = new Int32Array(memory, logClaimedAt, 1)
    this.durable = new Int32Array(memory, logDurableAt, 1)
    this.cursors = new Int32Array(memory, logReadersAt, (logReadersMax * cursorBytes) >> 2)
    this.i32 = new Int32Array(memory, logRecordsAt)
    this.u32 = new Uint32Array(memory, logRecordsAt)
    this.f64 = new Float64Array(memory, logRecordsAt)
    this.u8 = new Uint8Array(memory, logRecordsAt)
  }

  /**
   * Returns the offset up to which events may be acted upon, because their commands are flushed. In 8-byte words,
   * wrapping.
   */
  durableOffset(): number {
    return Atomics.load(this.durable, 0)
  }

  headOffset(): number {
    return Atomics.load(this.head, 0)
  }
}

/**
 * The only writer of the event log (the core). Records become visible with `publish`. They may be acted upon once the
 * journal has moved the durable offset past them.
 */
export class EventLogWriter extends LogViews implements RecordSink {
  /** The writer itself: claimed events are written to its views. */
  readonly views: RecordViews = this
  #tailWords: number
  #holding: Int32Array

  /** @param holdingReaders readers that must never be overrun: the writer waits for them (`freeBytes`). */
  constructor(
    memory: SharedArrayBuffer,
    holdingReaders: readonly number[],
    recordBytesMax = eventBytesMax,
  ) {
    super(memory, recordBytesMax)
    this.#tailWords = Atomics.load(this.head, 0)
    this.#holding = Int32Array.from(holdingReaders)
  }

  /**
   * Changes the readers that the writer waits for: all during recovery, then only those that must never miss an event.
   */
  holdFor(readers: readonly number[]): void {
    this.#holding = Int32Array.from(readers)
  }

  /**
   * Claims space for one event of `bytes` (a multiple of 8) and writes its header. The caller has checked `freeBytes`
   * before.
   */
  tryClaim(bytes: number, type: number): number {
    assert(bytes <= this.recordBytesMax, 'event log: a record above the bound')
    let at = (this.#tailWords & this.wordMask) << 3
    const untilWrap = this.capacityBytes - at
    const wanted = bytes <= untilWrap ? bytes : untilWrap + bytes
    this.#tailWords = (this.#tailWords + (wanted >> 3)) | 0
    // A lapped reader compares `claimed` after it has read, so `claimed` must be stored before the bytes are
    // overwritten.
    Atomics.store(this.claimed, 0, this.#tailWords)
    if (wanted !== bytes) {
      this.i32[(at + recordBytesAt) >> 2] = untilWrap
      this.i32[(at + recordTypeAt) >> 2] = paddingType
      at = 0
    }
    this.i32[(at + recordBytesAt) >> 2] = bytes
    this.i32[(at + recordTypeAt) >> 2] = type
    return at
  }

  /** Makes all claimed events visible. @returns the new head offset, which the journal batch contains. */
  publish(): number {
    Atomics.store(this.head, 0, this.#tailWords)
    return this.#tailWords
  }

  /** Moves the durable offset. Called by the journal, or by the core with durability `memory`. */
  storeDurable(offset: number): void {
    Atomics.store(this.durable, 0, offset)
  }

  /** Returns the bytes claimed since the last `publish`, which no reader can free. */
  unpublishedBytes(): number {
    return ((this.#tailWords - Atomics.load(this.head, 0)) | 0) << 3
  }

  /** Returns the bytes that a reader has not released yet; for a lapped reader, more than the capacity. */
  bytesBehind(reader: number): number {
    const cursor = Atomics.load(this.cursors, (reader * cursorBytes) >> 2)
    return ((this.#tailWords - cursor) >>> 0) * 8
  }

  /** Returns the bytes that can be written without overrunning the slowest holding reader. */
  freeBytes(): number {
    let usedWords = 0
    for (let i = 0; i < this.#holding.length; i++) {
      const cursor = Atomics.load(this.cursors, (this.#holding[i] * cursorBytes) >> 2)
      const unreleasedWords = (this.#tailWords - cursor) | 0
      if (unreleasedWords > usedWords) usedWords = unreleasedWords
    }
    return this.capacityBytes - (usedWords << 3)
  }
}

/** The journal's handle on the log: it moves the durable offset and reads nothing. */
export class DurableGate extends LogViews {
  constructor(memory: SharedArrayBuffer) {
    super(memory, eventBytesMax)
  }

  open(offset: number): void {
    Atomics.store(this.durable, 0, offset)
  }
}

/** One reader of the event log; `index` is its cursor slot, unique per reader. */
export class EventLogReader extends LogViews {
  readonly #cursorAt: number
  #words: number
  #limitWords: number

  constructor(memory: SharedArrayBuffer, index: number, recordBytesMax = eventBytesMax) {
    super(memory, recordBytesMax)
    assert(index < logReadersMax, 'event log: the reader has a cursor')
    this.#cursorAt = (index * cursorBytes) >> 2
    this.#words = Atomics.load(this.cursors, this.#cursorAt)
    this.#limitWords = this.#words
  }

  /** Returns the offset up to which this reader has read. */
  offset(): number {
    return this.#words
  }

  /** Returns true if this reader has read everything up to `offset` (wrapping comparison). */
  hasPassed(offset: number): boolean {
    return ((this.#words - offset) | 0) >= 0
  }

  /** Returns true if an unread durable event exists. */
  hasNext(): boolean {
    return Atomics.load(this.durable, 0) !== this.#words
  }

  /**
   * Returns the offset of the next durable event, or -1. Call `release` after a run of events, and `lapped` before
   * acting on them. A lapped reader may meet any bytes at its offset. It may then return garbage but always returns:
   * padding ends at the wrap whatever its length says, and a record at the wrap is never padding.
   */
  next(): number {
    for (;;) {
      if (this.#words === this.#limitWords) {
        this.#limitWords = Atomics.load(this.durable, 0)
        if (this.#words === this.#limitWords) return -1
      }
      const at = (this.#words & this.wordMask) << 3
      if (at === 0 || this.i32[(at + recordTypeAt) >> 2] !== paddingType) {
        this.#words = (this.#words + (this.i32[(at + recordBytesAt) >> 2] >> 3)) | 0
        return at
      }
      this.#words = (this.#words + ((this.capacityBytes - at) >> 3)) | 0
    }
  }

  /** Publishes the position of this reader. For a holding reader, this frees the space before it. */
  release(): void {
    Atomics.store(this.cursors, this.#cursorAt, this.#words)
  }

  /**
   * Returns true if the writer may have overwritten events that this reader has not released yet. Only readers that the
   * writer does not wait for can be lapped; they drop everything (`skipToDurable`) and start over. The result becomes
   * true one largest record early: a processor with weak ordering may move the writer's stores ahead of `claimed`, or
   * our loads after this one, by far less than that. A reader must release at least once in 2^32 words written (32
   * GiB), where offsets wrap around.
   */
  lapped(): boolean {
    const released = Atomics.load(this.cursors, this.#cursorAt)
    const behindWords = (Atomics.load(this.claimed, 0) - released) >>> 0
    return behindWords > (this.capacityBytes - this.recordBytesMax) >> 3
  }

  /** Returns the durable bytes that no reader of this cursor has released. */
  bytesBehind(): number {
    const released = Atomics.load(this.cursors, this.#cursorAt)
    return ((Atomics.load(this.durable, 0) - released) >>> 0) * 8
  }

  /** Jumps to the offset that this cursor released last, possibly through another reader of it. */
  skipToReleased(): void {
    this.skipTo(Atomics.load(this.cursors, this.#cursorAt))
  }

  /**
   * Jumps to an offset up to which this reader has all data from another source. `lapped` is then true if the offset is
   * too old.
   */
  skipTo(offset: number): void {
    this.#words = offset
    this.#limitWords = offset
    this.release()
  }

  /** Jumps to the durable offset, for a reader that was lapped or starts late. */
  skipToDurable(): void {
    this.#words = Atomics.load(this.durable, 0)
    this.#limitWords = this.#words
    this.release()
  }
}

/**
 * Reads durable events again, after their reader, while the log still holds them. The writer does not wait for it, and
 * it publishes no position.
 */
export class EventLogReplay extends LogViews {
  #words = 0

  constructor(memory: SharedArrayBuffer, recordBytesMax = eventBytesMax) {
    super(memory, recordBytesMax)
  }

  /** Returns the offset of the next event. */
  offset(): number {
    return this.#words
  }

  /** Continues from an offset that an `EventLogReader` once had. */
  begin(offset: number): void {
    this.#words = offset
  }

  /**
   * Returns the position of the next event before `end`, which is also an offset that a reader had, or -1. The event
   * may be overwritten: check `isKept` before acting on anything that was read.
   */
  next(end: number): number {
    while (((end - this.#words) | 0) > 0) {
      const at = (this.#words & this.wordMask) << 3
      if (at === 0 || this.i32[(at + recordTypeAt) >> 2] !== paddingType) {
        // No record is shorter than its header, so even a loop over garbage ends.
        this.#words = (this.#words + Math.max(1, this.i32[(at + recordBytesAt) >> 2] >> 3)) | 0
        return at
      }
      this.#words = (this.#words + ((this.capacityBytes - at) >> 3)) | 0
    }
    return -1
  }

  /**
   * Returns true if everything from an offset on is unchanged. Becomes false early, for the reason given at `lapped`.
   */
  isKept(offset: number): boolean {
    const behindWords = (Atomics.load(this.claimed, 0) - offset) >>> 0
    return behindWords <= (this.capacityBytes - this.recordBytesMax) >> 3
  }
}
