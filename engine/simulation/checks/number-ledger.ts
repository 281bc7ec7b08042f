import { underlyingsMax } from '../../../schemas/bounds.js'
import {
  type AnyEvent,
  EventType,
  FillEvent,
  OutcomeEvent,
  PayoutEvent,
} from '../../../schemas/generated/events.js'
import { mustHold } from '../simulation-errors.js'

const update = new OutcomeEvent()
const fill = new FillEvent()
const payout = new PayoutEvent()

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
  take(event: AnyEvent): void {
    const { recordType, seq } = event
    if (recordType === EventType.OrderUpdate) this.#takeOrder(update.of(event))
    else if (recordType === EventType.Fill) {
      const { tradeId, fillId } = fill.of(event)
      this.#seen = { ...this.#seen, tradeCount: Math.max(this.#seen.tradeCount, tradeId) }
      this.#note(`fill ${fillId}`, `event ${seq}`)
    } else if (recordType === EventType.Payout) {
      const { payoutId } = payout.of(event)
      this.#seen = { ...this.#seen, payoutCount: Math.max(this.#seen.payoutCount, payoutId) }
      this.#note(`payout ${payoutId}`, `event ${seq}`)
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

  #takeOrder({ facts }: OutcomeEvent): void {
    const { orderId, instrument, createdMillis } = facts
    if (orderId === 0) return
    const count = Math.floor(orderId / underlyingsMax)
    this.#seen = { ...this.#seen, orderCount: Math.max(this.#seen.orderCount, count) }
    this.#note(`order ${orderId}`, `${instrument} of ${createdMillis}`)
  }

  #note(number: string, name: string): void {
    const known = this.#flushedNames.get(number) ?? this.#names.get(number) ?? name
    mustHold(known === name, () => `${number} is given out twice: ${known}, and ${name}`)
    this.#names.set(number, name)
  }
}
