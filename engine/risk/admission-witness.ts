import type { MarginModelKind } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import type { Scenario } from '../pricing/scenarios.js'
import type { MarginBound } from './margin-model.js'

/** Every check between a signed order and its book, in the order in which they are made. */
export const AdmissionCheck = {
  Signer: 0,
  Account: 1,
  Nonce: 2,
  PerpTerms: 3,
  OpenOrders: 4,
  Positions: 5,
  Halt: 6,
  ReplacedOrder: 7,
  Instrument: 8,
  Route: 9,
  ClientId: 10,
  Protection: 11,
  ReduceOnly: 12,
  WalletLimits: 13,
  BookLimit: 14,
  Funds: 15,
  Tier: 16,
  Liquidation: 17,
  IndexPrice: 18,
  PriceBand: 19,
  Cash: 20,
  NakedShorts: 21,
  MarkPrice: 22,
  Margin: 23,
  /** The matcher's own: it knows what the batch has done to its book. */
  Book: 24,
} as const
export type AdmissionCheck = (typeof AdmissionCheck)[keyof typeof AdmissionCheck]

/** How numbers of a check are written. */
export type CheckUnit = 'micros' | 'lots' | 'count' | 'millis'

/** What a check compares: it holds while `has` is at least `needs`, and at most `limit`. */
export interface CheckNumbers {
  readonly unit: CheckUnit
  readonly has: number
  readonly needs?: number
  readonly limit?: number
  /** Whether it holds all the same, since the order reduces risk; only where somebody has asked. */
  readonly isExempt?: boolean
  readonly margin?: MarginFacts
}

/** What margin came to, micros, with the order working. */
export interface MarginFacts {
  readonly model: MarginModelKind
  /** Values of `InsufficientMargin`, in the order of its row in schemas/results.ts, whether it was refused or not. */
  readonly details: Float64Array
  readonly bound: MarginBound
  /** The worst scenario of the order's underlying, and the loss in it before its weight; null where the model has none. */
  readonly scenario: Scenario | null
  readonly lossMicros: number
  /** What `required` is made of, while the wallet has no exempt orders. */
  readonly underlyingMicros: number
  readonly otherUnderlyingsMicros: number
  readonly premiumMicros: number
  readonly slippageMicros: number
  readonly perpsMicros: number
  /** Of the portfolio model, over all underlyings. */
  readonly scanningMicros: number
  readonly floorMicros: number
  readonly overlayMicros: number
  /** States of the wallet's exempt orders: `required` is of the worst one. */
  readonly stateCount: number
}

/** Hears of each check of an order where it is made. Nothing of the hot path has one: it is for who asks why. */
export interface AdmissionWitness {
  /** @returns whether the checks end here: as the result says, unless the witness wants to hear of those behind it. */
  hears(check: AdmissionCheck, result: Result, numbers: CheckNumbers | null): boolean
}

/** Whether the checks of an order end with this one. */
export function endsAt(
  witness: AdmissionWitness | null,
  check: AdmissionCheck,
  result: Result,
): boolean {
  return witness === null ? result !== Result.Accepted : witness.hears(check, result, null)
}
