import {
  fillBuilderFeeMicrosAt,
  fillFeeMicrosAt,
  fillIsTakerAt,
  fillTradeIdAt,
} from '../../../schemas/events.js'
import { EventType } from '../../../schemas/generated/events.js'
import type { RecordViews } from '../../../schemas/record-views.js'
import { mustHold } from '../simulation-errors.js'

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
  take({ f64, i32 }: RecordViews, type: number, at: number): void {
    if (type !== EventType.Fill) return
    const tradeId = f64[(at + fillTradeIdAt) >> 3]
    const feeMicros = f64[(at + fillFeeMicrosAt) >> 3]
    const keptMicros = feeMicros - f64[(at + fillBuilderFeeMicrosAt) >> 3]
    if (feeMicros < 0) this.rebates++
    if (i32[(at + fillIsTakerAt) >> 2] === 0) {
      this.#tradeId = tradeId
      this.#makerMicros = keptMicros
      return
    }
    if (this.#tradeId !== tradeId) return
    const leftMicros = this.#makerMicros + keptMicros
    mustHold(leftMicros >= 0, () => `trade ${tradeId} takes ${-leftMicros} micros out of the fees`)
  }
}
