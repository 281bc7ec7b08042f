import { assert } from '../../schemas/assert.js'
import { MarginModelKind, OrderFlag, Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { isMarked, markOf } from './mark-view.js'
import { moveValues, Part, SizeMove, slippageReserveMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'

/** Returns true if a bucket's mark-dependent sums belong to the current marks. */
export function isFresh(ledger: RiskLedger, bucket: number): boolean {
  const { buckets, markVersion } = ledger
  return buckets.version[bucket] === markVersion[buckets.underlying[bucket]]
}

/** Recomputes the mark-dependent sums of a stale bucket. */
export function refreshSums(ledger: RiskLedger, bucket: number): void {
  if (isFresh(ledger, bucket)) return
  const { buckets, groups, exposures, marks, markVersion } = ledger
  buckets.clearSums(bucket)
  buckets.version[bucket] = markVersion[buckets.underlying[bucket]]
  let group = buckets.firstGroup[bucket]
  for (; group !== none; group = groups.nextInBucket[group]) {
    let exposure = groups.firstExposure[group]
    for (; exposure !== none; exposure = exposures.nextInGroup[exposure]) {
      addPosition(ledger, bucket, exposure)
      if (isMarked(marks, exposures.instrument[exposure])) addWorking(ledger, bucket, exposure)
    }
  }
}

/** Sets the position of an exposure and updates all sums that include it. */
export function setPosition(ledger: RiskLedger, exposure: number, positionLots: number): void {
  ledger.changed.add(ledger.exposures.account[exposure])
  supposePosition(ledger, exposure, positionLots)
}

/**
 * Like `setPosition`, for a trial position. The caller restores the old one before anything else reads the exposure.
 */
export function supposePosition(ledger: RiskLedger, exposure: number, positionLots: number): void {
  const { exposures, groups, instruments } = ledger
  const right = instruments.right[exposures.instrument[exposure]]
  const sells = exposures.workingSellLots[exposure]
  const before = exposures.positionLots[exposure]
  groups.moveNet(exposures.group[exposure], false, right, before, positionLots)
  const bucket = moveNetWithSells(ledger, exposure, before - sells, positionLots - sells)
  if (isMoved(ledger, bucket, exposure, exposures.positionLots, positionLots)) {
    movePosition(ledger, bucket, exposure)
  }
}

/** Sets the working buys of an exposure. Only those of a perp are part of mark-dependent sums. */
export function setWorkingBuys(ledger: RiskLedger, exposure: number, buyLots: number): void {
  assert(buyLots >= 0, 'risk: working buy lots are not negative')
  const { buckets, exposures } = ledger
  if (!ledger.isPerp(exposure)) {
    exposures.workingBuyLots[exposure] = buyLots
    return
  }
  const bucket = ledger.bucketOf(exposure)
  buckets.kept[bucket] = 0
  const fresh = isFresh(ledger, bucket) ? bucket : none
  if (isMoved(ledger, fresh, exposure, exposures.workingBuyLots, buyLots)) {
    moveWorking(ledger, bucket, exposure, Part.Losses)
  }
}

/** Sets the working sells of an exposure and updates all sums that include them. */
export function setWorkingSells(ledger: RiskLedger, exposure: number, sellLots: number): void {
  assert(sellLots >= 0, 'risk: working sell lots are not negative')
  const { exposures } = ledger
  const position = exposures.positionLots[exposure]
  const before = exposures.workingSellLots[exposure]
  const bucket = moveNetWithSells(ledger, exposure, position - before, position - sellLots)
  if (isMoved(ledger, bucket, exposure, exposures.workingSellLots, sellLots)) {
    moveWorking(ledger, bucket, exposure, Part.Gains)
  }
}

/** Lots before and after the change; operand of `moveValues`. */
const moved = new SizeMove()

/**
 * Sets the lots of an exposure in one column. An exposure without a mark updates the count of unmarked shorts itself.
 * @param bucket `none` while the mark-dependent sums are stale.
 * @returns true if the mark-dependent sums must move from `moved.before` to `moved.after`.
 */
function isMoved(
  ledger: RiskLedger,
  bucket: number,
  exposure: number,
  column: Float64Array,
  lots: number,
): boolean {
  moved.before = column[exposure]
  moved.after = lots
  const isCounted =
    bucket !== none && !isMarked(ledger.marks, ledger.exposures.instrument[exposure])
  if (isCounted) countUnmarked(ledger, bucket, exposure, -1)
  column[exposure] = lots
  if (isCounted) countUnmarked(ledger, bucket, exposure, 1)
  return bucket !== none && !isCounted
}

/** Moves the mark-dependent sums from the old position of an exposure to the new one. The instrument has a mark. */
function movePosition(ledger: RiskLedger, bucket: number, exposure: number): void {
  const { buckets, exposures, marks } = ledger
  const instrument = exposures.instrument[exposure]
  moved.part = Part.All
  if (!ledger.instruments.isPerp(instrument)) {
    moveValues(buckets.valueMicros, bucket, marks.markMicros, instrument, 1, moved)
  }
  const model = ledger.modelOf(exposures.account[exposure])
  const count = model.scenarioCount
  const from = buckets.scenariosAt(bucket)
  const deltas = model.deltasOf(instrument)
  moveValues(buckets.positionPnl, from, deltas, instrument * count, count, moved)
}

/**
 * Like `movePosition`, for working orders. Sells count in scenarios in which the instrument rises, buys where it falls.
 */
function moveWorking(ledger: RiskLedger, bucket: number, exposure: number, part: Part): void {
  const { buckets, exposures } = ledger
  const model = ledger.modelOf(exposures.account[exposure])
  const count = model.scenarioCount
  const instrument = exposures.instrument[exposure]
  const from = buckets.scenariosAt(bucket)
  moved.part = part
  const deltas = model.deltasOf(instrument)
  moveValues(buckets.sellLoss, from, deltas, instrument * count, count, moved)
}

/**
 * Returns true if an exposure counts in `unmarkedShorts` with the given working orders. Under `defined_risk`, options
 * need no mark, but perps do.
 */
export function isUnmarkedShort(
  ledger: RiskLedger,
  exposure: number,
  sellLots: number,
  buyLots: number,
): boolean {
  const { exposures, marks, modelKind } = ledger
  if (isMarked(marks, exposures.instrument[exposure])) return false
  const position = exposures.positionLots[exposure]
  // Either side of a perp can lose more than was paid for it.
  if (ledger.isPerp(exposure)) return position !== 0 || sellLots !== 0 || buyLots !== 0
  const isMeasured = modelKind[exposures.account[exposure]] !== MarginModelKind.DefinedRisk
  return isMeasured && position - sellLots < 0
}

/**
 * Moves the net lots of an exposure with its working sells filled, and invalidates the cached values of its group and
 * bucket.
 * @returns the bucket if its mark-dependent sums are current and must move too, otherwise `none`.
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

// Each contribution is rounded half-even; sums of contributions are exact. An exposure without a mark contributes 0,
// also with its risk array. It is only counted if its position or its orders are short.

/** Adds the contribution of a position to the mark-dependent sums. */
function addPosition(ledger: RiskLedger, bucket: number, exposure: number): void {
  const { exposures, marks } = ledger
  const instrument = exposures.instrument[exposure]
  if (!isMarked(marks, instrument)) {
    countUnmarked(ledger, bucket, exposure, 1)
    return
  }
  moved.before = 0
  moved.after = exposures.positionLots[exposure]
  movePosition(ledger, bucket, exposure)
}

/** Like `addPosition`, for working orders of an instrument with a mark. */
function addWorking(ledger: RiskLedger, bucket: number, exposure: number): void {
  const { buckets, exposures } = ledger
  moved.before = 0
  moved.after = exposures.workingSellLots[exposure]
  moveWorking(ledger, bucket, exposure, Part.Gains)
  if (!ledger.isPerp(exposure)) {
    buckets.slippageMicros[bucket] += slippageOf(ledger, exposure, Side.Sell)
    return
  }
  moved.after = exposures.workingBuyLots[exposure]
  moveWorking(ledger, bucket, exposure, Part.Losses)
  buckets.perpSlippageMicros[bucket] +=
    slippageOf(ledger, exposure, Side.Sell) + slippageOf(ledger, exposure, Side.Buy)
}

function countUnmarked(ledger: RiskLedger, bucket: number, exposure: number, sign: number): void {
  const buys = ledger.exposures.workingBuyLots[exposure]
  const sells = ledger.exposures.workingSellLots[exposure]
  if (!isUnmarkedShort(ledger, exposure, sells, buys)) return
  const { unmarkedShorts } = ledger.buckets
  unmarkedShorts[bucket] += sign
  assert(unmarkedShorts[bucket] >= 0, 'risk: the count of unmarked shorts is not negative')
}

function slippageOf(ledger: RiskLedger, exposure: number, side: Side): number {
  const { exposures, orders, marks } = ledger
  const { workingBuyLots, workingSellLots } = exposures
  const working = side === Side.Sell ? workingSellLots : workingBuyLots
  if (working[exposure] === 0) return 0
  const markMicros = markOf(marks, exposures.instrument[exposure])
  let micros = 0
  let slot = exposures.firstOrder[exposure]
  for (; slot !== none; slot = orders.nextInExposure[slot]) {
    if (orders.side[slot] !== side || (orders.flags[slot] & OrderFlag.Exempt) !== 0) continue
    const { priceMicros, openLots } = orders
    micros += slippageReserveMicros(side, markMicros, priceMicros[slot], openLots[slot])
  }
  return micros
}
