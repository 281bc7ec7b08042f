// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { grown } from '../../memory/grown.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'

/** Settings and deposits of accounts, by their indexes. */
export class AccountColumns {
  selfTrade: Uint8Array
  depositsMicros: Float64Array
  /** Derived: working orders. */
  workingOrders: Int32Array

  constructor(length = 64) {
    this.selfTrade = new Uint8Array(length)
    this.depositsMicros = new Float64Array(length)
    this.workingOrders = new Int32Array(length)
  }

  /** Rows that there is memory for. */
  get length(): number {
    return this.selfTrade.length
  }

  /** Takes memory for so many rows; columns are replaced, so nobody keeps one over it. */
  growTo(length: number): void {
    this.selfTrade = grown(this.selfTrade, new Uint8Array(length))
    this.depositsMicros = grown(this.depositsMicros, new Float64Array(length))
    this.workingOrders = grown(this.workingOrders, new Int32Array(length))
  }

  /** Writes all of a row that is state. */
  saveRow(row: number, sink: StateSink): void {
    sink.i32(this.selfTrade[row])
    sink.f64(this.depositsMicros[row])
  }

  /** Reads into a row what `saveRow` wrote. */
  loadRow(row: number, reader: StateReader): void {
    this.selfTrade[row] = reader.i32()
    this.depositsMicros[row] = reader.f64()
  }

  /** Names of the columns of state in which a row is not as that of another table. */
  differences(row: number, other: AccountColumns, otherRow: number): string[] {
    const names: string[] = []
    if (!Object.is(this.selfTrade[row], other.selfTrade[otherRow])) names.push('selfTrade')
    if (!Object.is(this.depositsMicros[row], other.depositsMicros[otherRow])) names.push('depositsMicros')
    return names
  }

  /** Adds a row to the hash, or takes it out of it: around every change of what is state. */
  hashRow(row: number, hash: StateHash, adds: boolean): void {
    rowDoubles[0] = this.depositsMicros[row] + 0
    rowWords[2] = this.selfTrade[row]
    rowWords[3] = row
    hash.put(HashKind.Account, 4, adds)
  }
}
