import { detailsCount } from '../../schemas/bounds.js'
import { type MarginMode, Side } from '../../schemas/domain.js'
import type { AdmissionWitness } from './admission-witness.js'

/** Which new orders a wallet may send, by its place in liquidation. */
export const LiquidationGate = { Open: 0, ReducingOnly: 1, Closed: 2 } as const

/** An order to be judged; the caller keeps one and fills it again and again. */
export class OrderCheck {
  account = 0
  instrument = 0
  side: number = Side.Buy
  sizeLots = 0
  priceMicros = 0
  /** Slot of the working order of the same account and instrument that gives way, or -1. */
  replacedSlot = -1
  /**
   * Whether the order starts at once when it is accepted: the row that its exposure is lent for the
   * check then stays for it.
   */
  starts = false
  /** What liquidation leaves the wallet. */
  liquidation: number = LiquidationGate.Open
  /** Who hears of each check; null: nobody. */
  witness: AdmissionWitness | null = null
}

/** A leg of a package, as one of its two wallets trades it. */
export interface PackageLeg {
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
  readonly priceMicros: number
  /** What is paid for all of it, the same for both wallets. */
  readonly cashMicros: number
  readonly feeMicros: number
}

/** Trades of one wallet that are judged as one: all of them happen in one step, or none. */
export interface PackageCheck {
  readonly account: number
  /** Of distinct instruments of one underlying, no perps. */
  readonly legs: readonly PackageLeg[]
  /** What liquidation leaves the wallet. */
  readonly liquidation: number
  /** Most positions that the wallet may have; below 0: any number. */
  readonly positionsMax: number
}

/** What became of an order that was checked; the caller keeps one, and each check fills it anew. */
export class MarginVerdict {
  /** Of an accepted order: it passed below initial margin, and works as exempt. */
  isExempt = false
  /** Of a refused one: the values that the result's text names, in the order of its row in schemas/results.ts. */
  readonly details = new Float64Array(detailsCount)

  clear(): void {
    this.isExempt = false
    for (let i = 0; i < detailsCount; i++) this.details[i] = 0
  }
}

/** One wallet's side of a fill; the caller keeps one and fills it again and again. */
export class FillTerms {
  account = 0
  instrument = 0
  side: number = Side.Buy
  sizeLots = 0
  priceMicros = 0
  /** Price × size, half-even, the same for both sides of the fill. */
  premiumMicros = 0
  /** To pay, negative for a rebate; part of cash, not of realized profit. */
  feeMicros = 0
  /** Part of the fee that is not the venue's but the builder's. */
  builderFeeMicros = 0
}

/** Terms of a fill outside of the path of an order; what is not said is 0. */
export function fillTerms(terms: Partial<FillTerms>): FillTerms {
  return Object.assign(new FillTerms(), terms)
}

/** What a fill did to one wallet; all values are those after the fill. */
export class FillEffect {
  /** Profit or loss that this fill realized, without its fee. */
  realizedMicros = 0
  /** As in the terms, like the builder's part. */
  feeMicros = 0
  builderFeeMicros = 0
  positionLots = 0
  /** Signed like the position: what a long paid, minus what a short received. */
  costMicros = 0
  cashMicros = 0
  /** Of the position so far; one that is closed forgets it unless a working order keeps its place. */
  positionRealizedMicros = 0
}

/** Margin of a wallet as clients read it, micros. */
export class MarginSummary {
  mode: MarginMode = 0
  model = 0
  cash = 0
  equity = 0
  positionIm = 0
  positionMm = 0
  /** Part of `positionIm` that is of perps; 0 under portfolio. */
  perpIm = 0
  openOrdersIm = 0
  premiumReserved = 0
  available = 0
  totalMarginUsed = 0
  scanningRisk = 0
  optionFloor = 0
  gammaOverlay = 0
  /** Equity less initial margin and reserves in the worst state of the exempt orders: what admission compares with 0. */
  worstSlack = 0
  withdrawable = 0
  unrealized = 0
}

/** Initial and maintenance margin of one position alone, micros. */
export class PositionMargin {
  imMicros = 0
  mmMicros = 0
}

/** What of a wallet's equity is bound, as `MarginSummary.totalMarginUsed` has it. */
export class MarginInUse {
  micros = 0
}

/** What the continuous check compares, micros. */
export class MaintenanceMargin {
  equityMicros = 0
  requiredMicros = 0
}
