import { type AnyEvent, EventType, FillEvent } from '../../../schemas/generated/events.js'
import { mustHold } from '../run/simulation-errors.js'

const fill = new FillEvent()

/**
 * Fees as a reader of the events sees them: no fill takes money out of the fee account. What its two sides pay is at
 * least what one of them is paid as a rebate, and what builders get.
 */
export class FeeLedger {
  /** Fills with a rebate so far. */
  rebates = 0
  #tradeId = 0
  /** What the maker's side of the trade has left the venue. */
  #makerMicros = 0

  /** Takes in one event, whatever it is: the maker's fill is told first, the taker's next. */
  take(event: AnyEvent): void {
    if (event.recordType !== EventType.Fill) return
    const { tradeId, feeMicros, builderFeeMicros, isTaker } = fill.of(event)
    const keptMicros = feeMicros - builderFeeMicros
    if (feeMicros < 0) this.rebates++
    if (isTaker === 0) {
      this.#tradeId = tradeId
      this.#makerMicros = keptMicros
      return
    }
    if (this.#tradeId !== tradeId) return
    const leftMicros = this.#makerMicros + keptMicros
    mustHold(leftMicros >= 0, () => `trade ${tradeId} takes ${-leftMicros} micros out of the fees`)
  }
}
