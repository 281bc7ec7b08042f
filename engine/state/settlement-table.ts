import { PayoutStep, SettlementPhase } from '../../schemas/record-values.js'
import { highPart, lowPart } from '../memory/exact-sum.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { element, HashKind, type StateHash } from '../memory/state-hash.js'
import { moveElement } from '../risk/hash-elements.js'
import { Settlement } from '../tables/generated/settlement.js'
import { IndexSamples } from './index-samples.js'

/**
 * Expiries that have come, in the order in which they did (a row is changed between `leave` and `enter` only, which keep
 * the state hash), the samples that the next ones will be priced by, and the
 * number of payouts so far.
 */
export class SettlementTable {
  readonly rows: Settlement[] = []
  /** New ones, and those being paid out: first come, first served. */
  readonly busy: Settlement[] = []
  /** Payouts so far: the id of the latest. */
  payoutCount = 0
  readonly #byKey = new Map<string, Settlement>()
  readonly #samples: IndexSamples[] = []
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** @returns the expiry if its time has come, else null. */
  find(underlying: number, expiryMillis: number): Settlement | null {
    return this.#byKey.get(keyOf(underlying, expiryMillis)) ?? null
  }

  /** An instrument has expired: its expiry is looked at in the next batch, or in this one if that has yet to be. */
  expire(underlying: number, expiryMillis: number): void {
    const known = this.find(underlying, expiryMillis)
    const row = known ?? new Settlement(underlying, expiryMillis)
    if (known === null) this.#add(row)
    else this.leave(row)
    row.isNew = true
    this.enter(row)
    if (!this.busy.includes(row)) this.busy.push(row)
  }

  /** The price is known: positions are paid out from the next batch on, or in this one if that has yet to be. */
  startPaying(row: Settlement): void {
    this.leave(row)
    row.phase = SettlementPhase.Paying
    row.owedMicros = 0n
    row.countedMicros = 0n
    row.lackingMicros = 0n
    row.borneMicros = 0n
    this.enter(row)
    this.startStep(row, PayoutStep.Collect)
    if (!this.busy.includes(row)) this.busy.push(row)
  }

  /** A round begins with the first account. */
  startStep(row: Settlement, step: PayoutStep): void {
    this.leave(row)
    row.step = step
    row.accountNext = 0
    this.enter(row)
  }

  /** Nothing is left to do for now: it is settled, or waits for the operator. */
  setAside(row: Settlement): void {
    this.busy.splice(this.busy.indexOf(row), 1)
  }

  /** @returns the id of another payout. */
  nextPayoutId(): number {
    const id = this.payoutCount + 1
    moveElement(this.#hash, HashKind.Payout, 0, 0, this.payoutCount, id)
    this.payoutCount = id
    return id
  }

  /** Payouts up to this number were made, and lost: the next one is behind them. */
  passPayouts(count: number): void {
    if (count <= this.payoutCount) return
    moveElement(this.#hash, HashKind.Payout, 0, 0, this.payoutCount, count)
    this.payoutCount = count
  }

  samplesOf(underlying: number): IndexSamples {
    for (let u = this.#samples.length; u <= underlying; u++) {
      this.#samples.push(new IndexSamples(u, this.#hash))
    }
    return this.#samples[underlying]
  }

  /** Observations kept of all underlyings. */
  forEachSample(
    visit: (underlying: number, observedMillis: number, priceMicros: number) => void,
  ): void {
    for (const [underlying, samples] of this.#samples.entries()) {
      samples.forEach((observedMillis, priceMicros) => {
        visit(underlying, observedMillis, priceMicros)
      })
    }
  }

  /** Takes the row out of the hash, before it changes. */
  leave(row: Settlement): void {
    this.#put(row, false)
  }

  /** Puts the row into the hash, as it is now. */
  enter(row: Settlement): void {
    this.#put(row, true)
  }

  save(writer: StateWriter): void {
    writer.f64(this.payoutCount)
    writer.i32(this.#samples.length)
    for (const samples of this.#samples) samples.save(writer)
    writer.i32(this.rows.length)
    for (const row of this.rows) row.save(writer)
    writer.i32(this.busy.length)
    for (const row of this.busy) writer.i32(this.rows.indexOf(row))
  }

  /** Reads what `save` wrote into settlements that are empty, and adds their elements to the hash. */
  load(reader: StateReader): void {
    const payoutCount = reader.f64()
    moveElement(this.#hash, HashKind.Payout, 0, 0, 0, payoutCount)
    this.payoutCount = payoutCount
    const underlyings = reader.i32()
    for (let u = 0; u < underlyings; u++) this.samplesOf(u).load(reader)
    for (let i = reader.i32(); i > 0; i--) {
      const row = Settlement.load(reader)
      this.#add(row)
      this.enter(row)
    }
    for (let i = reader.i32(); i > 0; i--) this.busy.push(this.rows[reader.i32()])
  }

  #add(row: Settlement): void {
    this.rows.push(row)
    this.#byKey.set(keyOf(row.underlying, row.expiryMillis), row)
  }

  #put(row: Settlement, adds: boolean): void {
    const { phase, source, isNew, priceMicros, step, accountNext, clearingMicros } = row
    const small = (step * 8 + phase) * 4 + source * 2 + Number(isNew)
    this.#putElement(row, 0, isPriced(row) ? priceMicros : 0, adds)
    this.#putElement(row, 1, small * 1_000_000 + row.validCount, adds)
    this.#putElement(row, 2, accountNext, adds)
    const sums = [
      row.owedMicros,
      clearingMicros,
      row.countedMicros,
      row.lackingMicros,
      row.borneMicros,
    ]
    for (const [place, sum] of sums.entries()) {
      this.#putElement(row, 3 + place, lowPart(sum), adds)
      if (highPart(sum) !== 0) this.#putElement(row, 8 + place, highPart(sum), adds)
    }
  }

  #putElement(row: Settlement, field: number, value: number, adds: boolean): void {
    element[0] = row.underlying * 16 + field
    element[1] = row.expiryMillis
    element[2] = value
    if (adds) this.#hash.addElement(HashKind.Settlement)
    else this.#hash.removeElement(HashKind.Settlement)
  }
}

/** Whether the price is known. */
export function isPriced({ priceMicros }: Settlement): boolean {
  return !Number.isNaN(priceMicros)
}

function keyOf(underlying: number, expiryMillis: number): string {
  return `${underlying} ${expiryMillis}`
}
