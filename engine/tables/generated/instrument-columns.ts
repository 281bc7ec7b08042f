// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { grown } from '../../memory/grown.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'

/** Terms and state of instruments, by their ids. */
export class InstrumentColumns {
  underlying: Int32Array
  expiryDate: Int32Array
  expiryMillis: Float64Array
  strikeMicros: Float64Array
  right: Uint8Array
  tradingMode: Uint8Array
  listedMillis: Float64Array
  state: Uint8Array

  constructor(length = 64) {
    this.underlying = new Int32Array(length)
    this.expiryDate = new Int32Array(length)
    this.expiryMillis = new Float64Array(length)
    this.strikeMicros = new Float64Array(length)
    this.right = new Uint8Array(length)
    this.tradingMode = new Uint8Array(length)
    this.listedMillis = new Float64Array(length)
    this.state = new Uint8Array(length)
  }

  /** Rows that there is memory for. */
  get length(): number {
    return this.underlying.length
  }

  /** Takes memory for so many rows; columns are replaced, so nobody keeps one over it. */
  growTo(length: number): void {
    this.underlying = grown(this.underlying, new Int32Array(length))
    this.expiryDate = grown(this.expiryDate, new Int32Array(length))
    this.expiryMillis = grown(this.expiryMillis, new Float64Array(length))
    this.strikeMicros = grown(this.strikeMicros, new Float64Array(length))
    this.right = grown(this.right, new Uint8Array(length))
    this.tradingMode = grown(this.tradingMode, new Uint8Array(length))
    this.listedMillis = grown(this.listedMillis, new Float64Array(length))
    this.state = grown(this.state, new Uint8Array(length))
  }

  /** Writes all of a row that is state. */
  saveRow(row: number, sink: StateSink): void {
    sink.i32(this.underlying[row])
    sink.i32(this.expiryDate[row])
    sink.f64(this.expiryMillis[row])
    sink.f64(this.strikeMicros[row])
    sink.i32(this.right[row])
    sink.i32(this.tradingMode[row])
    sink.f64(this.listedMillis[row])
    sink.i32(this.state[row])
  }

  /** Reads into a row what `saveRow` wrote. */
  loadRow(row: number, reader: StateReader): void {
    this.underlying[row] = reader.i32()
    this.expiryDate[row] = reader.i32()
    this.expiryMillis[row] = reader.f64()
    this.strikeMicros[row] = reader.f64()
    this.right[row] = reader.i32()
    this.tradingMode[row] = reader.i32()
    this.listedMillis[row] = reader.f64()
    this.state[row] = reader.i32()
  }

  /** Names of the columns of state in which a row is not as that of another table. */
  differences(row: number, other: InstrumentColumns, otherRow: number): string[] {
    const names: string[] = []
    if (!Object.is(this.underlying[row], other.underlying[otherRow])) names.push('underlying')
    if (!Object.is(this.expiryDate[row], other.expiryDate[otherRow])) names.push('expiryDate')
    if (!Object.is(this.expiryMillis[row], other.expiryMillis[otherRow])) names.push('expiryMillis')
    if (!Object.is(this.strikeMicros[row], other.strikeMicros[otherRow])) names.push('strikeMicros')
    if (!Object.is(this.right[row], other.right[otherRow])) names.push('right')
    if (!Object.is(this.tradingMode[row], other.tradingMode[otherRow])) names.push('tradingMode')
    if (!Object.is(this.listedMillis[row], other.listedMillis[otherRow])) names.push('listedMillis')
    if (!Object.is(this.state[row], other.state[otherRow])) names.push('state')
    return names
  }

  /** Adds a row to the hash, or takes it out of it: around every change of what is state. */
  hashRow(row: number, hash: StateHash, adds: boolean): void {
    rowDoubles[0] = this.expiryMillis[row] + 0
    rowDoubles[1] = this.strikeMicros[row] + 0
    rowDoubles[2] = this.listedMillis[row] + 0
    rowWords[6] = this.underlying[row]
    rowWords[7] = this.expiryDate[row]
    rowWords[8] = this.right[row] | (this.tradingMode[row] << 8) | (this.state[row] << 16)
    rowWords[9] = row
    hash.put(HashKind.Instrument, 10, adds)
  }
}
