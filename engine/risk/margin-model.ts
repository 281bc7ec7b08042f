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
  ExemptOrders: 6,
} as const
export type MarginBound = (typeof MarginBound)[keyof typeof MarginBound]

/**
 * A view of a wallet's book: positions alone or with all working sells filled, and one exposure
 * whose position or working orders are taken to be other than they are. Working buys of options
 * cover nothing and are in no view; those of perps are in the one with sells, either side filled
 * for itself.
 */
export class BookView {
  withSells = false
  /** Whether maintenance margin is asked for `withSells`, too: of perps it is left out else. */
  withMaintenance = false
  exposure: number = none
  /** Added to the position of `exposure`. */
  positionLots = 0
  /** Added to its working sells; counts only `withSells`, like the next. */
  sellLots = 0
  /** Added to the working buys of a perp. */
  buyLots = 0
}

/** Requirement of one bucket, or the sum over a wallet's buckets. */
export class Requirement {
  /** Under portfolio set by `combine` alone, like `mmMicros`. */
  imMicros = 0
  mmMicros = 0
  // Parts of the portfolio model, 0 elsewhere.
  scanningMicros = 0
  floorMicros = 0
  overlayMicros = 0
  /** Short contracts that nothing covers, U of the short minimum; under defined_risk the naked ones. */
  uncoveredLots = 0
  /** Index of the worst scenario, -1 where the model has none; of one bucket only. */
  scenario: number = none
  /** What is lost by it, before its weight; below 0 a profit; of one bucket only. */
  lossMicros = 0
  /** Of one bucket only. */
  bound: MarginBound = MarginBound.Scenario
}

/**
 * A margin model. It judges a bucket (a wallet's exposures in one underlying) at a time, because no
 * model offsets underlyings; `combine` turns the sums of all buckets into the wallet's requirement.
 */
export interface MarginModel {
  readonly kind: MarginModelKind
  /** Length of a row of risk arrays; 0: the model has no scenarios and no use for marks. */
  readonly scenarioCount: number
  /** Whether the requirement moves with the clock alone, so that nobody may keep it. */
  readonly timed: boolean
  /** Risk arrays of this model, row-major by instrument, of which that of `instrument` is current. */
  deltasOf(instrument: number): Float64Array
  /** Requirement of a bucket whose sums are fresh; all fields of `out` are set. */
  measure(bucket: number, view: BookView, out: Requirement): void
  /** Requirement of one position alone, all fields of `out` set, combined already. */
  measureAlone(exposure: number, out: Requirement): void
  /** Wallet: initial and maintenance margin out of the sums over its buckets, in place. */
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

/** Adds the amounts of a bucket to those of its wallet. */
export function addRequirement(bucket: Requirement, sum: Requirement): void {
  sum.imMicros += bucket.imMicros
  sum.mmMicros += bucket.mmMicros
  sum.scanningMicros += bucket.scanningMicros
  sum.floorMicros += bucket.floorMicros
  sum.overlayMicros += bucket.overlayMicros
  sum.uncoveredLots += bucket.uncoveredLots
}
