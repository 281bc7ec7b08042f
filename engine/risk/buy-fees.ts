import { OrderFlag, Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { indexMicrosOf } from './mark-view.js'
import { OrderCheck } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { TradingFee, workOutFee, workOutPerpFee, workOutReservedFee } from './trading-fees.js'

// A working buy of an option reserves the highest fee that it may pay, in addition to its premium. Fees follow the
// latest index, which moves between re-marks. Each bucket's sum of fees therefore belongs to one index, and is
// recomputed when it is read at another one. Without an index nothing is reserved, but then no order was admitted
// either.

const fee = new TradingFee()
const slotTerms = new OrderCheck()

/** Returns the fee that a requested buy would reserve, in micros; 0 if the venue charges none. */
export function requestedFeeMicros(ledger: RiskLedger, request: OrderCheck): number {
  const { worst, cap } = ledger.fees
  if (worst === 0) return 0
  setTerms(ledger, request)
  workOutReservedFee(fee, worst, cap)
  return fee.feeMicros
}

/**
 * Returns the highest fee of a requested order that fills at its limit price, at the higher of maker and taker rate.
 */
export function worstFeeMicros(ledger: RiskLedger, request: OrderCheck): number {
  const { worst, perpWorst, cap } = ledger.fees
  const isPerp = ledger.instruments.isPerp(request.instrument)
  const rate = isPerp ? perpWorst : worst
  if (rate === 0) return 0
  setTerms(ledger, request)
  if (isPerp) workOutPerpFee(fee, rate)
  else workOutFee(fee, rate, cap)
  return fee.feeMicros
}

/** Like `worstFeeMicros`, for the open size of a working order. */
export function worstOrderFeeMicros(ledger: RiskLedger, slot: number): number {
  const { orders } = ledger
  slotTerms.instrument = orders.instrument[slot]
  slotTerms.priceMicros = orders.priceMicros[slot]
  slotTerms.sizeLots = orders.openLots[slot]
  return worstFeeMicros(ledger, slotTerms)
}

/**
 * Returns the fee that a working option order reserves. Sells reserve 0, and so do orders that pay the liquidation fee
 * instead.
 */
export function orderFeeMicros(ledger: RiskLedger, slot: number): number {
  if (ledger.fees.worst === 0) return 0
  computeOrderFee(ledger, slot)
  return fee.feeMicros
}

/** Adds the fee reserve of a working buy to its bucket's sum; a sign of -1 subtracts it. */
export function addBuyFee(ledger: RiskLedger, bucket: number, slot: number, sign: number): void {
  const { buckets, marks } = ledger
  // The index may return to the value of the sum, so a sum that missed a change is marked invalid.
  if (buckets.feeSpotMicros[bucket] !== indexMicrosOf(marks, buckets.underlying[bucket])) {
    buckets.feeSpotMicros[bucket] = Number.NaN
    return
  }
  computeOrderFee(ledger, slot)
  buckets.feeMicros[bucket] += sign * fee.feeMicros
}

/** Recomputes a bucket's sum if it belongs to another index. */
export function refreshFees(ledger: RiskLedger, bucket: number): void {
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
        computeOrderFee(ledger, slot)
        micros += fee.feeMicros
      }
    }
  }
  buckets.feeMicros[bucket] = micros
  buckets.feeSpotMicros[bucket] = spotMicros
}

/** Writes the fee reserve of the order in `slot` to `fee`, or 0. */
function computeOrderFee(ledger: RiskLedger, slot: number): void {
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

function setTerms({ instruments, marks }: RiskLedger, request: OrderCheck): void {
  fee.indexMicros = indexMicrosOf(marks, instruments.underlying[request.instrument])
  fee.priceMicros = request.priceMicros
  fee.sizeLots = request.sizeLots
}
