import {
  AccountEvent,
  type AnyEvent,
  EventType,
  FundingEvent,
} from '../../../schemas/generated/events.js'
import { AccountChange, FundingPhase } from '../../../schemas/record-values.js'
import { mustHold } from '../run/simulation-errors.js'

const accountEvent = new AccountEvent()
const funding = new FundingEvent()

/** Payment of an account, fixing of a round, or end of a round with its dust, by `kind`. */
interface Entry {
  readonly seq: number
  readonly kind: 'payment' | 'fixed' | 'paid'
  /** Account, or perp and end of its period. */
  readonly key: string
  readonly micros: number
  readonly holders: number
}

/**
 * Checks all funding, from the events alone. No period of a perp is fixed twice, and rounds end in the order in which
 * they were fixed. Each pays no account twice and adds up to zero with its dust.
 */
export class FundingLedger {
  readonly #entries: Entry[] = []

  get paymentCount(): number {
    return this.#count('payment')
  }

  /** Number of fully paid rounds. */
  get paidCount(): number {
    return this.#count('paid')
  }

  /** Handles events in order and ignores other types. */
  take(event: AnyEvent): void {
    const { seq, recordType } = event
    // Events read but not flushed before a crash come again.
    if (seq <= (this.#entries.at(-1)?.seq ?? 0)) return
    if (recordType === EventType.Account) {
      const { change, account, deltaMicros } = accountEvent.of(event)
      if (change !== AccountChange.Funding) return
      this.#pay({ seq, kind: 'payment', key: `${account}`, micros: deltaMicros, holders: 0 })
    } else if (recordType === EventType.Funding) {
      const { instrument, endMillis, dustMicros, holders, phase } = funding.of(event)
      const published = { seq, key: `${instrument}/${endMillis}`, micros: dustMicros, holders }
      if (phase === FundingPhase.Fixed) this.#fix({ ...published, kind: 'fixed' })
      else this.#end({ ...published, kind: 'paid' })
    }
  }

  /** Drops the events after `seq`: they were lost in a crash, so they were never durable. */
  forgetAfter(seq: number): void {
    while ((this.#entries.at(-1)?.seq ?? 0) > seq) this.#entries.pop()
  }

  #fix(entry: Entry): void {
    const before = this.#entries.find(({ kind, key }) => kind === 'fixed' && key === entry.key)
    mustHold(before === undefined, () => `funding ${entry.key} is fixed again`)
    this.#entries.push(entry)
  }

  #pay(entry: Entry): void {
    const before = this.#round().find(({ key }) => key === entry.key)
    mustHold(before === undefined, () => `account ${entry.key} pays twice in one round of funding`)
    this.#entries.push(entry)
  }

  #end(entry: Entry): void {
    const { key, micros, holders } = entry
    const fixed = this.#entries.filter(({ kind }) => kind === 'fixed')[this.paidCount]
    mustHold(fixed?.key === key, () => `funding ${key} ends before ${fixed?.key}`)
    const paid = this.#round()
    const sum = paid.reduce((total, payment) => total + payment.micros, micros)
    mustHold(sum === 0, () => `funding ${key} and its dust add up to ${sum} micros`)
    const isSmall = Math.abs(micros) * 2 <= holders && paid.length <= holders
    mustHold(isSmall, () => `${micros} micros of dust, ${paid.length} payments of ${holders}`)
    this.#entries.push(entry)
  }

  /** Returns payments since the last end: rounds are paid one after another. */
  #round(): Entry[] {
    const first = this.#entries.findLastIndex(({ kind }) => kind === 'paid') + 1
    return this.#entries.slice(first).filter(({ kind }) => kind === 'payment')
  }

  #count(kind: Entry['kind']): number {
    return this.#entries.filter((entry) => entry.kind === kind).length
  }
}
