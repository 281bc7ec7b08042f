import type { MarginModelKind } from '../../schemas/domain.js'
import { Result } from '../../schemas/results.js'
import type { Scenario } from '../pricing/scenarios.js'
import type { MarginBound } from './margin-model.js'

/** All checks between the signature of an order and its book, in the order in which they run. */
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
  /** Made by the matcher, which knows the changes of the batch to its book. */
  Book: 24,
} as const
export type AdmissionCheck = (typeof AdmissionCheck)[keyof typeof AdmissionCheck]

/** Unit of the numbers of a check. */
export type CheckUnit = 'micros' | 'lots' | 'count' | 'millis'

/** Numbers that a check compares. It passes if `has` is at least `needs` and at most `limit`. */
export interface CheckNumbers {
  readonly unit: CheckUnit
  readonly has: number
  readonly needs?: number
  readonly limit?: number
  /** True if a failed check passes because the order reduces risk. Set only if the rule was evaluated. */
  readonly reducesRisk?: boolean
  readonly margin?: MarginFacts
}

/** Margin with the order working, in micros. */
export interface MarginFacts {
  readonly model: MarginModelKind
  /** Details of `InsufficientMargin`, in the order of its row in schemas/results.ts. Set even if the order passes. */
  readonly details: Float64Array
  readonly bound: MarginBound
  /**
   * Worst scenario of the order's underlying; null if the model has no scenarios. `lossMicros` is its loss before the
   * weight.
   */
  readonly scenario: Scenario | null
  readonly lossMicros: number
  /** Parts of `required`, if the wallet has no risk-reducing orders. */
  readonly underlyingMicros: number
  readonly otherUnderlyingsMicros: number
  readonly premiumMicros: number
  readonly slippageMicros: number
  readonly perpsMicros: number
  /** Sum over all underlyings, in the portfolio model. */
  readonly scanningMicros: number
  readonly floorMicros: number
  readonly overlayMicros: number
  /** Number of fill states of the wallet's risk-reducing orders. `required` is that of the worst state. */
  readonly stateCount: number
}

/** Receives each check of an order as it is made. Only order traces set one; the hot path has none. */
export interface AdmissionTrace {
  /**
   * @returns true if the checks end here with this result. A trace may return false to see the checks after a failure.
   */
  onCheck(check: AdmissionCheck, result: Result, numbers: CheckNumbers | null): boolean
}

/** Returns true if the checks of an order end with this one. */
export function endsAt(
  trace: AdmissionTrace | null,
  check: AdmissionCheck,
  result: Result,
): boolean {
  return trace === null ? result !== Result.Accepted : trace.onCheck(check, result, null)
}
