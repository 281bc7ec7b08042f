import { accountChangeAt, accountDeltaMicrosAt, accountIndexAt } from '../../../schemas/events.js'
import {
  fundingEventDustMicrosAt,
  fundingEventEndMillisAt,
  fundingEventHoldersAt,
  fundingEventInstrumentAt,
  fundingEventPhaseAt,
} from '../../../schemas/funding.js'
import { EventType } from '../../../schemas/generated/events.js'
import { AccountChange, FundingPhase } from '../../../schemas/record-values.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { mustHold } from '../simulation-errors.js'

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
  take(type: number, seq: number, { i32, f64 }: RecordViews, at: number): void {
    // What was taken and not flushed before a crash is told again.
    if (seq <= (this.#entries.at(-1)?.seq ?? 0)) return
    if (type === EventType.Account) {
      if (i32[(at + accountChangeAt) >> 2] !== AccountChange.Funding) return
      const key = `${i32[(at + accountIndexAt) >> 2]}`
      const micros = f64[(at + accountDeltaMicrosAt) >> 3]
      this.#pay({ seq, kind: 'payment', key, micros, holders: 0 })
    } else if (type === EventType.Funding) {
      const instrument = i32[(at + fundingEventInstrumentAt) >> 2]
      const key = `${instrument}/${f64[(at + fundingEventEndMillisAt) >> 3]}`
      const micros = f64[(at + fundingEventDustMicrosAt) >> 3]
      const holders = i32[(at + fundingEventHoldersAt) >> 2]
      const isFixed = i32[(at + fundingEventPhaseAt) >> 2] === FundingPhase.Fixed
      if (isFixed) this.#fix({ seq, kind: 'fixed', key, micros, holders })
      else this.#end({ seq, kind: 'paid', key, micros, holders })
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
