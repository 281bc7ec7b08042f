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

/** A payment of one account, a round that was fixed, or the end of one, with its dust: what `kind` says. */
interface Entry {
  readonly seq: number
  readonly kind: 'payment' | 'fixed' | 'paid'
  /** Account, or perp and end of its period. */
  readonly key: string
  readonly micros: number
  readonly holders: number
}

/**
 * All funding as a reader of the events sees it: no period of a perp is fixed twice, rounds end in the order in which
 * they were fixed, and each of them pays nobody twice and adds up to zero with its dust.
 */
export class FundingLedger {
  readonly #entries: Entry[] = []

  get paymentCount(): number {
    return this.#count('payment')
  }

  /** Rounds that were paid to their end. */
  get paidCount(): number {
    return this.#count('paid')
  }

  /** Takes one event, in order; others than those of funding mean nothing to it. */
  take(event: AnyEvent): void {
    const { seq, recordType } = event
    // What was taken and not flushed before a crash is told again.
    if (seq <= (this.#entries.at(-1)?.seq ?? 0)) return
    if (recordType === EventType.Account) {
      const { change, account, deltaMicros } = accountEvent.of(event)
      if (change !== AccountChange.Funding) return
      this.#pay({ seq, kind: 'payment', key: `${account}`, micros: deltaMicros, holders: 0 })
    } else if (recordType === EventType.Funding) {
      const { instrument, endMillis, dustMicros, holders, phase } = funding.of(event)
      const told = { seq, key: `${instrument}/${endMillis}`, micros: dustMicros, holders }
      if (phase === FundingPhase.Fixed) this.#fix({ ...told, kind: 'fixed' })
      else this.#end({ ...told, kind: 'paid' })
    }
  }

  /** A crash took back what came after: it was never durable. */
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

  /** Payments since the last end: rounds are paid one after another. */
  #round(): Entry[] {
    const first = this.#entries.findLastIndex(({ kind }) => kind === 'paid') + 1
    return this.#entries.slice(first).filter(({ kind }) => kind === 'payment')
  }

  #count(kind: Entry['kind']): number {
    return this.#entries.filter((entry) => entry.kind === kind).length
  }
}
