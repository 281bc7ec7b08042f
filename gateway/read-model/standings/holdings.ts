import { mulDivHalfEven } from '../../../engine/risk/money.js'

/** Position of a wallet in an instrument, as a competition values it. */
export interface Holding {
  readonly row: number
  readonly instrument: number
  /** Signed. */
  lots: number
  /** Cost at the prices that count, signed like the position. */
  costMicros: number
  /** Cost at the prices that were paid. */
  paidMicros: number
}

/** Upper bound of rows and instruments, so that both fit into one number. */
const instrumentsBound = 2 ** 26

/** Open positions by participant and instrument, without closed ones. */
export class Holdings {
  readonly #byKey = new Map<number, Holding>()

  get all(): Iterable<Holding> {
    return this.#byKey.values()
  }

  find(row: number, instrument: number): Holding | null {
    return this.#byKey.get(keyOf(row, instrument)) ?? null
  }

  set(holding: Holding): void {
    const key = keyOf(holding.row, holding.instrument)
    if (holding.lots === 0) this.#byKey.delete(key)
    else this.#byKey.set(key, holding)
  }

  clear(): void {
    this.#byKey.clear()
  }
}

/**
 * Trades into a position like the engine: closes first, at the closed part's share of cost and premium, then opens with
 * the rest.
 * @param lots Signed, negative for a sale. @param premiumMicros Total premium, not negative.
 * @returns The realized profit, micros.
 */
export function tradeInto(holding: Holding, lots: number, premiumMicros: number): number {
  const flow = lots > 0 ? -premiumMicros : premiumMicros
  const opposite = lots > 0 ? -holding.lots : holding.lots
  const size = Math.abs(lots)
  const closed = opposite > 0 ? Math.min(opposite, size) : 0
  const closedCost = closed === 0 ? 0 : shareOf(holding.costMicros, closed, opposite)
  const closedFlow = closed === 0 ? 0 : shareOf(flow, closed, size)
  holding.lots += lots
  holding.costMicros += -closedCost - (flow - closedFlow)
  return closedFlow - closedCost
}

function shareOf(micros: number, part: number, whole: number): number {
  return part === whole ? micros : mulDivHalfEven(micros, part, whole)
}

function keyOf(row: number, instrument: number): number {
  return row * instrumentsBound + instrument
}
