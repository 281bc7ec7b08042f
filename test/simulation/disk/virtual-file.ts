/** Growable byte array. */
export class Content {
  length = 0
  #bytes = new Uint8Array(256)

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }

  write(offset: number, source: Uint8Array): void {
    this.#reserve(offset + source.length)
    this.#bytes.set(source, offset)
    this.length = Math.max(this.length, offset + source.length)
  }

  /** Cuts, or extends with zeros. */
  truncate(length: number): void {
    this.#reserve(length)
    this.#bytes.fill(0, Math.min(length, this.length), this.#bytes.length)
    this.length = length
  }

  copyOf(other: Content): void {
    this.truncate(0)
    this.write(0, other.bytes)
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return
    let capacity = this.#bytes.length
    while (capacity < length) capacity *= 2
    const bytes = new Uint8Array(capacity)
    bytes.set(this.bytes)
    this.#bytes = bytes
  }
}

/** Change of a file that no flush has made durable yet. */
export type FileChange =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly length: number }

/** Durable write, and the bytes it replaced. */
export interface FlushedWrite {
  readonly offset: number
  readonly bytes: Uint8Array
  readonly before: Uint8Array
}

const flushedKept = 12

/**
 * File in two states: the page cache that every reader sees, and the platter. A flush brings the second up to the
 * first.
 */
export class VirtualFile {
  readonly cached = new Content()
  readonly durable = new Content()
  pending: FileChange[] = []
  /** Latest durable writes, for a disk that loses or moves one. */
  readonly flushed: FlushedWrite[] = []

  write(offset: number, bytes: Uint8Array): void {
    this.cached.write(offset, bytes)
    this.pending.push({ kind: 'write', offset, bytes })
  }

  truncate(length: number): void {
    this.cached.truncate(length)
    this.pending.push({ kind: 'truncate', length })
  }

  flush(): void {
    for (const change of this.pending) {
      if (change.kind === 'write') this.#remember(change.offset, change.bytes)
      this.apply(change)
    }
    this.pending = []
  }

  /** Makes one change durable. */
  apply(change: FileChange): void {
    if (change.kind === 'write') this.durable.write(change.offset, change.bytes)
    else this.durable.truncate(change.length)
  }

  /** Drops everything that is not on the platter, after a power cut. */
  forgetCache(): void {
    this.pending = []
    this.cached.copyOf(this.durable)
  }

  /** Returns the file as every reader sees it, with nothing left to flush. */
  copy(): VirtualFile {
    const copy = new VirtualFile()
    copy.cached.copyOf(this.cached)
    copy.durable.copyOf(this.cached)
    copy.flushed.push(...this.flushed)
    return copy
  }

  #remember(offset: number, bytes: Uint8Array): void {
    const before = new Uint8Array(bytes.length)
    before.set(this.durable.bytes.subarray(offset, offset + bytes.length))
    this.flushed.push({ offset, bytes, before })
    if (this.flushed.length > flushedKept) this.flushed.shift()
  }
}
