import { type AnyEvent, EventType, FillEvent } from '../../../schemas/generated/events.js'
import { mustHold } from '../run/simulation-errors.js'

const fill = new FillEvent()

/**
 * Checks fees, from the events alone: no fill takes money out of the fee account. Both sides' fees together cover a
 * rebate and the builders' fees.
 */
export class FeeLedger {
  /** Fills with a rebate so far. */
  rebates = 0
  #tradeId = 0
  /** Amount that the maker's side of the trade has left the venue. */
  #makerMicros = 0

  /** Handles any event: a trade's maker fill comes before its taker fill. */
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
