import { Builder, ByteBuffer } from 'flatbuffers'
import { FramePublished } from '../../schemas/generated/indicative/frame-published.js'
import { RowSet } from '../../schemas/generated/indicative/row-set.js'
import { RowsRemoved } from '../../schemas/generated/indicative/rows-removed.js'
import { ScopeClosed } from '../../schemas/generated/indicative/scope-closed.js'
import { ScopeOpened } from '../../schemas/generated/indicative/scope-opened.js'
import { isText } from '../wire/ascii-text.js'
import type { QuoteScope, QuoteTexts } from './quote-rows.js'

/** Types of the records in a log of indicative quotes; all but the last two have a FlatBuffers table as their body. */
export const QuoteRecord = {
  ScopeOpened: 1,
  RowSet: 2,
  RowsRemoved: 3,
  FramePublished: 4,
  ScopeClosed: 5,
  /** From here on all that there is comes once more, among what is new. */
  RetellBegun: 6,
  RetellEnded: 7,
} as const
export type QuoteRecord = (typeof QuoteRecord)[keyof typeof QuoteRecord]

/** Words before the body: length and type. */
export const recordHeadBytes = 8

const builderBytes = 1024

/** Makes bodies but those of rows, each of which stands until the next is made. */
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

/** Node has it of every buffer; its types do not list it. `toString` takes twice as long for a price. */
interface LatinBuffer extends Buffer {
  latin1Slice(from: number, to: number): string
}

/** Texts are decimals, addresses and hexadecimal digits: one byte a letter, and no decoder to be set up. */
class BodyBytes extends ByteBuffer {
  /** What the next text is likely to be: it is made only when it is not. */
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

/** Reads bodies out of shared memory, through a copy that nobody overwrites meanwhile. */
export class QuoteDecoder {
  #copy = Buffer.alloc(builderBytes)
  #bytes = new BodyBytes(this.#copy)

  /** Takes the body of a record. Of one that is overwritten while it is read, the length may be anything. */
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

  /** Texts of the row that `rowSet` reads. @param likely what they may still be. */
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
