// Generated from schemas/records by `npm run generate`; not to be edited.
import { RecordCursor } from '../record-views.js'

/** Header of every record. 8 bytes. */
export class AnyRecord extends RecordCursor {
  static readonly bytes: number = 8

  /** Zeros in all fields but the 8 bytes that `claim` writes. */
  clear(): this {
    this.u8.fill(0, this.at + 8, this.at + this.recordBytes)
    return this
  }

  /** length, including this header */
  get recordBytes(): number {
    return this.i32[this.at >> 2]!
  }

  set recordBytes(value: number) {
    this.i32[this.at >> 2] = value
  }

  get recordType(): number {
    return this.i32[(this.at + 4) >> 2]!
  }

  set recordType(value: number) {
    this.i32[(this.at + 4) >> 2] = value
  }
}
