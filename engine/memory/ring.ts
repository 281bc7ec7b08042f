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

/** Shared memory for a ring of `capacityBytes` (a power of two) of records. */
export function allocateRing(capacityBytes: number): SharedArrayBuffer {
  assert((capacityBytes & (capacityBytes - 1)) === 0, 'ring: capacity is a power of two')
  return new SharedArrayBuffer(ringRecordsAt + capacityBytes)
}

/**
 * One end of a single-producer single-consumer ring: claim, fill, commit on one side; next,
 * release on the other. Each thread builds its own `Ring` over the shared block and uses one side
 * only.
 *
 * The views `i32`, `u32`, `f64`, `u8` begin at the first record, so the offsets that `tryClaim`
 * and `next` return index them directly (`f64[at >> 3]`).
 */
export class Ring implements RecordSink, RecordViews {
  readonly capacityBytes: number
  readonly i32: Int32Array
  readonly u32: Uint32Array
  readonly f64: Float64Array
  readonly u8: Uint8Array
  /** Itself: where a claimed record is written. */
  readonly views: RecordViews = this
  readonly #tail: Int32Array
  readonly #head: Int32Array
  readonly #mask: number
  /**
   * Producer: end of the last claimed record. Consumer: end of the last record read. Bytes,
   * wrapping.
   */
  #cursor: number
  /** The other side's cursor as last seen: most calls touch no shared line. */
  #seen: number
  /** Consumer: end of the last record looked at ahead. */
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
   * Producer: room for one record of `bytes` (header included, a multiple of 8), its header
   * written.
   * @returns the record's offset, or -1 when the ring is full; nothing is visible before `commit`.
   */
  tryClaim(bytes: number, type: number): number {
    // Above half, a record and the padding before it may never fit, even into an empty ring.
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

  /** Producer: makes every claimed record visible. One store for any number of records. */
  commit(): void {
    Atomics.store(this.#tail, 0, this.#cursor)
  }

  /** Producer: drops what was claimed since the last commit, as if it had never been. */
  abandon(): void {
    this.#cursor = Atomics.load(this.#tail, 0)
  }

  /**
   * Producer: unused bytes. A wrap may waste up to one record of them, so callers keep one largest
   * record spare.
   */
  freeBytes(): number {
    this.#seen = Atomics.load(this.#head, 0)
    return this.capacityBytes - ((this.#cursor - this.#seen) | 0)
  }

  /**
   * Consumer: offset of the next unread record, or -1. The record stays the reader's until
   * `release`.
   */
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
   * Consumer: offset of a record further on, or -1, which stays unread: of the next one at first, then of those
   * behind it. A look begins anew after `next`.
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

  /** Consumer: un-reads the record that `next` returned last; it will be returned again. */
  unread(at: number): void {
    this.#cursor = (this.#cursor - this.i32[(at + recordBytesAt) >> 2]) | 0
  }

  /** Consumer: gives every record read so far back to the producer. */
  release(): void {
    Atomics.store(this.#head, 0, this.#cursor)
  }

  /** Bytes written and not yet released, for metrics and drain checks; either side may ask. */
  depthBytes(): number {
    return (Atomics.load(this.#tail, 0) - Atomics.load(this.#head, 0)) | 0
  }

  /** Consumer: where the last record ends that was committed by now; for `hasRead`. */
  end(): number {
    return Atomics.load(this.#tail, 0)
  }

  /** Consumer: whether all was read up to an `end`. */
  hasRead(end: number): boolean {
    return ((this.#cursor - end) | 0) >= 0
  }

  /** Consumer: whether a record waits; reads one shared word. */
  hasNext(): boolean {
    return Atomics.load(this.#tail, 0) !== this.#cursor
  }
}
