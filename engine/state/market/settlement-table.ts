import { assert } from '../../../schemas/assert.js'
import { underlyingsMax } from '../../../schemas/bounds.js'
import { PayoutStep, SettlementPhase } from '../../../schemas/record-values.js'
import type { StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import { Settlement } from '../../tables/generated/settlement.js'
import { IndexSamples } from './index-samples.js'

/**
 * Expiries that have come, in that order, the samples for the next ones, and the number of payouts so far. Code that
 * changes a row must call `changed`.
 */
export class SettlementTable {
  readonly rows: Settlement[] = []
  /** Queue of new expiries and those being paid out; processed in this order. */
  readonly busy: Settlement[] = []
  /** Number of payouts so far: the id of the latest. */
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

  /**
   * Queues the expiry of an expired instrument, for this batch if it has not processed expiries yet, else for the next.
   */
  expire(underlying: number, expiryMillis: number): void {
    const known = this.find(underlying, expiryMillis)
    const row = known ?? new Settlement(underlying, expiryMillis)
    if (known === null) this.#add(row)
    row.isNew = true
    this.changed(row)
    this.#queue(row)
  }

  /** Starts the payouts of a priced expiry, in this batch if it has not processed payouts yet, else in the next. */
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

  /** Starts a step with the first account. */
  startStep(row: Settlement, step: PayoutStep): void {
    row.step = step
    row.accountNext = 0
    this.changed(row)
  }

  /** Removes an expiry from the queue: it is settled, or waits for the operator. */
  dequeue(row: Settlement): void {
    const place = this.busy.indexOf(row)
    assert(place >= 0, 'settlement: the row is in the queue')
    this.busy.splice(place, 1)
    this.#hash.note(this.#cell)
  }

  /** @returns the id of the next payout. */
  nextPayoutId(): number {
    this.#hash.note(this.#cell)
    return ++this.payoutCount
  }

  /** Skips the ids of payouts that were lost with the journal. */
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

  /** Visits the kept observations of all underlyings. */
  forEachSample(
    visit: (underlying: number, observedMillis: number, priceMicros: number) => void,
  ): void {
    for (const [underlying, samples] of this.#samples.entries()) {
      samples.forEach((observedMillis, priceMicros) => {
        visit(underlying, observedMillis, priceMicros)
      })
    }
  }

  /** Notes a changed row for the hash. */
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

  /** Reads what `save` wrote into empty settlements. */
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

  /** Saves the number of payouts, and the order of the queue. */
  #saveProgress(sink: StateSink): void {
    sink.f64(this.payoutCount)
    for (const { underlying, expiryMillis } of this.busy) {
      sink.i32(underlying)
      sink.f64(expiryMillis)
    }
  }
}

/** Returns true if the price is known. */
export function isPriced({ priceMicros }: Settlement): boolean {
  return !Number.isNaN(priceMicros)
}

function keyOf(underlying: number, expiryMillis: number): string {
  return `${underlying} ${expiryMillis}`
}
