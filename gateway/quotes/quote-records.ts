import { Builder, ByteBuffer } from 'flatbuffers'
import { FramePublished } from '../../schemas/generated/indicative/frame-published.js'
import { RowSet } from '../../schemas/generated/indicative/row-set.js'
import { RowsRemoved } from '../../schemas/generated/indicative/rows-removed.js'
import { ScopeClosed } from '../../schemas/generated/indicative/scope-closed.js'
import { ScopeOpened } from '../../schemas/generated/indicative/scope-opened.js'
import { isText } from '../wire/ascii-text.js'
import type { QuoteScope, QuoteTexts } from './quote-rows.js'

/** Record types of a log of indicative quotes. All except the last two have a FlatBuffers table as their body. */
export const QuoteRecord = {
  ScopeOpened: 1,
  RowSet: 2,
  RowsRemoved: 3,
  FramePublished: 4,
  ScopeClosed: 5,
  /** Starts a repetition of the whole content, interleaved with new records. */
  ResendBegun: 6,
  ResendEnded: 7,
} as const
export type QuoteRecord = (typeof QuoteRecord)[keyof typeof QuoteRecord]

/** Header before the body: length and type, one word each. */
export const recordHeadBytes = 8

const builderBytes = 1024

/** Encodes bodies other than rows. Each is valid until the next one is encoded. */
export class QuoteEncoder {
  readonly #builder = new Builder(builderBytes)

  scopeOpened({ id, wallet, name, updatedMillis }: QuoteScope): Uint8Array {
    const builder = this.#begin()
    const walletAt = builder.createString(wallet)
    const nameAt = builder.createString(name)
    return this.#end(ScopeOpened.createScopeOpened(builder, id, updatedMillis, walletAt, nameAt))
  }

  rowsRemoved(rows: readonly number[]): Uint8Array {
    const builder = this.#begin()
    const rowsAt = RowsRemoved.createRowsVector(builder, rows as number[])
    return this.#end(RowsRemoved.createRowsRemoved(builder, rowsAt))
  }

  framePublished({ id, frame, updatedMillis }: QuoteScope): Uint8Array {
    const builder = this.#begin()
    return this.#end(FramePublished.createFramePublished(builder, id, frame, updatedMillis))
  }

  scopeClosed({ id }: QuoteScope): Uint8Array {
    const builder = this.#begin()
    return this.#end(ScopeClosed.createScopeClosed(builder, id))
  }

  #begin(): Builder {
    this.#builder.clear()
    return this.#builder
  }

  #end(root: number): Uint8Array {
    this.#builder.finish(root)
    return this.#builder.asUint8Array()
  }
}

/** Node has this method on every buffer, but its types omit it. `toString` takes twice as long for a price. */
interface LatinBuffer extends Buffer {
  latin1Slice(from: number, to: number): string
}

/** Reads texts as Latin-1, without a decoder: they are decimals, addresses and hexadecimal digits. */
class BodyBytes extends ByteBuffer {
  /** Expected next text, returned without an allocation if it matches. */
  likely = ''
  readonly #text: LatinBuffer

  constructor(bytes: Buffer) {
    super(bytes)
    this.#text = bytes as LatinBuffer
  }

  override __string(offset: number): string {
    const at = offset + this.readInt32(offset)
    const from = at + 4
    const to = from + this.readInt32(at)
    return isText(this.likely, this.#text, from, to)
      ? this.likely
      : this.#text.latin1Slice(from, to)
  }
}

const row = new RowSet()
const removed = new RowsRemoved()
const opened = new ScopeOpened()
const published = new FramePublished()
const closed = new ScopeClosed()

/** Decodes bodies from shared memory, through a private copy that cannot be overwritten. */
export class QuoteDecoder {
  #copy = Buffer.alloc(builderBytes)
  #bytes = new BodyBytes(this.#copy)

  /** Copies the body of a record. If the record is being overwritten, its length may be any value. */
  take(memory: Uint8Array, at: number, bytes: number): void {
    const end = Math.max(0, Math.min(memory.length, at + bytes) - at)
    if (end > this.#copy.length) {
      this.#copy = Buffer.alloc(2 * end)
      this.#bytes = new BodyBytes(this.#copy)
    }
    this.#copy.set(memory.subarray(at, at + end))
  }

  scopeOpened(): ScopeOpened {
    return ScopeOpened.getRootAsScopeOpened(this.#bytes, opened)
  }

  rowSet(): RowSet {
    return RowSet.getRootAsRowSet(this.#bytes, row)
  }

  /** Returns the texts of the row that `rowSet` reads. @param likely Expected texts. */
  textsOf(set: RowSet, likely: QuoteTexts): QuoteTexts {
    const bytes = this.#bytes
    bytes.likely = likely.bidPrice
    const bidPrice = set.bidPrice() ?? '0'
    bytes.likely = likely.askPrice
    const askPrice = set.askPrice() ?? '0'
    bytes.likely = likely.maxBidSize
    const maxBidSize = set.maxBidSize() ?? '0'
    bytes.likely = likely.maxAskSize
    const maxAskSize = set.maxAskSize() ?? '0'
    return { bidPrice, askPrice, maxBidSize, maxAskSize }
  }

  rowsRemoved(): RowsRemoved {
    return RowsRemoved.getRootAsRowsRemoved(this.#bytes, removed)
  }

  framePublished(): FramePublished {
    return FramePublished.getRootAsFramePublished(this.#bytes, published)
  }

  scopeClosed(): ScopeClosed {
    return ScopeClosed.getRootAsScopeClosed(this.#bytes, closed)
  }
}
