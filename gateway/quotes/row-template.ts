import { Builder, ByteBuffer } from 'flatbuffers'
import { RowSet } from '../../schemas/generated/indicative/row-set.js'
import type { RecordViews } from '../../schemas/record-views.js'
import type { SetRow } from './quote-board.js'

//  0       4        root - vtable   root                  headBytes
//  +-------+--------+---------------+---------------------+-------------------------+---- ...
//  | root  | padding, vtable        | fields, offsets of  | length, letters, 0, pad | of the next text
//  |       |                        | the texts           |                         |
//  +-------+------------------------+---------------------+-------------------------+---- ...
//
// A RowSet always contains all fields, so two of them differ only in field values and in the texts at the end. The
// library encodes the first one as a template; it would allocate a dozen objects for each further one.

const textCount = 4
// Offset of the first field in the vtable, after its own length and that of the table.
const fieldsAt = 4

/** Writes RowSet tables from a template. */
export class RowTemplate {
  readonly #head: Uint8Array
  /** Offsets of the fields, in the order of the schema. */
  readonly #fields: readonly number[]

  constructor() {
    const bytes = example()
    const buffer = new ByteBuffer(bytes)
    const root = buffer.readInt32(0)
    const vtable = root - buffer.readInt32(root)
    const headBytes = root + buffer.readUint16(vtable + 2)
    const count = (buffer.readUint16(vtable) - fieldsAt) >> 1
    this.#head = bytes.slice(0, (headBytes + 3) & ~3)
    this.#fields = Array.from(
      { length: count },
      (_, i) => root + buffer.readUint16(vtable + fieldsAt + 2 * i),
    )
  }

  /** Returns the length of the table. */
  bytesOf({ bidPrice, askPrice, maxBidSize, maxAskSize }: SetRow): number {
    return (
      this.#head.length +
      textBytes(bidPrice) +
      textBytes(askPrice) +
      textBytes(maxBidSize) +
      textBytes(maxAskSize)
    )
  }

  /**
   * @param at Multiple of eight, with room for the table.
   */
  write(views: RecordViews, at: number, scope: number, set: SetRow): void {
    const { i32, f64, u8 } = views
    const fields = this.#fields
    u8.set(this.#head, at)
    i32[(at + fields[0]!) >> 2] = set.row
    i32[(at + fields[1]!) >> 2] = scope
    i32[(at + fields[2]!) >> 2] = set.instrument
    i32[(at + fields[3]!) >> 2] = set.frame
    f64[(at + fields[4]!) >> 3] = set.updatedMillis
    let textAt = at + this.#head.length
    textAt = this.#text(views, at + fields[5]!, textAt, set.bidPrice)
    textAt = this.#text(views, at + fields[6]!, textAt, set.askPrice)
    textAt = this.#text(views, at + fields[7]!, textAt, set.maxBidSize)
    this.#text(views, at + fields[8]!, textAt, set.maxAskSize)
  }

  /**
   * @returns Offset of the next text.
   */
  #text({ i32, u8 }: RecordViews, field: number, at: number, text: string): number {
    const end = at + textBytes(text)
    i32[field >> 2] = at - field
    i32[(end - 4) >> 2] = 0
    i32[at >> 2] = text.length
    for (let i = 0; i < text.length; i++) u8[at + 4 + i] = text.charCodeAt(i)
    return end
  }
}

/** Returns the bytes of a text with its length, terminating zero and padding to a word. */
function textBytes(text: string): number {
  return (4 + text.length + 1 + 3) & ~3
}

function example(): Uint8Array {
  const builder = new Builder()
  builder.forceDefaults(true)
  const texts = Array.from({ length: textCount }, () => builder.createString(''))
  RowSet.startRowSet(builder)
  RowSet.addUpdatedMillis(builder, 0)
  RowSet.addRow(builder, 0)
  RowSet.addScope(builder, 0)
  RowSet.addInstrument(builder, 0)
  RowSet.addFrame(builder, 0)
  const [bidPrice, askPrice, maxBidSize, maxAskSize] = texts as [number, number, number, number]
  RowSet.addBidPrice(builder, bidPrice)
  RowSet.addAskPrice(builder, askPrice)
  RowSet.addMaxBidSize(builder, maxBidSize)
  RowSet.addMaxAskSize(builder, maxAskSize)
  builder.finish(RowSet.endRowSet(builder))
  return builder.asUint8Array()
}
