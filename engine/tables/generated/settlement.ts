// Generated from engine/tables/layouts by `npm run generate`; not to be edited.
import type { PayoutStep, PriceSource, SettlementPhase } from '../../../schemas/record-values.js'
import { readSum, writeSum } from '../../memory/exact-sum.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind } from '../../memory/state-hash.js'

/**
 * An underlying's expiry after its time. All its instruments, even those listed later, settle at
 * one price.
 */
export class Settlement {
  readonly underlying: number
  readonly expiryMillis: number
  phase: SettlementPhase = 1
  /** NaN until it is known; then it never changes. */
  priceMicros: number = Number.NaN
  source: PriceSource = 0
  /** Valid samples when the window was evaluated. */
  validCount: number = 0
  /** True until the window is evaluated. */
  isNew: boolean = true
  /** Paying: current round over the accounts. */
  step: PayoutStep = 0
  /** Paying: next account. */
  accountNext: number = 0
  /** Paying: net amount owed to all wallets that are owed anything. */
  owedMicros: bigint = 0n
  /** Paying: processed part of it. */
  countedMicros: bigint = 0n
  /** Paying: debts that neither the wallets nor the insurance fund could pay. */
  lackingMicros: bigint = 0n
  /** Paying: part of it that reduced payouts. */
  borneMicros: bigint = 0n
  /** Paying: minus the sum of all values so far. After all payouts, the rounding dust. */
  clearingMicros: bigint = 0n
  /** Its element of the hash: noted where the row changes. */
  readonly cell = new HashCell(HashKind.Settlement, this)

  constructor(underlying: number, expiryMillis: number) {
    this.underlying = underlying
    this.expiryMillis = expiryMillis
  }

  /** Writes all of it that is state. */
  save(sink: StateSink): void {
    sink.i32(this.underlying)
    sink.f64(this.expiryMillis)
    sink.i32(this.phase)
    sink.f64(this.priceMicros)
    sink.i32(this.source)
    sink.i32(this.validCount)
    sink.i32(this.isNew ? 1 : 0)
    sink.i32(this.step)
    sink.i32(this.accountNext)
    writeSum(sink, this.owedMicros)
    writeSum(sink, this.countedMicros)
    writeSum(sink, this.lackingMicros)
    writeSum(sink, this.borneMicros)
    writeSum(sink, this.clearingMicros)
  }

  /** What `save` wrote. */
  static load(reader: StateReader): Settlement {
    const row = new Settlement(reader.i32(), reader.f64())
    row.phase = reader.i32() as SettlementPhase
    row.priceMicros = reader.f64()
    row.source = reader.i32() as PriceSource
    row.validCount = reader.i32()
    row.isNew = reader.i32() === 1
    row.step = reader.i32() as PayoutStep
    row.accountNext = reader.i32()
    row.owedMicros = readSum(reader)
    row.countedMicros = readSum(reader)
    row.lackingMicros = readSum(reader)
    row.borneMicros = readSum(reader)
    row.clearingMicros = readSum(reader)
    return row
  }

  /** Names of the columns of state in which it is not as the other one. */
  differences(other: Settlement): string[] {
    const names: string[] = []
    if (!Object.is(this.underlying, other.underlying)) names.push('underlying')
    if (!Object.is(this.expiryMillis, other.expiryMillis)) names.push('expiryMillis')
    if (!Object.is(this.phase, other.phase)) names.push('phase')
    if (!Object.is(this.priceMicros, other.priceMicros)) names.push('priceMicros')
    if (!Object.is(this.source, other.source)) names.push('source')
    if (!Object.is(this.validCount, other.validCount)) names.push('validCount')
    if (!Object.is(this.isNew, other.isNew)) names.push('isNew')
    if (!Object.is(this.step, other.step)) names.push('step')
    if (!Object.is(this.accountNext, other.accountNext)) names.push('accountNext')
    if (!Object.is(this.owedMicros, other.owedMicros)) names.push('owedMicros')
    if (!Object.is(this.countedMicros, other.countedMicros)) names.push('countedMicros')
    if (!Object.is(this.lackingMicros, other.lackingMicros)) names.push('lackingMicros')
    if (!Object.is(this.borneMicros, other.borneMicros)) names.push('borneMicros')
    if (!Object.is(this.clearingMicros, other.clearingMicros)) names.push('clearingMicros')
    return names
  }
}
