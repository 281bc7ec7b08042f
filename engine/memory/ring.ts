import { assert } from '../../schemas/assert.js'
import type { RecordSink, RecordViews } from '../../schemas/record-views.js'
import {
  paddingType,
  recordBytesAt,
  recordTypeAt,
  ringHeadAt,
  ringRecordsAt,
  ringTailAt,
} from './layout.js'

/** Allocates the shared memory of a ring with `capacityBytes` (a power of two) of records. */
export function allocateRing(capacityBytes: number): SharedArrayBuffer {
  assert((capacityBytes & (capacityBytes - 1)) === 0, 'ring: capacity is a power of two')
  return new SharedArrayBuffer(ringRecordsAt + capacityBytes)
}

/**
 * One end of a single-producer single-consumer ring. The producer claims, fills and commits; the consumer calls next
 * and release. Each thread builds its own `Ring` over the shared block and uses one side only.
 *
 * The views `i32`, `u32`, `f64`, `u8` start at the first record, so the offsets that `tryClaim` and `next` return index
 * them directly (`f64[at >> 3]`).
 */
export class Ring implements RecordSink, RecordViews {
  readonly capacityBytes: number
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f64: Float64Array
  readonly u8: Uint8Array
  /** The ring itself: claimed records are written to its views. */
  readonly views: RecordViews = this
  readonly #tail: Int32Array
  readonly #head: Int32Array
  readonly #mask: number
  /** Producer: end of the last claimed record. Consumer: end of the last record read. Wrapping bytes. */
  #cursor: number
  /** The other side's cursor as last read. Most calls touch no shared line. */
  #seen: number
  /** Consumer: end of the last record that `lookAhead` returned. */
  #look = 0

  constructor(memory: SharedArrayBuffer, side: 'producer' | 'consumer') {
    this.capacityBytes = memory.byteLength - ringRecordsAt
    this.#mask = this.capacityBytes - 1
    this.#tail = new Int32Array(memory, ringTailAt, 1)
    this.#head = new Int32Array(memory, ringHeadAt, 1)
    this.i32 = new Int32Array(memory, ringRecordsAt)
    this.u32 = new Uint32Array(memory, ringRecordsAt)
    this.f64 = new Float64Array(memory, ringRecordsAt)
    this.u8 = new Uint8Array(memory, ringRecordsAt)
    const tail = Atomics.load(this.#tail, 0)
    const head = Atomics.load(this.#head, 0)
    this.#cursor = side === 'producer' ? tail : head
    this.#seen = side === 'producer' ? head : tail
  }

  /**
   * Producer: claims space for one record of `bytes` (including the header, a multiple of 8) and writes its header.
   * @returns the record's offset, or -1 if the ring is full. Nothing is visible before `commit`.
   */
  tryClaim(bytes: number, type: number): number {
    // A record above half the capacity and the padding before it might never fit, even into an empty ring.
    assert(bytes <= this.capacityBytes >> 1, 'ring: a record above half the capacity')
    const at = this.#cursor & this.#mask
    const untilWrap = this.capacityBytes - at
    const wanted = bytes <= untilWrap ? bytes : untilWrap + bytes
    if (((this.#cursor - this.#seen) | 0) + wanted > this.capacityBytes) {
      this.#seen = Atomics.load(this.#head, 0)
      if (((this.#cursor - this.#seen) | 0) + wanted > this.capacityBytes) return -1
    }
    this.#cursor = (this.#cursor + wanted) | 0
    if (wanted === bytes) {
      this.i32[(at + recordBytesAt) >> 2] = bytes
      this.i32[(at + recordTypeAt) >> 2] = type
      return at
    }
    this.i32[(at + recordBytesAt) >> 2] = untilWrap
    this.i32[(at + recordTypeAt) >> 2] = paddingType
    this.i32[recordBytesAt >> 2] = bytes
    this.i32[recordTypeAt >> 2] = type
    return 0
  }

  /** Producer: makes all claimed records visible, with one store. */
  commit(): void {
    Atomics.store(this.#tail, 0, this.#cursor)
  }

  /** Producer: discards everything claimed since the last commit. */
  abandon(): void {
    this.#cursor = Atomics.load(this.#tail, 0)
  }

  /**
   * Producer: returns the unused bytes. A wrap may waste up to one record of them, so callers keep space for one
   * largest record.
   */
  freeBytes(): number {
    this.#seen = Atomics.load(this.#head, 0)
    return this.capacityBytes - ((this.#cursor - this.#seen) | 0)
  }

  /** Consumer: returns the offset of the next unread record, or -1. The record stays valid until `release`. */
  next(): number {
    for (;;) {
      if (this.#cursor === this.#seen) {
        this.#seen = Atomics.load(this.#tail, 0)
        if (this.#cursor === this.#seen) return -1
      }
      const at = this.#cursor & this.#mask
      this.#cursor = (this.#cursor + this.i32[(at + recordBytesAt) >> 2]) | 0
      if (this.i32[(at + recordTypeAt) >> 2] !== paddingType) return at
    }
  }

  /**
   * Consumer: returns the offset of a later record without reading it, or -1. The first call returns the next unread
   * record, and each further call the one after it. Start again after `next`.
   */
  lookAhead(isFirst: boolean): number {
    if (isFirst) {
      this.#look = this.#cursor
      if (this.#look === this.#seen) this.#seen = Atomics.load(this.#tail, 0)
    }
    while (this.#look !== this.#seen) {
      const at = this.#look & this.#mask
      this.#look = (this.#look + this.i32[(at + recordBytesAt) >> 2]) | 0
      if (this.i32[(at + recordTypeAt) >> 2] !== paddingType) return at
    }
    return -1
  }

  /** Consumer: un-reads the record that `next` returned last; `next` will return it again. */
  unread(at: number): void {
    this.#cursor = (this.#cursor - this.i32[(at + recordBytesAt) >> 2]) | 0
  }

  /** Consumer: releases every record read so far to the producer. */
  release(): void {
    Atomics.store(this.#head, 0, this.#cursor)
  }

  /** Returns the bytes written and not yet released, for metrics and drain checks; both sides may call it. */
  depthBytes(): number {
    return (Atomics.load(this.#tail, 0) - Atomics.load(this.#head, 0)) | 0
  }

  /** Consumer: returns the end of the last committed record; for `hasRead`. */
  end(): number {
    return Atomics.load(this.#tail, 0)
  }

  /** Consumer: returns true if everything up to an `end` was read. */
  hasRead(end: number): boolean {
    return ((this.#cursor - end) | 0) >= 0
  }

  /** Consumer: returns true if a record waits; reads one shared word. */
  hasNext(): boolean {
    return Atomics.load(this.#tail, 0) !== this.#cursor
  }
}
