import { underlyingsMax } from '../../../schemas/bounds.js'
import {
  type AnyEvent,
  EventType,
  FillEvent,
  OutcomeEvent,
  PayoutEvent,
} from '../../../schemas/generated/events.js'
import { mustHold } from '../run/simulation-errors.js'

const update = new OutcomeEvent()
const fill = new FillEvent()
const payout = new PayoutEvent()

/** Latest number of each kind. */
const noCounts = { orderCount: 0, tradeCount: 0, payoutCount: 0, auctionCount: 0 }
type Counts = typeof noCounts

/**
 * Checks numbers, as a history store sees them: no number is ever given twice, not even when the journal has lost the
 * first use. Only what the store had not flushed may be forgotten.
 */
export class NumberLedger {
  flushed: Readonly<Counts> = noCounts
  #seen: Counts = { ...noCounts }
  /** Meaning of each number, by kind and number. */
  readonly #flushedNames = new Map<string, string>()
  readonly #names = new Map<string, string>()

  /** Handles events in order. */
  take(event: AnyEvent): void {
    const { recordType, seq } = event
    if (recordType === EventType.OrderUpdate) {
      const { orderId, instrument, createdMillis } = update.of(event).facts
      if (orderId === 0) return
      this.#count('orderCount', Math.floor(orderId / underlyingsMax))
      this.#note(`order ${orderId}`, `${instrument} of ${createdMillis}`)
    } else if (recordType === EventType.Fill) {
      const { tradeId, fillId } = fill.of(event)
      this.#count('tradeCount', tradeId)
      this.#note(`fill ${fillId}`, `event ${seq}`)
    } else if (recordType === EventType.Payout) {
      const { payoutId } = payout.of(event)
      this.#count('payoutCount', payoutId)
      this.#note(`payout ${payoutId}`, `event ${seq}`)
    }
  }

  flush(): void {
    this.flushed = { ...this.#seen }
    for (const [number, name] of this.#names) this.#flushedNames.set(number, name)
    this.#names.clear()
  }

  /** Drops unflushed state after a process has ended: it comes again, or may be gone. */
  forgetUnflushed(): void {
    this.#seen = { ...this.flushed }
    this.#names.clear()
  }

  #count(kind: keyof Counts, number: number): void {
    this.#seen[kind] = Math.max(this.#seen[kind], number)
  }

  #note(number: string, name: string): void {
    const known = this.#flushedNames.get(number) ?? this.#names.get(number) ?? name
    mustHold(known === name, () => `${number} is given out twice: ${known}, and ${name}`)
    this.#names.set(number, name)
  }
}
