import { EventType } from '../../schemas/events.js'
import {
  payoutAccountAt,
  payoutIdAt,
  payoutInstrumentAt,
  payoutValueMicrosAt,
  SettlementPhase,
  settlementEventDustMicrosAt,
  settlementEventPhaseAt,
} from '../../schemas/settlement.js'
import type { RecordViews } from '../core/event-sink.js'
import { mustHold } from './simulation-errors.js'

/** A payout, or the end of an expiry with what rounding left: `id` is 0 then. */
interface Entry {
  readonly seq: number
  readonly id: number
  readonly key: string
  readonly micros: number
}

/**
 * All payouts as a history store sees them: numbered without a gap, none of a position that was paid already, and
 * each expiry, with its dust, adding up to zero. Expiries are paid one after another.
 */
export class PayoutLedger {
  readonly #entries: Entry[] = []
  /** Payouts up to this one may have been lost. */
  #passed = 0

  /** Expiries that were settled. */
  get settledCount(): number {
    return this.#entries.filter(({ id }) => id === 0).length
  }

  get payoutCount(): number {
    return this.#entries.length - this.settledCount
  }

  /** Takes one event, in order; others than payouts and settlements mean nothing to it. */
  take(type: number, seq: number, { i32, f64 }: RecordViews, at: number): void {
    // What was taken and not flushed before a crash is told again.
    if (seq <= (this.#entries.at(-1)?.seq ?? 0)) return
    if (type === EventType.Payout) {
      const instrument = i32[(at + payoutInstrumentAt) >> 2]
      const key = `${i32[(at + payoutAccountAt) >> 2]}/${instrument}`
      const id = f64[(at + payoutIdAt) >> 3]
      this.#pay({ seq, id, key, micros: f64[(at + payoutValueMicrosAt) >> 3] })
    } else if (type === EventType.Settlement) {
      if (i32[(at + settlementEventPhaseAt) >> 2] !== SettlementPhase.Settled) return
      this.#settle({ seq, id: 0, key: '', micros: f64[(at + settlementEventDustMicrosAt) >> 3] })
    }
  }

  /** A crash took back what came after: it was never durable. */
  forgetAfter(seq: number): void {
    while ((this.#entries.at(-1)?.seq ?? 0) > seq) this.#entries.pop()
  }

  /** Behind an accepted loss numbers go on above what was seen. */
  pass(payoutCount: number): void {
    this.#passed = payoutCount
  }

  #pay(entry: Entry): void {
    const { id, key } = entry
    const known = this.#entries.findLast((other) => other.id > 0)?.id ?? 0
    const last = Math.max(known, this.#passed)
    mustHold(id === last + 1, () => `payout ${id} follows ${last}`)
    const before = this.#entries.find((other) => other.key === key)
    mustHold(before === undefined, () => `payout ${id} pays ${key} again, after ${before?.id}`)
    this.#entries.push(entry)
  }

  #settle(entry: Entry): void {
    const first = this.#entries.findLastIndex(({ id }) => id === 0) + 1
    const paid = this.#entries.slice(first)
    const sum = paid.reduce((total, { micros }) => total + micros, entry.micros)
    mustHold(sum === 0, () => `an expiry and its dust add up to ${sum} micros`)
    const isSmall = Math.abs(entry.micros) * 2 <= paid.length
    mustHold(isSmall, () => `${entry.micros} micros of dust of ${paid.length} payouts`)
    this.#entries.push(entry)
  }
}
