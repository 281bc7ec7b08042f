// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import { grown } from '../../memory/grown.js'
import { none } from '../../memory/rows.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashKind, rowDoubles, rowWords, type StateHash } from '../../memory/state-hash.js'

/** Cash and modes of accounts, by their indexes. */
export class WalletColumns {
  cashMicros: Float64Array
  realizedTotalMicros: Float64Array
  tier: Uint8Array
  marginMode: Uint8Array
  /** `MarginModelKind` of tier and mode. Derived: tier and mode. */
  modelKind: Uint8Array
  /** Derived: exposures. */
  positionsCounted: Int32Array
  /** Derived: exposures. */
  firstExposure: Int32Array
  /** Derived: exposures. */
  firstBucket: Int32Array

  constructor(length = 64) {
    this.cashMicros = new Float64Array(length)
    this.realizedTotalMicros = new Float64Array(length)
    this.tier = new Uint8Array(length)
    this.marginMode = new Uint8Array(length)
    this.modelKind = new Uint8Array(length)
    this.positionsCounted = new Int32Array(length)
    this.firstExposure = new Int32Array(length).fill(none)
    this.firstBucket = new Int32Array(length).fill(none)
  }

  /** Rows that there is memory for. */
  get length(): number {
    return this.cashMicros.length
  }

  /** Takes memory for so many rows; columns are replaced, so nobody keeps one over it. */
  growTo(length: number): void {
    this.cashMicros = grown(this.cashMicros, new Float64Array(length))
    this.realizedTotalMicros = grown(this.realizedTotalMicros, new Float64Array(length))
    this.tier = grown(this.tier, new Uint8Array(length))
    this.marginMode = grown(this.marginMode, new Uint8Array(length))
    this.modelKind = grown(this.modelKind, new Uint8Array(length))
    this.positionsCounted = grown(this.positionsCounted, new Int32Array(length))
    this.firstExposure = grown(this.firstExposure, new Int32Array(length).fill(none))
    this.firstBucket = grown(this.firstBucket, new Int32Array(length).fill(none))
  }

  /** A row as it is at first. */
  resetRow(row: number): void {
    this.firstExposure[row] = none
    this.firstBucket[row] = none
  }

  /** Writes all of a row that is state. */
  saveRow(row: number, sink: StateSink): void {
    sink.f64(this.cashMicros[row])
    sink.f64(this.realizedTotalMicros[row])
    sink.i32(this.tier[row])
    sink.i32(this.marginMode[row])
  }

  /** Reads into a row what `saveRow` wrote. */
  loadRow(row: number, reader: StateReader): void {
    this.cashMicros[row] = reader.f64()
    this.realizedTotalMicros[row] = reader.f64()
    this.tier[row] = reader.i32()
    this.marginMode[row] = reader.i32()
  }

  /** Names of the columns of state in which a row is not as that of another table. */
  differences(row: number, other: WalletColumns, otherRow: number): string[] {
    const names: string[] = []
    if (!Object.is(this.cashMicros[row], other.cashMicros[otherRow])) names.push('cashMicros')
    if (!Object.is(this.realizedTotalMicros[row], other.realizedTotalMicros[otherRow])) names.push('realizedTotalMicros')
    if (!Object.is(this.tier[row], other.tier[otherRow])) names.push('tier')
    if (!Object.is(this.marginMode[row], other.marginMode[otherRow])) names.push('marginMode')
    return names
  }

  /** Adds a row to the hash, or takes it out of it: around every change of what is state. */
  hashRow(row: number, hash: StateHash, adds: boolean): void {
    rowDoubles[0] = this.cashMicros[row] + 0
    rowDoubles[1] = this.realizedTotalMicros[row] + 0
    rowWords[4] = this.tier[row] | (this.marginMode[row] << 8)
    rowWords[5] = row
    hash.put(HashKind.Wallet, 6, adds)
  }
}
