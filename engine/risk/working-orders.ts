import { assert } from '../../schemas/assert.js'
import { OrderFlag, Side } from '../../schemas/domain.js'
import { none, type OrderStore } from '../core/orders.js'
import type { StateHash } from '../core/state-hash.js'
import { addToSums, isFresh } from './bucket-sums.js'
import { addExposureFacts } from './facts.js'
import { markOf } from './mark-view.js'
import { premiumReserveMicros, slippageReserveMicros } from './money.js'
import type { RiskLedger } from './risk-ledger.js'

export function isReduceOnly(orders: OrderStore, slot: number): boolean {
  return (orders.flags[slot] & OrderFlag.ReduceOnly) !== 0
}

/** Links a slot into its exposure and reserves for its open size (section 5.2). */
export function addWorkingOrder(ledger: RiskLedger, slot: number): void {
  const { exposures, orders } = ledger
  assert(orders.openLots[slot] > 0, 'risk: a working order is open')
  const exposure = ledger.exposureFor(orders.account[slot], orders.instrument[slot])
  const first = exposures.firstOrder[exposure]
  orders.exposure[slot] = exposure
  orders.nextInExposure[slot] = first
  orders.prevInExposure[slot] = none
  if (first !== none) orders.prevInExposure[first] = slot
  exposures.firstOrder[exposure] = slot
  reserve(ledger, exposure, slot, 0, orders.openLots[slot])
}

/** Writes the open size of a working order and moves its reserves; 0 unlinks it. */
export function setWorkingOpen(
  ledger: RiskLedger,
  hash: StateHash,
  slot: number,
  openLots: number,
): void {
  const { exposures, orders } = ledger
  const exposure = orders.exposure[slot]
  const before = orders.openLots[slot]
  assert(exposure !== none && openLots >= 0 && openLots <= before, 'risk: open size only shrinks')
  reserve(ledger, exposure, slot, before, openLots)
  orders.openLots[slot] = openLots
  if (openLots > 0) return
  const next = orders.nextInExposure[slot]
  const prev = orders.prevInExposure[slot]
  if (next !== none) orders.prevInExposure[next] = prev
  if (prev !== none) orders.nextInExposure[prev] = next
  else exposures.firstOrder[exposure] = next
  orders.exposure[slot] = none
  releaseExposure(ledger, hash, exposure)
}

/** Gives an exposure back once nothing is in it; what it realized stays in the wallet's total. */
export function releaseExposure(ledger: RiskLedger, hash: StateHash, exposure: number): void {
  if (!ledger.exposures.isEmpty(exposure)) return
  addExposureFacts(hash, ledger.exposures, exposure, -1)
  ledger.release(exposure)
}

function reserve(
  ledger: RiskLedger,
  exposure: number,
  slot: number,
  before: number,
  after: number,
): void {
  const { exposures, orders } = ledger
  const account = exposures.account[exposure]
  const countedBefore = exposures.isCounted(exposure)
  const reduceOnlyLots = isReduceOnly(orders, slot) ? after - before : 0
  if (orders.side[slot] === Side.Buy) {
    exposures.workingBuyLots[exposure] += after - before
    exposures.reduceOnlyBuyLots[exposure] += reduceOnlyLots
    const bucket = ledger.bucketOf(exposure)
    const priceMicros = orders.priceMicros[slot]
    ledger.buckets.premiumMicros[bucket] +=
      premiumReserveMicros(priceMicros, after) - premiumReserveMicros(priceMicros, before)
  } else {
    addToSums(ledger, exposure, false, -1)
    exposures.workingSellLots[exposure] += after - before
    exposures.reduceOnlySellLots[exposure] += reduceOnlyLots
    addToSums(ledger, exposure, false, 1)
    moveSlippage(ledger, exposure, slot, before, after)
  }
  const counted = exposures.isCounted(exposure)
  if (counted !== countedBefore) ledger.positionsCounted[account] += counted ? 1 : -1
}

function moveSlippage(
  ledger: RiskLedger,
  exposure: number,
  slot: number,
  before: number,
  after: number,
): void {
  const { buckets, exposures, marks, orders } = ledger
  const bucket = ledger.bucketOf(exposure)
  if (!isFresh(ledger, bucket)) return
  const markMicros = markOf(marks, exposures.instrument[exposure])
  const priceMicros = orders.priceMicros[slot]
  buckets.slippageMicros[bucket] +=
    slippageReserveMicros(markMicros, priceMicros, after) -
    slippageReserveMicros(markMicros, priceMicros, before)
}
