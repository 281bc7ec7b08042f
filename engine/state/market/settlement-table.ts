import { assert } from '../../../schemas/assert.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { PayoutStep, SettlementPhase } from '../../../schemas/record-values.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { Settlement } from '../../tables/generated/settlement.js'
import { IndexSamples } from './index-samples.js'

/**
 * Expiries that have come, in the order in which they did (whoever changes a row says so: `changed`), the samples that
 * the next ones will be priced by, and the number of payouts so far.
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
  readonly #cell = new HashCell(HashKind.Settlements, {
    save: (sink) => this.#saveProgress(sink),
  })

  constructor(hash: StateHash) {
    this.#hash = hash
    hash.note(this.#cell)
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
    row.isNew = true
    this.changed(row)
    this.#queue(row)
  }

  /** The price is known: positions are paid out from the next batch on, or in this one if that has yet to be. */
  startPaying(row: Settlement): void {
    assert(
      isPriced(row) && row.phase !== SettlementPhase.Paying,
      'settlement: payouts start once, with a price',
    )
    row.phase = SettlementPhase.Paying
    row.owedMicros = 0n
    row.countedMicros = 0n
    row.lackingMicros = 0n
    row.borneMicros = 0n
    this.startStep(row, PayoutStep.Collect)
    this.#queue(row)
  }

  /** A round begins with the first account. */
  startStep(row: Settlement, step: PayoutStep): void {
    row.step = step
    row.accountNext = 0
    this.changed(row)
  }

  /** Nothing is left to do for now: it is settled, or waits for the operator. */
  setAside(row: Settlement): void {
    const place = this.busy.indexOf(row)
    assert(place >= 0, 'settlement: the row is in the queue')
    this.busy.splice(place, 1)
    this.#hash.note(this.#cell)
  }

  /** @returns the id of another payout. */
  nextPayoutId(): number {
    this.#hash.note(this.#cell)
    return ++this.payoutCount
  }

  /** Payouts up to this number were made, and lost: the next one is behind them. */
  passPayouts(count: number): void {
    if (count <= this.payoutCount) return
    this.payoutCount = count
    this.#hash.note(this.#cell)
  }

  samplesOf(underlying: number): IndexSamples {
    assert(
      underlying >= 0 && underlying < underlyingsMax,
      'settlement: the underlying index is valid',
    )
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

  /** The row is not what it was. */
  changed(row: Settlement): void {
    this.#hash.note(row.cell)
  }

  save(sink: StateSink): void {
    sink.f64(this.payoutCount)
    sink.i32(this.#samples.length)
    for (const samples of this.#samples) samples.save(sink)
    sink.i32(this.rows.length)
    for (const row of this.rows) row.save(sink)
    sink.i32(this.busy.length)
    for (const row of this.busy) sink.i32(this.rows.indexOf(row))
  }

  /** Reads what `save` wrote into settlements that are empty. */
  load(reader: StateReader): void {
    this.payoutCount = reader.f64()
    const underlyings = reader.i32()
    for (let u = 0; u < underlyings; u++) this.samplesOf(u).load(reader)
    for (let i = reader.i32(); i > 0; i--) {
      const row = Settlement.load(reader)
      this.#add(row)
      this.changed(row)
    }
    for (let i = reader.i32(); i > 0; i--) {
      const row = this.rows[reader.i32()]
      assert(row !== undefined, 'settlement: a queued expiry has a row')
      this.#queue(row)
    }
    this.#hash.note(this.#cell)
  }

  #add(row: Settlement): void {
    assert(this.find(row.underlying, row.expiryMillis) === null, 'settlement: an expiry comes once')
    this.rows.push(row)
    this.#byKey.set(keyOf(row.underlying, row.expiryMillis), row)
  }

  #queue(row: Settlement): void {
    if (this.busy.includes(row)) return
    this.busy.push(row)
    this.#hash.note(this.#cell)
  }

  /** How many payouts there were, and which rows wait for their turn in which order. */
  #saveProgress(sink: StateSink): void {
    sink.f64(this.payoutCount)
    for (const { underlying, expiryMillis } of this.busy) {
      sink.i32(underlying)
      sink.f64(expiryMillis)
    }
  }
}

/** Whether the price is known. */
export function isPriced({ priceMicros }: Settlement): boolean {
  return !Number.isNaN(priceMicros)
}

function keyOf(underlying: number, expiryMillis: number): string {
  return `${underlying} ${expiryMillis}`
}
