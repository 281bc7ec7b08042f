import type { MarginModelKind } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'

/** Indexes into `marginBounds` of schemas/results.ts. */
export const MarginBound = {
  Scenario: 0,
  ShortMinimum: 1,
  OptionFloor: 2,
  MaxLoss: 3,
  Premium: 4,
  Perp: 5,
  RiskReducingOrders: 6,
} as const
export type MarginBound = (typeof MarginBound)[keyof typeof MarginBound]

/**
 * View of a wallet's book: its positions, alone or with all working sells filled, and a change of one exposure's
 * position or working orders. Working buys of options cover nothing and are in no view. Working buys of perps are in
 * the view with sells, where each side is filled on its own.
 */
export class BookView {
  withSells = false
  /** Computes the maintenance margin of perps `withSells`, too; otherwise it is omitted. */
  withMaintenance = false
  exposure: number = none
  /** Added to the position of `exposure`. */
  positionLots = 0
  /** Added to its working sells. Like `buyLots`, counts only `withSells`. */
  sellLots = 0
  /** Added to the working buys of a perp. */
  buyLots = 0
}

/** Requirement of one bucket, or the sum over a wallet's buckets. */
export class Requirement {
  /** Under portfolio, only `combine` sets this and `mmMicros`. */
  imMicros = 0
  mmMicros = 0
  // Parts of the portfolio model, 0 elsewhere.
  scanningMicros = 0
  floorMicros = 0
  overlayMicros = 0
  /** Short contracts without cover, U of the short minimum; under defined_risk the naked ones. */
  uncoveredLots = 0
  /** Index of the worst scenario, -1 if the model has none; of one bucket only. */
  scenario: number = none
  /** Loss in the worst scenario before its weight; negative for a profit; of one bucket only. */
  lossMicros = 0
  /** Limit that determines the margin of one bucket. */
  bound: MarginBound = MarginBound.Scenario
}

/**
 * A margin model. It measures one bucket (a wallet's exposures in one underlying) at a time, because no model offsets
 * underlyings. `combine` turns the sums of all buckets into the wallet's requirement.
 */
export interface MarginModel {
  readonly kind: MarginModelKind
  /** Length of a row of risk arrays; 0 if the model has no scenarios and uses no marks. */
  readonly scenarioCount: number
  /** True if the requirement changes with time alone, so that it must not be cached. */
  readonly timed: boolean
  /** Returns the risk arrays of this model, row-major by instrument. Only the row of `instrument` is current. */
  deltasOf(instrument: number): Float64Array
  /** Writes the requirement of a bucket whose sums are current; sets all fields of `out`. */
  measure(bucket: number, view: BookView, out: Requirement): void
  /** Writes the combined requirement of one position alone; sets all fields of `out`. */
  measureAlone(exposure: number, out: Requirement): void
  /** Computes the wallet's initial and maintenance margin from the sums over its buckets, in place. */
  combine(sum: Requirement): void
}

export function clearRequirement(out: Requirement): void {
  out.imMicros = 0
  out.mmMicros = 0
  out.scanningMicros = 0
  out.floorMicros = 0
  out.overlayMicros = 0
  out.uncoveredLots = 0
  out.scenario = none
  out.lossMicros = 0
  out.bound = MarginBound.Scenario
}

/** Adds a bucket's amounts to its wallet's. */
export function addRequirement(bucket: Requirement, sum: Requirement): void {
  sum.imMicros += bucket.imMicros
  sum.mmMicros += bucket.mmMicros
  sum.scanningMicros += bucket.scanningMicros
  sum.floorMicros += bucket.floorMicros
  sum.overlayMicros += bucket.overlayMicros
  sum.uncoveredLots += bucket.uncoveredLots
}
