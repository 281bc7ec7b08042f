import { Right } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { lotsAt } from './expiry-groups.js'
import type { BookView } from './margin-model.js'
import type { RiskLedger } from './risk-ledger.js'

/** Returns the net lots of an exposure in a view, including the view's change. */
export function netLots(ledger: RiskLedger, view: BookView, exposure: number): number {
  const { positionLots, workingSellLots } = ledger.exposures
  let lots = positionLots[exposure]
  if (view.withSells) lots -= workingSellLots[exposure]
  if (exposure !== view.exposure) return lots
  return lots + view.positionLots - (view.withSells ? view.sellLots : 0)
}

/** Returns the net lots of an exposure without the view's change. */
function netLotsKept(ledger: RiskLedger, view: BookView, exposure: number): number {
  const { positionLots, workingSellLots } = ledger.exposures
  return view.withSells
    ? positionLots[exposure] - workingSellLots[exposure]
    : positionLots[exposure]
}

/** Returns the lots of a group that are net long (`short` 0) or net short (`short` 1) in a right, in a view. */
export function sideLots(
  ledger: RiskLedger,
  view: BookView,
  group: number,
  right: number,
  short: number,
): number {
  const lots = ledger.groups.lots[lotsAt(group, view.withSells, right) + short]
  if (changedGroup(ledger, view, right) !== group) return lots
  const changed = view.exposure
  const sign = short === 1 ? -1 : 1
  const before = Math.max(0, sign * netLotsKept(ledger, view, changed))
  return lots - before + Math.max(0, sign * netLots(ledger, view, changed))
}

/** Returns the group in which the view's change alters the lots of a right, or `none`. */
function changedGroup(ledger: RiskLedger, view: BookView, right: number): number {
  const { exposures, instruments } = ledger
  const { exposure } = view
  if (exposure === none) return none
  const isOfRight = instruments.right[exposures.instrument[exposure]] === right
  return isOfRight ? exposures.group[exposure] : none
}

/**
 * Returns the uncovered short lots of a bucket. From the latest expiry to the earliest, and separately for each right,
 * longs add to a pool and shorts take from it.
 */
export function uncoveredLots(ledger: RiskLedger, bucket: number, view: BookView): number {
  const { lots, nextInBucket } = ledger.groups
  const changed = view.exposure === none ? none : ledger.exposures.group[view.exposure]
  let callPool = 0
  let putPool = 0
  let uncovered = 0
  let group = ledger.buckets.firstGroup[bucket]
  for (; group !== none; group = nextInBucket[group]) {
    const isChanged = group === changed
    if (isChanged) readSides(ledger, view, group)
    const source = isChanged ? sides : lots
    const at = isChanged ? 0 : lotsAt(group, view.withSells, Right.Call)
    callPool += source[at] - source[at + 1]
    putPool += source[at + 2] - source[at + 3]
    if (callPool < 0) {
      uncovered -= callPool
      callPool = 0
    }
    if (putPool < 0) {
      uncovered -= putPool
      putPool = 0
    }
  }
  return uncovered
}

/** Long and short calls, then long and short puts, of a group in a view. */
const sides = new Float64Array(4)

function readSides(ledger: RiskLedger, view: BookView, group: number): void {
  sides[0] = sideLots(ledger, view, group, Right.Call, 0)
  sides[1] = sideLots(ledger, view, group, Right.Call, 1)
  sides[2] = sideLots(ledger, view, group, Right.Put, 0)
  sides[3] = sideLots(ledger, view, group, Right.Put, 1)
}
