import { AnyCommand } from '../../schemas/generated/commands.js'
import { type RecordSink, viewsOf } from '../../schemas/record-views.js'

/** Zeroed memory for one record at a time. */
export class OneRecord implements RecordSink {
  readonly views
  readonly #record = new AnyCommand()

  constructor(bytesMax = 8192) {
    this.views = viewsOf(new ArrayBuffer(bytesMax))
  }

  tryClaim(bytes: number, type: number): number {
    this.#record.over(this.views, 0)
    this.views.u8.fill(0)
    this.#record.recordBytes = bytes
    this.#record.recordType = type
    return 0
  }
}
