import { OrderFlag, Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { indexMicrosOf } from './mark-view.js'
import { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { TradingFee, workOutFee, workOutPerpFee, workOutReservedFee } from './trading-fees.js'

// A working buy of an option reserves the most that it may pay in fees beside its premium.
// Fees follow the latest index, which moves between re-marks: each bucket's sum of them belongs to one index, and is
// computed anew when it is read under another one. An index never seen reserves nothing, and no order was admitted
// without one.

const fee = new TradingFee()
const slotTerms = new OrderCheck()

/** Fee that a requested buy would reserve, micros; 0 while there are none. */
export function requestedFeeMicros(ledger: RiskLedger, request: OrderCheck): number {
  const { worst, cap } = ledger.fees
  if (worst === 0) return 0
  takeRequest(ledger, request)
  workOutReservedFee(fee, worst, cap)
  return fee.feeMicros
}

/** Fee that a requested order would pay at the dearer rate when it is filled at its limit. */
export function worstFeeMicros(ledger: RiskLedger, request: OrderCheck): number {
  const { worst, perpWorst, cap } = ledger.fees
  const isPerp = ledger.instruments.isPerp(request.instrument)
  const rate = isPerp ? perpWorst : worst
  if (rate === 0) return 0
  takeRequest(ledger, request)
  if (isPerp) workOutPerpFee(fee, rate)
  else workOutFee(fee, rate, cap)
  return fee.feeMicros
}

/** The same for a working order and what is open of it. */
export function worstOrderFeeMicros(ledger: RiskLedger, slot: number): number {
  const { orders } = ledger
  slotTerms.instrument = orders.instrument[slot]
  slotTerms.priceMicros = orders.priceMicros[slot]
  slotTerms.sizeLots = orders.openLots[slot]
  return worstFeeMicros(ledger, slotTerms)
}

/**
 * What a working order of an option reserves in fees; 0 of a sell, and of an order that pays the liquidation fee
 * instead.
 */
export function orderFeeMicros(ledger: RiskLedger, slot: number): number {
  if (ledger.fees.worst === 0) return 0
  workOutOrder(ledger, slot)
  return fee.feeMicros
}

/** Adds what a working buy reserves to its bucket's sum, or takes it out with sign -1. */
export function addBuyFee(ledger: RiskLedger, bucket: number, slot: number, sign: number): void {
  const { buckets, marks } = ledger
  // The index may come back to where it was: a sum that missed this is no sum of any index.
  if (buckets.feeSpotMicros[bucket] !== indexMicrosOf(marks, buckets.underlying[bucket])) {
    buckets.feeSpotMicros[bucket] = Number.NaN
    return
  }
  workOutOrder(ledger, slot)
  buckets.feeMicros[bucket] += sign * fee.feeMicros
}

/** Computes a bucket's sum anew where it belongs to another index. */
export function freshenFees(ledger: RiskLedger, bucket: number): void {
  const { buckets, groups, exposures, marks, orders } = ledger
  const spotMicros = indexMicrosOf(marks, buckets.underlying[bucket])
  if (buckets.feeSpotMicros[bucket] === spotMicros) return
  let micros = 0
  let group = buckets.firstGroup[bucket]
  for (; group !== none; group = groups.nextInBucket[group]) {
    let exposure = groups.firstExposure[group]
    for (; exposure !== none; exposure = exposures.nextInGroup[exposure]) {
      if (exposures.workingBuyLots[exposure] === 0 || ledger.isPerp(exposure)) continue
      let slot = exposures.firstOrder[exposure]
      for (; slot !== none; slot = orders.nextInExposure[slot]) {
        workOutOrder(ledger, slot)
        micros += fee.feeMicros
      }
    }
  }
  buckets.feeMicros[bucket] = micros
  buckets.feeSpotMicros[bucket] = spotMicros
}

/** What the order in `slot` reserves, or 0, into `fee`. */
function workOutOrder(ledger: RiskLedger, slot: number): void {
  const { fees, instruments, marks, orders } = ledger
  const unreserved = OrderFlag.Liquidation | OrderFlag.Exempt
  if (orders.side[slot] !== Side.Buy || (orders.flags[slot] & unreserved) !== 0) {
    fee.feeMicros = 0
    return
  }
  fee.indexMicros = indexMicrosOf(marks, instruments.underlying[orders.instrument[slot]])
  fee.priceMicros = orders.priceMicros[slot]
  fee.sizeLots = orders.openLots[slot]
  workOutReservedFee(fee, fees.worst, fees.cap)
}

function takeRequest({ instruments, marks }: RiskLedger, request: OrderCheck): void {
  fee.indexMicros = indexMicrosOf(marks, instruments.underlying[request.instrument])
  fee.priceMicros = request.priceMicros
  fee.sizeLots = request.sizeLots
}
