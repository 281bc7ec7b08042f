import { assert } from '../../schemas/assert.js'
import { underlyingsMax } from '../../schemas/bounds.js'
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
} from '../matching/mmp-window.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { HashKind, type StateHash } from '../memory/state-hash.js'

const sumCount = 2 * measureCount

/** Protection of one account in one underlying, with the window as its matcher has it. */
export class MmpRow extends MmpWindow {
  readonly account: number
  readonly underlying: number
  /** Halves of the nonce of the latest accepted SetMmp. */
  nonceHigh = 0
  nonceLow = 0

  constructor(account: number, underlying: number) {
    super()
    this.account = account
    this.underlying = underlying
  }
}

/**
 * Every market-maker protection there is. The matchers own the windows while orders match; what they count they tell,
 * and it is counted here once more, by the same code: this is what a snapshot keeps, and what a matcher that starts
 * is given. The state hash has the terms of each, its freeze, its sums and the ends of its window.
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

  /** Until when new protected orders are refused: 0 when they are not, Infinity: until reset. */
  frozenUntil(account: number, underlying: number, nowMillis: number): number {
    const row = this.find(account, underlying)
    return row !== undefined && isFrozen(row, nowMillis) ? row.frozenUntilMillis : 0
  }

  /** Sets terms; fills and freeze stay. */
  set(
    account: number,
    underlying: number,
    nowMillis: number,
    intervalMillis: number,
    frozenMillis: number,
    limitMicros: Float64Array,
  ): MmpRow {
    const known = this.find(account, underlying)
    if (known !== undefined) this.#move(known, false)
    const row = known ?? this.#add(account, underlying)
    setLimits(row, nowMillis, intervalMillis, frozenMillis, limitMicros)
    this.#move(row, true)
    return row
  }

  /** Names the nonce under which the terms were set. */
  setNonce(row: MmpRow, high: number, low: number): void {
    this.#move(row, false)
    row.nonceHigh = high
    row.nonceLow = low
    this.#move(row, true)
  }

  /** Forgets the fills, and thaws. */
  reset(row: MmpRow): void {
    this.#move(row, false)
    resetWindow(row)
    this.#move(row, true)
  }

  delete(row: MmpRow): void {
    this.#move(row, false)
    this.#rows.delete(row.account * underlyingsMax + row.underlying)
  }

  /** Counts a fill as a matcher did. @param triggers the limits that it reached there. */
  count(fill: CountedFill, triggers: number): MmpRow {
    const row = this.find(fill.account, fill.underlying)
    assert(row !== undefined, 'mmp: only what is protected is counted')
    this.#move(row, false)
    const reached = countFill(row, fill)
    assert(reached === triggers, 'mmp: core and matcher have the same window')
    this.#move(row, true)
    return row
  }

  save(writer: StateWriter): void {
    writer.i32(this.#rows.size)
    for (const row of this.#rows.values()) {
      writer.i32(row.account)
      writer.i32(row.underlying)
      writer.i32(row.nonceHigh)
      writer.i32(row.nonceLow)
      writer.f64(row.intervalMillis)
      writer.f64(row.frozenMillis)
      for (let measure = 0; measure < measureCount; measure++) {
        writer.f64(row.limitMicros[measure])
      }
      writer.f64(row.frozenUntilMillis)
      writer.i32(row.count)
      for (let index = 0; index < row.count; index++) {
        const at = entryAt(row, index)
        for (let i = 0; i <= sumCount; i++) writer.f64(row.entries[at + i])
      }
      // A measure without a limit may have been rounded beyond 2^53, as its fills came: entries alone do not tell how.
      for (let i = 0; i < sumCount; i++) writer.f64(row.sums[i])
    }
  }

  /** Reads what `save` wrote into an empty table, and adds its elements to the hash. */
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
      this.#move(row, true)
    }
  }

  #add(account: number, underlying: number): MmpRow {
    const row = new MmpRow(account, underlying)
    this.#rows.set(account * underlyingsMax + underlying, row)
    return row
  }

  /** Adds the elements of a row to the hash, or takes them out: around every change. */
  #move(row: MmpRow, adds: boolean): void {
    const key = row.account * underlyingsMax + row.underlying
    const { entries, count, limitMicros, sums } = row
    this.#put(adds, HashKind.Mmp, key, 0, row.intervalMillis)
    this.#put(adds, HashKind.Mmp, key, 1, row.frozenMillis)
    for (let measure = 0; measure < measureCount; measure++) {
      this.#put(adds, HashKind.Mmp, key, 2 + measure, limitMicros[measure])
    }
    this.#put(adds, HashKind.Mmp, key, 5, (row.nonceHigh >>> 0) * 1_048_576 + (row.nonceLow >>> 12))
    this.#put(adds, HashKind.Mmp, key, 6, row.nonceLow)
    this.#put(adds, HashKind.MmpWindow, key, 0, row.frozenUntilMillis)
    if (count === 0) return
    for (let i = 0; i < sumCount; i++) this.#put(adds, HashKind.MmpWindow, key, 1 + i, sums[i])
    this.#put(adds, HashKind.MmpWindow, key, 7, entries[entryAt(row, 0)])
    this.#put(adds, HashKind.MmpWindow, key, 8, entries[entryAt(row, count - 1)])
    this.#put(adds, HashKind.MmpWindow, key, 9, count)
  }

  #put(adds: boolean, kind: HashKind, a: number, b: number, value: number): void {
    if (adds) this.#hash.add(kind, a, b, value)
    else this.#hash.remove(kind, a, b, value)
  }
}
