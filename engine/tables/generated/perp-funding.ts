// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'

/** Current funding period of a listed perp. */
export class PerpFunding {
  readonly instrument: number
  /** Start of the latest period; 0 if none since funding is on. */
  periodMillis: number = 0
  /** Start of the latest sample interval; 0 likewise. */
  sampledMillis: number = 0
  /** Samples of the period so far. */
  sampleCount: number = 0
  /** Sum of their premiums, 1e-9. */
  premiumNanos: number = 0
  /** Latest fixed rate, for readers; 0 if none yet. */
  rateNanos: number = 0
  /** End of the period of that rate. */
  endMillis: number = 0
  /** Its element of the hash: noted where the row changes. */
  readonly cell = new HashCell(HashKind.Perp, this)

  constructor(instrument: number) {
    this.instrument = instrument
  }

  /** Writes all of it that is state. */
  save(sink: StateSink): void {
    sink.i32(this.instrument)
    sink.f64(this.periodMillis)
    sink.f64(this.sampledMillis)
    sink.i32(this.sampleCount)
    sink.f64(this.premiumNanos)
    sink.f64(this.rateNanos)
    sink.f64(this.endMillis)
  }

  /** What `save` wrote. */
  static load(reader: StateReader): PerpFunding {
    const row = new PerpFunding(reader.i32())
    row.periodMillis = reader.f64()
    row.sampledMillis = reader.f64()
    row.sampleCount = reader.i32()
    row.premiumNanos = reader.f64()
    row.rateNanos = reader.f64()
    row.endMillis = reader.f64()
    return row
  }

  /** Names of the columns of state in which it is not as the other one. */
  differences(other: PerpFunding): string[] {
    const names: string[] = []
    if (!Object.is(this.instrument, other.instrument)) names.push('instrument')
    if (!Object.is(this.periodMillis, other.periodMillis)) names.push('periodMillis')
    if (!Object.is(this.sampledMillis, other.sampledMillis)) names.push('sampledMillis')
    if (!Object.is(this.sampleCount, other.sampleCount)) names.push('sampleCount')
    if (!Object.is(this.premiumNanos, other.premiumNanos)) names.push('premiumNanos')
    if (!Object.is(this.rateNanos, other.rateNanos)) names.push('rateNanos')
    if (!Object.is(this.endMillis, other.endMillis)) names.push('endMillis')
    return names
  }
}
