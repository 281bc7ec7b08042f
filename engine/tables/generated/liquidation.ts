// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import type { LiquidationMode, LiquidationState } from '../../../schemas/record-values.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'

/** One wallet's liquidation, while it is not healthy. Times are engine millis. */
export class Liquidation {
  readonly account: number
  state: LiquidationState = 0
  mode: LiquidationMode = 0
  /** Start of this state and mode. */
  enteredMillis: number = 0
  /** 1 while orders that must be cancelled may be left. */
  purging: number = 0
  /** Partial phase: time when the current orders were placed; 0 if none. */
  repricedMillis: number = 0
  /** Partial phase. */
  targetMicros: number = 0
  /** Partial phase. */
  bonusBps: number = 0
  /** Full phase: number of the auction; 0 if none. */
  auction: number = 0
  auctionMillis: number = 0
  /** Incremented at every valuation: at each re-mark and each change of the positions. */
  version: number = 0
  /** Version of the latest change of the positions. */
  positionsVersion: number = 0
  /** Time since when equity is 0 or below, by the clock of `rowMillis`; 0 if positive. */
  insolventMillis: number = 0
  /** Account that won the latest bid, plus 1; 0 if none. */
  winner: number = 0
  /** Gain of the winner. */
  bonusMicros: number = 0
  /** Part of the loss so far that the insurance fund bore. */
  insuranceMicros: number = 0
  /** Part of the loss so far that deleveraged wallets bore. */
  deleveragedMicros: number = 0
  /** Uncovered part of the loss so far. */
  uncoveredMicros: number = 0
  /** Liquidation fees that the account has paid so far. */
  feeMicros: number = 0
  /** 1 while a mark or index is missing. */
  waiting: number = 0
  /** 1 after a deposit or order of a liquidated wallet. */
  revived: number = 0
  /** Time since when the timers of this state and mode are stopped; 0 if they run. */
  standingMillis: number = 0
  /** Total duration of earlier stops. */
  stoodMillis: number = 0
  /** Part of the loss so far that wallets in profit bore in proportion. */
  sharedMicros: number = 0
  /** Time of the next check if nothing else happens. Stored, although it follows from the rest. */
  deadlineMillis: number = Number.POSITIVE_INFINITY
  /** Index in the heap. Derived: the heap of deadlines. */
  place: number = 0
  /** Its element of the hash: noted where the row changes. */
  readonly cell = new HashCell(HashKind.Liquidation, this)

  constructor(account: number) {
    this.account = account
  }

  /** Writes all of it that is state. */
  save(sink: StateSink): void {
    sink.i32(this.account)
    sink.f64(this.state)
    sink.f64(this.mode)
    sink.f64(this.enteredMillis)
    sink.f64(this.purging)
    sink.f64(this.repricedMillis)
    sink.f64(this.targetMicros)
    sink.f64(this.bonusBps)
    sink.f64(this.auction)
    sink.f64(this.auctionMillis)
    sink.f64(this.version)
    sink.f64(this.positionsVersion)
    sink.f64(this.insolventMillis)
    sink.f64(this.winner)
    sink.f64(this.bonusMicros)
    sink.f64(this.insuranceMicros)
    sink.f64(this.deleveragedMicros)
    sink.f64(this.uncoveredMicros)
    sink.f64(this.feeMicros)
    sink.f64(this.waiting)
    sink.f64(this.revived)
    sink.f64(this.standingMillis)
    sink.f64(this.stoodMillis)
    sink.f64(this.sharedMicros)
    sink.f64(this.deadlineMillis)
  }

  /** What `save` wrote. */
  static load(reader: StateReader): Liquidation {
    const row = new Liquidation(reader.i32())
    row.state = reader.f64() as LiquidationState
    row.mode = reader.f64() as LiquidationMode
    row.enteredMillis = reader.f64()
    row.purging = reader.f64()
    row.repricedMillis = reader.f64()
    row.targetMicros = reader.f64()
    row.bonusBps = reader.f64()
    row.auction = reader.f64()
    row.auctionMillis = reader.f64()
    row.version = reader.f64()
    row.positionsVersion = reader.f64()
    row.insolventMillis = reader.f64()
    row.winner = reader.f64()
    row.bonusMicros = reader.f64()
    row.insuranceMicros = reader.f64()
    row.deleveragedMicros = reader.f64()
    row.uncoveredMicros = reader.f64()
    row.feeMicros = reader.f64()
    row.waiting = reader.f64()
    row.revived = reader.f64()
    row.standingMillis = reader.f64()
    row.stoodMillis = reader.f64()
    row.sharedMicros = reader.f64()
    row.deadlineMillis = reader.f64()
    return row
  }

  /** Names of the columns of state in which it is not as the other one. */
  differences(other: Liquidation): string[] {
    const names: string[] = []
    if (!Object.is(this.account, other.account)) names.push('account')
    if (!Object.is(this.state, other.state)) names.push('state')
    if (!Object.is(this.mode, other.mode)) names.push('mode')
    if (!Object.is(this.enteredMillis, other.enteredMillis)) names.push('enteredMillis')
    if (!Object.is(this.purging, other.purging)) names.push('purging')
    if (!Object.is(this.repricedMillis, other.repricedMillis)) names.push('repricedMillis')
    if (!Object.is(this.targetMicros, other.targetMicros)) names.push('targetMicros')
    if (!Object.is(this.bonusBps, other.bonusBps)) names.push('bonusBps')
    if (!Object.is(this.auction, other.auction)) names.push('auction')
    if (!Object.is(this.auctionMillis, other.auctionMillis)) names.push('auctionMillis')
    if (!Object.is(this.version, other.version)) names.push('version')
    if (!Object.is(this.positionsVersion, other.positionsVersion)) names.push('positionsVersion')
    if (!Object.is(this.insolventMillis, other.insolventMillis)) names.push('insolventMillis')
    if (!Object.is(this.winner, other.winner)) names.push('winner')
    if (!Object.is(this.bonusMicros, other.bonusMicros)) names.push('bonusMicros')
    if (!Object.is(this.insuranceMicros, other.insuranceMicros)) names.push('insuranceMicros')
    if (!Object.is(this.deleveragedMicros, other.deleveragedMicros)) names.push('deleveragedMicros')
    if (!Object.is(this.uncoveredMicros, other.uncoveredMicros)) names.push('uncoveredMicros')
    if (!Object.is(this.feeMicros, other.feeMicros)) names.push('feeMicros')
    if (!Object.is(this.waiting, other.waiting)) names.push('waiting')
    if (!Object.is(this.revived, other.revived)) names.push('revived')
    if (!Object.is(this.standingMillis, other.standingMillis)) names.push('standingMillis')
    if (!Object.is(this.stoodMillis, other.stoodMillis)) names.push('stoodMillis')
    if (!Object.is(this.sharedMicros, other.sharedMicros)) names.push('sharedMicros')
    if (!Object.is(this.deadlineMillis, other.deadlineMillis)) names.push('deadlineMillis')
    return names
  }
}
