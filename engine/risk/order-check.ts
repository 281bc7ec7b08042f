import { detailsCount } from '../../schemas/bounds.js'
import { type MarginMode, Side } from '../../schemas/domain.js'
import type { AdmissionTrace } from './admission-trace.js'

/** New orders that a wallet may send, by its liquidation phase. */
export const LiquidationGate = { Open: 0, ReducingOnly: 1, Closed: 2 } as const

/** An order to check. Callers reuse one object. */
export class OrderCheck {
  account = 0
  instrument = 0
  side: number = Side.Buy
  sizeLots = 0
  priceMicros = 0
  /** Slot of the working order of the same account and instrument that this one replaces, or -1. */
  replacedSlot = -1
  /**
   * True if the order starts at once when it is accepted: the exposure row that the check added is then kept for it.
   */
  starts = false
  /** `LiquidationGate` of the wallet. */
  liquidation: number = LiquidationGate.Open
  /** Receives each check; null without a trace. */
  trace: AdmissionTrace | null = null
}

/** A leg of a combo, as one of its two wallets trades it. */
export interface ComboLegTerms {
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
  readonly priceMicros: number
  /** Payment for the whole leg, the same for both wallets. */
  readonly cashMicros: number
  readonly feeMicros: number
}

/** Trades of one wallet that are checked as one: all execute in one step, or none. */
export interface ComboCheck {
  readonly account: number
  /** Legs with distinct instruments of one underlying, without perps. */
  readonly legs: readonly ComboLegTerms[]
  /** `LiquidationGate` of the wallet. */
  readonly liquidation: number
  /** Maximum number of positions of the wallet; negative for no limit. */
  readonly positionsMax: number
}

/** Verdict of a check. Callers reuse one object; each check overwrites it. */
export class MarginVerdict {
  /** True if an accepted order passed below initial margin because it reduces risk. */
  reducesRisk = false
  /** Values for the text of a rejection, in the order of the result's row in schemas/results.ts. */
  readonly details = new Float64Array(detailsCount)

  clear(): void {
    this.reducesRisk = false
    for (let i = 0; i < detailsCount; i++) this.details[i] = 0
  }
}

/** One wallet's side of a fill. Callers reuse one object. */
export class FillTerms {
  account = 0
  instrument = 0
  side: number = Side.Buy
  sizeLots = 0
  priceMicros = 0
  /** Price × size, half-even, the same for both sides of the fill. */
  premiumMicros = 0
  /** Fee to pay, negative for a rebate. Part of cash, not of realized profit. */
  feeMicros = 0
  /** Part of the fee that the builder receives. */
  builderFeeMicros = 0
}

/** Returns the terms of a fill that does not come from an order; omitted fields are 0. */
export function fillTerms(terms: Partial<FillTerms>): FillTerms {
  return Object.assign(new FillTerms(), terms)
}

/** Effect of a fill on one wallet; all values are those after the fill. */
export class FillEffect {
  /** Profit or loss that this fill realized, without its fee. */
  realizedMicros = 0
  /** Fee from the terms of the fill, as is `builderFeeMicros`. */
  feeMicros = 0
  builderFeeMicros = 0
  positionLots = 0
  /** Signed like the position: what a long paid, or minus what a short received. */
  costMicros = 0
  cashMicros = 0
  /** Realized profit of the position so far. A closed position loses it unless a working order keeps its exposure. */
  positionRealizedMicros = 0
}

/** Margin of a wallet as clients see it, in micros. */
export class MarginSummary {
  mode: MarginMode = 0
  model = 0
  cash = 0
  equity = 0
  positionIm = 0
  positionMm = 0
  /** Part of `positionIm` from perps; 0 under portfolio. */
  perpIm = 0
  openOrdersIm = 0
  premiumReserved = 0
  available = 0
  totalMarginUsed = 0
  scanningRisk = 0
  optionFloor = 0
  gammaOverlay = 0
  /**
   * Equity less initial margin and reserves in the worst fill state of the risk-reducing orders. Admission compares it
   * with 0.
   */
  worstSlack = 0
  withdrawable = 0
  unrealized = 0
}

/** Initial and maintenance margin of one position alone, in micros. */
export class PositionMargin {
  imMicros = 0
  mmMicros = 0
}

/** Margin that a wallet uses, as in `MarginSummary.totalMarginUsed`. */
export class MarginInUse {
  micros = 0
}

/** Amounts that the continuous liquidation check compares, in micros. */
export class MaintenanceMargin {
  equityMicros = 0
  requiredMicros = 0
}
