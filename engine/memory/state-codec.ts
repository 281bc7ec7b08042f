import { assert } from '../../schemas/assert.js'
import { touched } from './touched.js'

/** Receives the values of a part of the state in sequence: a snapshot, or the hash. */
export interface StateSink {
  i32(value: number): void
  f64(value: number): void
  bytes(source: Uint8Array): void
  text(value: string): void
}

/** An object that writes its own state. */
export interface Saved {
  save(sink: StateSink): void
}

/** Growing byte buffer of a snapshot: little-endian values in sequence; each section starts with its tag. */
export class StateWriter implements StateSink {
  #bytes = new Uint8Array(1 << 16)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** Clears the buffer and keeps its memory. */
  clear(): void {
    this.#length = 0
  }

  /** Allocates the memory at once, if there is less. */
  reserve(bytes: number): void {
    if (bytes > this.#bytes.length) touched(this.#growTo(bytes))
  }

  /** Starts a section; the reader must expect the same tag here. */
  section(tag: number): void {
    this.i32(tag)
  }

  i32(value: number): void {
    this.#ensure(4)
    this.#view.setInt32(this.#length, value, true)
    this.#length += 4
  }

  f64(value: number): void {
    this.#ensure(8)
    this.#view.setFloat64(this.#length, value, true)
    this.#length += 8
  }

  bytes(source: Uint8Array): void {
    this.#ensure(source.length)
    this.#bytes.set(source, this.#length)
    this.#length += source.length
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value)
    this.i32(encoded.length)
    this.bytes(encoded)
  }

  /** Returns everything written so far, as a view that is valid until the next write. */
  result(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #ensure(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    this.#growTo(Math.max(this.#bytes.length * 2, this.#length + more))
  }

  #growTo(length: number): Uint8Array {
    const larger = new Uint8Array(length)
    larger.set(this.result())
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
    return larger
  }
}

/** Reads what `StateWriter` wrote, in the same order. The snapshot's checksum has been verified before. */
export class StateReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  section(tag: number): void {
    assert(this.i32() === tag, 'snapshot: section out of order')
  }

  i32(): number {
    this.#at += 4
    return this.#view.getInt32(this.#at - 4, true)
  }

  f64(): number {
    this.#at += 8
    return this.#view.getFloat64(this.#at - 8, true)
  }

  /** Returns a view of the snapshot, valid while its bytes are. */
  bytes(length: number): Uint8Array {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  text(): string {
    return new TextDecoder().decode(this.bytes(this.i32()))
  }

  /** Returns true if everything was read. */
  atEnd(): boolean {
    return this.#at === this.#bytes.length
  }
}
