import { Side } from '../../schemas/domain.js'
import { none } from '../core/orders.js'
import { isMarked, markOf } from './mark-view.js'
import { moveValues, slippageReserveMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'

/** Whether the sums over marks of a bucket belong to the current marks. */
export function isFresh(ledger: RiskLedger, bucket: number): boolean {
  const { buckets, markVersion } = ledger
  return buckets.version[bucket] === markVersion[buckets.underlying[bucket]]
}

/** Computes the sums over marks of a stale bucket anew. */
export function freshen(ledger: RiskLedger, bucket: number): void {
  if (isFresh(ledger, bucket)) return
  const { buckets, groups, exposures, marks, markVersion } = ledger
  buckets.clearSums(bucket)
  buckets.version[bucket] = markVersion[buckets.underlying[bucket]]
  let group = buckets.firstGroup[bucket]
  for (; group !== none; group = groups.nextInBucket[group]) {
    let exposure = groups.firstExposure[group]
    for (; exposure !== none; exposure = exposures.nextInGroup[exposure]) {
      addPosition(ledger, bucket, exposure)
      if (isMarked(marks, exposures.instrument[exposure])) addSells(ledger, bucket, exposure)
      buckets.slippageMicros[bucket] += slippageOf(ledger, exposure)
    }
  }
}

/** Sets the position of an exposure and moves all sums that it is part of. */
export function setPosition(ledger: RiskLedger, exposure: number, positionLots: number): void {
  const { exposures, groups, instruments } = ledger
  const right = instruments.right[exposures.instrument[exposure]]
  const sells = exposures.workingSellLots[exposure]
  const before = exposures.positionLots[exposure]
  ledger.changed.add(exposures.account[exposure])
  groups.moveNet(exposures.group[exposure], false, right, before, positionLots)
  const bucket = moveNetWithSells(ledger, exposure, before - sells, positionLots - sells)
  if (isMoved(ledger, bucket, exposure, exposures.positionLots, positionLots)) {
    movePosition(ledger, bucket, exposure)
  }
}

/** Sets the working sells of an exposure and moves all sums that they are part of. */
export function setWorkingSells(ledger: RiskLedger, exposure: number, sellLots: number): void {
  const { exposures } = ledger
  const position = exposures.positionLots[exposure]
  const before = exposures.workingSellLots[exposure]
  const bucket = moveNetWithSells(ledger, exposure, position - before, position - sellLots)
  if (isMoved(ledger, bucket, exposure, exposures.workingSellLots, sellLots)) {
    moveSells(ledger, bucket, exposure)
  }
}

/** Lots before and after, for the loops of `moveValues`. */
const moved = new Float64Array(2)

/**
 * Sets the lots of an exposure in one column; without a mark it counts itself.
 * @param bucket `none` while the sums over marks are stale.
 * @returns whether sums over marks have to go from the first of `moved` to the second.
 */
function isMoved(
  ledger: RiskLedger,
  bucket: number,
  exposure: number,
  column: Float64Array,
  lots: number,
): boolean {
  moved[0] = column[exposure]
  moved[1] = lots
  const isCounted =
    bucket !== none && !isMarked(ledger.marks, ledger.exposures.instrument[exposure])
  if (isCounted) countUnmarked(ledger, bucket, exposure, -1)
  column[exposure] = lots
  if (isCounted) countUnmarked(ledger, bucket, exposure, 1)
  return bucket !== none && !isCounted
}

/** Moves the sums over marks from the position before to that after, of an exposure with a mark. */
function movePosition(ledger: RiskLedger, bucket: number, exposure: number): void {
  const { buckets, exposures, marks } = ledger
  const instrument = exposures.instrument[exposure]
  moveValues(buckets.valueMicros, bucket, marks.markMicros, instrument, 1, moved, false)
  const model = ledger.modelOf(exposures.account[exposure])
  const count = model.scenarioCount
  const from = buckets.scenariosAt(bucket)
  moveValues(buckets.positionPnl, from, model.deltas(), instrument * count, count, moved, false)
}

/** The same for working sells, which count in the scenarios where the instrument rises. */
function moveSells(ledger: RiskLedger, bucket: number, exposure: number): void {
  const { buckets, exposures } = ledger
  const model = ledger.modelOf(exposures.account[exposure])
  const count = model.scenarioCount
  const at = exposures.instrument[exposure] * count
  const from = buckets.scenariosAt(bucket)
  moveValues(buckets.sellLoss, from, model.deltas(), at, count, moved, true)
}

/** Whether an exposure counts in `unmarkedShorts`, its working sells taken as given. */
export function isUnmarkedShort(ledger: RiskLedger, exposure: number, sellLots: number): boolean {
  const { exposures, marks } = ledger
  if (exposures.positionLots[exposure] - sellLots >= 0) return false
  return !isMarked(marks, exposures.instrument[exposure])
}

/**
 * Moves what an exposure comes to with its working sells filled; what was kept of its group and bucket is void.
 * @returns its bucket while the sums over marks are current, and to be moved along; else `none`.
 */
function moveNetWithSells(
  ledger: RiskLedger,
  exposure: number,
  before: number,
  after: number,
): number {
  const { buckets, exposures, groups, instruments } = ledger
  const group = exposures.group[exposure]
  const bucket = groups.bucket[group]
  groups.moveNet(group, true, instruments.right[exposures.instrument[exposure]], before, after)
  groups.lossKnown[group] = 0
  buckets.kept[bucket] = 0
  return isFresh(ledger, bucket) ? bucket : none
}

// Contributions are rounded half-even each; sums of them are exact (section 0). Without a mark an
// exposure counts 0 (section 1), its risk array too; only that it is short is noted, with either of
// its parts.

/** Adds what a position contributes to the sums over marks. */
function addPosition(ledger: RiskLedger, bucket: number, exposure: number): void {
  const { exposures, marks } = ledger
  const instrument = exposures.instrument[exposure]
  if (!isMarked(marks, instrument)) {
    countUnmarked(ledger, bucket, exposure, 1)
    return
  }
  moved[0] = 0
  moved[1] = exposures.positionLots[exposure]
  movePosition(ledger, bucket, exposure)
}

/** The same for working sells. */
function addSells(ledger: RiskLedger, bucket: number, exposure: number): void {
  const { exposures, marks } = ledger
  const instrument = exposures.instrument[exposure]
  if (!isMarked(marks, instrument)) {
    countUnmarked(ledger, bucket, exposure, 1)
    return
  }
  moved[0] = 0
  moved[1] = exposures.workingSellLots[exposure]
  moveSells(ledger, bucket, exposure)
}

function countUnmarked(ledger: RiskLedger, bucket: number, exposure: number, sign: number): void {
  const sells = ledger.exposures.workingSellLots[exposure]
  if (isUnmarkedShort(ledger, exposure, sells)) ledger.buckets.unmarkedShorts[bucket] += sign
}

function slippageOf(ledger: RiskLedger, exposure: number): number {
  const { exposures, orders, marks } = ledger
  if (exposures.workingSellLots[exposure] === 0) return 0
  const markMicros = markOf(marks, exposures.instrument[exposure])
  let micros = 0
  let slot = exposures.firstOrder[exposure]
  for (; slot !== none; slot = orders.nextInExposure[slot]) {
    if (orders.side[slot] !== Side.Sell) continue
    micros += slippageReserveMicros(markMicros, orders.priceMicros[slot], orders.openLots[slot])
  }
  return micros
}
