import { Side } from '../../schemas/domain.js'
import { none } from '../core/orders.js'
import { markOf } from './mark-view.js'
import { slippageReserveMicros, valueMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'

/** Whether the sums over marks of a bucket belong to the current marks. */
export function isFresh(ledger: RiskLedger, bucket: number): boolean {
  const { buckets, markVersion } = ledger
  return buckets.version[bucket] === markVersion[buckets.underlying[bucket]]
}

/** Computes the sums over marks of a stale bucket anew. */
export function freshen(ledger: RiskLedger, bucket: number): void {
  if (isFresh(ledger, bucket)) return
  const { buckets, groups, exposures, markVersion } = ledger
  buckets.clearSums(bucket)
  buckets.version[bucket] = markVersion[buckets.underlying[bucket]]
  let group = buckets.firstGroup[bucket]
  for (; group !== none; group = groups.nextInBucket[group]) {
    let exposure = groups.firstExposure[group]
    for (; exposure !== none; exposure = exposures.nextInGroup[exposure]) {
      addMarkedSums(ledger, bucket, exposure, true, 1)
      buckets.slippageMicros[bucket] += slippageOf(ledger, exposure)
    }
  }
}

/**
 * Adds an exposure to all sums of its bucket and group, or takes it out with sign -1. A change is
 * made between taking out and adding; `positionToo` is false when only working sells change.
 */
export function addToSums(
  ledger: RiskLedger,
  exposure: number,
  positionToo: boolean,
  sign: number,
): void {
  const { buckets, exposures, groups, instruments } = ledger
  const group = exposures.group[exposure]
  const bucket = groups.bucket[group]
  const right = instruments.right[exposures.instrument[exposure]]
  const position = exposures.positionLots[exposure]
  if (positionToo) groups.addNet(group, false, right, position, sign)
  groups.addNet(group, true, right, position - exposures.workingSellLots[exposure], sign)
  groups.lossKnown[group] = 0
  buckets.kept[bucket] = 0
  if (isFresh(ledger, bucket)) addMarkedSums(ledger, bucket, exposure, positionToo, sign)
}

/** Whether an exposure counts in `unmarkedShorts`, its working sells taken as given. */
export function isUnmarkedShort(ledger: RiskLedger, exposure: number, sellLots: number): boolean {
  const { exposures, marks } = ledger
  if (exposures.positionLots[exposure] - sellLots >= 0) return false
  return !(markOf(marks, exposures.instrument[exposure]) >= 0)
}

// Contributions are rounded half-even each; sums of them are exact (section 0). Without a mark an
// exposure counts 0 (section 1): its risk array is taken as 0 as well.
function addMarkedSums(
  ledger: RiskLedger,
  bucket: number,
  exposure: number,
  positionToo: boolean,
  sign: number,
): void {
  const { buckets, exposures, marks } = ledger
  const instrument = exposures.instrument[exposure]
  const position = exposures.positionLots[exposure]
  const sells = exposures.workingSellLots[exposure]
  const markMicros = markOf(marks, instrument)
  if (!(markMicros >= 0)) {
    if (isUnmarkedShort(ledger, exposure, sells)) buckets.unmarkedShorts[bucket] += sign
    return
  }
  const model = ledger.modelOf(exposures.account[exposure])
  const count = model.scenarioCount
  const from = bucket * buckets.scenarioCount
  const deltas = model.deltas()
  const at = instrument * count
  if (positionToo && position !== 0) {
    buckets.valueMicros[bucket] += sign * valueMicros(markMicros, position)
    const pnl = buckets.positionPnl
    for (let j = 0; j < count; j++) pnl[from + j] += sign * valueMicros(deltas[at + j], position)
  }
  if (sells === 0) return
  const loss = buckets.sellLoss
  for (let j = 0; j < count; j++) {
    if (deltas[at + j] > 0) loss[from + j] += sign * valueMicros(deltas[at + j], sells)
  }
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
