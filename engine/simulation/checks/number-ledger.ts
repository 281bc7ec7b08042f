import { underlyingsMax } from '../../../schemas/bounds.js'
import {
  factsCreatedMillisAt,
  factsInstrumentAt,
  factsOrderIdAt,
  fillIdAt,
  fillTradeIdAt,
  outcomeFactsAt,
} from '../../../schemas/events.js'
import { EventType } from '../../../schemas/generated/events.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { payoutIdAt } from '../../../schemas/settlement.js'
import { mustHold } from '../simulation-errors.js'

/** Numbers of each kind, as the last one that was given out. */
interface Counts {
  readonly orderCount: number
  readonly tradeCount: number
  readonly payoutCount: number
  readonly auctionCount: number
}

/**
 * What has a number, as a history store sees it: no number is ever given to a second thing, not even when the journal
 * has lost the first one. Only what the store had not flushed may be forgotten.
 */
export class NumberLedger {
  flushed: Counts = { orderCount: 0, tradeCount: 0, payoutCount: 0, auctionCount: 0 }
  #seen: Counts = this.flushed
  /** What each number stands for, by kind and number. */
  readonly #flushedNames = new Map<string, string>()
  readonly #names = new Map<string, string>()

  /** Takes one event, in order. */
  take(type: number, seq: number, log: RecordViews, at: number): void {
    const { f64 } = log
    if (type === EventType.OrderUpdate) this.#takeOrder(log, at)
    else if (type === EventType.Fill) {
      const trade = f64[(at + fillTradeIdAt) >> 3]
      this.#seen = { ...this.#seen, tradeCount: Math.max(this.#seen.tradeCount, trade) }
      this.#note(`fill ${f64[(at + fillIdAt) >> 3]}`, `event ${seq}`)
    } else if (type === EventType.Payout) {
      const payout = f64[(at + payoutIdAt) >> 3]
      this.#seen = { ...this.#seen, payoutCount: Math.max(this.#seen.payoutCount, payout) }
      this.#note(`payout ${payout}`, `event ${seq}`)
    }
  }

  flush(): void {
    this.flushed = this.#seen
    for (const [number, name] of this.#names) this.#flushedNames.set(number, name)
    this.#names.clear()
  }

  /** A process has ended: what was not flushed is told again, or may be gone. */
  forgetUnflushed(): void {
    this.#seen = this.flushed
    this.#names.clear()
  }

  #takeOrder({ i32, f64 }: RecordViews, at: number): void {
    const facts = at + outcomeFactsAt
    const orderId = f64[(facts + factsOrderIdAt) >> 3]
    if (orderId === 0) return
    const count = Math.floor(orderId / underlyingsMax)
    this.#seen = { ...this.#seen, orderCount: Math.max(this.#seen.orderCount, count) }
    const instrument = i32[(facts + factsInstrumentAt) >> 2]
    this.#note(`order ${orderId}`, `${instrument} of ${f64[(facts + factsCreatedMillisAt) >> 3]}`)
  }

  #note(number: string, name: string): void {
    const known = this.#flushedNames.get(number) ?? this.#names.get(number) ?? name
    mustHold(known === name, () => `${number} is given out twice: ${known}, and ${name}`)
    this.#names.set(number, name)
  }
}
