import { assert } from '../../../schemas/assert.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import {
  type CountedFill,
  countFill,
  entryAt,
  isFrozen,
  MmpWindow,
  measureCount,
  resetWindow,
  restoreEntry,
  setLimits,
} from '../../matching/mmp-window.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'

const sumCount = 2 * measureCount

/** Protection of one account in one underlying, with the same window as its matcher. */
export class MmpRow extends MmpWindow implements Saved {
  readonly account: number
  readonly underlying: number
  /** Halves of the nonce of the latest accepted SetMmp. */
  nonceHigh = 0
  nonceLow = 0
  readonly cell = new HashCell(HashKind.Protection, this)

  constructor(account: number, underlying: number) {
    super()
    this.account = account
    this.underlying = underlying
  }

  /** Writes the hashed part: of the fills only their sums, their number, and the times of the first and the last. */
  save(sink: StateSink): void {
    this.#saveTerms(sink)
    this.#saveSums(sink)
    if (this.count === 0) return
    sink.f64(this.entries[entryAt(this, 0)])
    sink.f64(this.entries[entryAt(this, this.count - 1)])
  }

  /** Writes everything, for the snapshot. */
  saveAll(sink: StateSink): void {
    this.#saveTerms(sink)
    for (let index = 0; index < this.count; index++) {
      const at = entryAt(this, index)
      for (let i = 0; i <= sumCount; i++) sink.f64(this.entries[at + i])
    }
    this.#saveSums(sink)
  }

  #saveTerms(sink: StateSink): void {
    sink.i32(this.account)
    sink.i32(this.underlying)
    sink.i32(this.nonceHigh)
    sink.i32(this.nonceLow)
    sink.f64(this.intervalMillis)
    sink.f64(this.frozenMillis)
    for (let measure = 0; measure < measureCount; measure++) sink.f64(this.limitMicros[measure])
    sink.f64(this.frozenUntilMillis)
    sink.i32(this.count)
  }

  /**
   * Writes the sums. In a measure without a limit they may have been rounded beyond 2^53 in the order of the fills, so
   * the entries alone cannot restore them.
   */
  #saveSums(sink: StateSink): void {
    for (let i = 0; i < sumCount; i++) sink.f64(this.sums[i])
  }
}

/**
 * All market-maker protections. The matchers own the windows while orders match, and report each counted fill. The
 * table counts it again, by the same code, for snapshots and for matchers that start.
 */
export class MmpTable {
  /** In order of their first SetMmp. */
  readonly #rows = new Map<number, MmpRow>()
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  get rows(): IterableIterator<MmpRow> {
    return this.#rows.values()
  }

  find(account: number, underlying: number): MmpRow | undefined {
    return this.#rows.get(account * underlyingsMax + underlying)
  }

  /** Returns when new protected orders are accepted again: 0 if they are now, Infinity if only after a reset. */
  frozenUntil(account: number, underlying: number, nowMillis: number): number {
    const row = this.find(account, underlying)
    return row !== undefined && isFrozen(row, nowMillis) ? row.frozenUntilMillis : 0
  }

  /** Sets the terms; fills and freeze stay. */
  set(
    account: number,
    underlying: number,
    nowMillis: number,
    intervalMillis: number,
    frozenMillis: number,
    limitMicros: Float64Array,
  ): MmpRow {
    const known = this.find(account, underlying)
    const row = known ?? this.#add(account, underlying)
    setLimits(row, nowMillis, intervalMillis, frozenMillis, limitMicros)
    this.#hash.note(row.cell)
    return row
  }

  /** Sets the nonce under which the terms were set. */
  setNonce(row: MmpRow, high: number, low: number): void {
    this.#assertOwn(row)
    row.nonceHigh = high
    row.nonceLow = low
    this.#hash.note(row.cell)
  }

  /** Drops the fills, and ends the freeze. */
  reset(row: MmpRow): void {
    this.#assertOwn(row)
    resetWindow(row)
    this.#hash.note(row.cell)
  }

  delete(row: MmpRow): void {
    this.#assertOwn(row)
    this.#hash.drop(row.cell)
    this.#rows.delete(row.account * underlyingsMax + row.underlying)
  }

  /** Counts a fill that no matcher counts; its wallet must have a protection. */
  countOwn(fill: CountedFill): MmpRow {
    const row = this.find(fill.account, fill.underlying)
    assert(row !== undefined, 'mmp: a counted fill has a protection')
    countFill(row, fill)
    this.#hash.note(row.cell)
    return row
  }

  /**
   * Counts a fill as a matcher did.
   * @param triggers limits that it reached there.
   */
  count(fill: CountedFill, triggers: number): MmpRow {
    const row = this.find(fill.account, fill.underlying)
    assert(row !== undefined, 'mmp: a counted fill has a protection')
    const reached = countFill(row, fill)
    assert(reached === triggers, 'mmp: core and matcher have the same window')
    this.#hash.note(row.cell)
    return row
  }

  save(sink: StateSink): void {
    sink.i32(this.#rows.size)
    for (const row of this.#rows.values()) row.saveAll(sink)
  }

  /** Reads what `save` wrote into an empty table. */
  load(reader: StateReader): void {
    const limits = new Float64Array(measureCount)
    const amounts = new Float64Array(sumCount)
    for (let rows = reader.i32(); rows > 0; rows--) {
      const row = this.#add(reader.i32(), reader.i32())
      row.nonceHigh = reader.i32()
      row.nonceLow = reader.i32()
      const [intervalMillis, frozenMillis] = [reader.f64(), reader.f64()]
      for (let measure = 0; measure < measureCount; measure++) limits[measure] = reader.f64()
      setLimits(row, 0, intervalMillis, frozenMillis, limits)
      row.frozenUntilMillis = reader.f64()
      for (let entries = reader.i32(); entries > 0; entries--) {
        const millis = reader.f64()
        for (let i = 0; i < sumCount; i++) amounts[i] = reader.f64()
        restoreEntry(row, millis, amounts, 0)
      }
      for (let i = 0; i < sumCount; i++) row.sums[i] = reader.f64()
      this.#hash.note(row.cell)
    }
  }

  #assertOwn(row: MmpRow): void {
    assert(this.find(row.account, row.underlying) === row, 'mmp: the protection exists')
  }

  #add(account: number, underlying: number): MmpRow {
    assert(account >= 0, 'mmp: the account index is valid')
    assert(underlying >= 0 && underlying < underlyingsMax, 'mmp: the underlying index is valid')
    assert(
      this.find(account, underlying) === undefined,
      'mmp: an account has one protection per underlying',
    )
    const row = new MmpRow(account, underlying)
    this.#rows.set(account * underlyingsMax + underlying, row)
    return row
  }
}
