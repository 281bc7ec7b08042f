import { assert } from '../../schemas/assert.js'
import { OrderFlag, Side } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { isFresh, setWorkingBuys, setWorkingSells } from './bucket-sums.js'
import { addBuyFee } from './buy-fees.js'
import { isMarked } from './mark-view.js'
import { addValueUp, takeValueUp } from './money.js'
import type { OrderView } from './order-view.js'
import type { RiskLedger } from './risk-ledger.js'

export function isReduceOnly(orders: OrderView, slot: number): boolean {
  return (orders.flags[slot] & OrderFlag.ReduceOnly) !== 0
}

/**
 * Returns true if an order was admitted below initial margin. It reserves nothing, and every check considers its fills.
 */
export function reducesRisk(orders: OrderView, slot: number): boolean {
  return (orders.flags[slot] & OrderFlag.Exempt) !== 0
}

/**
 * Returns the working lots on a side of an account's instrument, including risk-reducing orders.
 * @param exposure of that account and instrument.
 */
export function workingLots(
  ledger: RiskLedger,
  account: number,
  exposure: number,
  side: number,
): number {
  const { riskReducing, exposures, orders } = ledger
  const isBuy = side === Side.Buy
  let lots = isBuy ? exposures.workingBuyLots[exposure] : exposures.workingSellLots[exposure]
  if (exposures.riskReducingLots[exposure] === 0) return lots
  for (let index = 0; index < riskReducing.count[account]; index++) {
    const slot = riskReducing.slotAt(account, index)
    if (orders.exposure[slot] === exposure && orders.side[slot] === side) {
      lots += orders.openLots[slot]
    }
  }
  return lots
}

/** Returns true if a trade, with all working orders on its side, closes at most the account's position. */
export function closesOnly(
  ledger: RiskLedger,
  account: number,
  trade: { readonly instrument: number; readonly side: number; readonly sizeLots: number },
): boolean {
  const { side, sizeLots } = trade
  const exposure = ledger.exposures.find(account, trade.instrument)
  if (exposure === none) return false
  const position = ledger.exposures.positionLots[exposure]
  const opposite = side === Side.Buy ? -position : position
  return sizeLots + workingLots(ledger, account, exposure, side) <= opposite
}

/** Links a slot into its exposure and reserves for its open size. */
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
  if (reducesRisk(orders, slot)) ledger.riskReducing.add(orders.account[slot], slot)
  const openLots = orders.openLots[slot]
  orders.openLots[slot] = 0
  setReserved(ledger, exposure, slot, openLots)
}

/**
 * Writes the open size of a working order and moves its reserves; 0 unlinks it.
 * @param isFilled true if the caller applies a fill next. The exposure is then not released in between, because
 * position and open size change in one step.
 */
export function setWorkingOpen(
  ledger: RiskLedger,
  slot: number,
  openLots: number,
  isFilled: boolean,
): void {
  const { exposures, orders } = ledger
  const exposure = orders.exposure[slot]
  const isShrinking = openLots >= 0 && openLots <= orders.openLots[slot]
  assert(exposure !== none && isShrinking, 'risk: open size only shrinks')
  setReserved(ledger, exposure, slot, openLots)
  if (openLots > 0) return
  const next = orders.nextInExposure[slot]
  const prev = orders.prevInExposure[slot]
  if (next !== none) orders.prevInExposure[next] = prev
  if (prev !== none) orders.nextInExposure[prev] = next
  else exposures.firstOrder[exposure] = next
  orders.exposure[slot] = none
  if (reducesRisk(orders, slot)) ledger.riskReducing.remove(orders.account[slot], slot)
  if (!isFilled) releaseExposure(ledger, exposure)
}

/** Releases an exposure without position and orders. Its realized profit remains in the wallet's total. */
export function releaseExposure(ledger: RiskLedger, exposure: number): void {
  const { exposures, hash } = ledger
  if (!exposures.isEmpty(exposure)) return
  exposures.hashKept(exposure, hash, false)
  exposures.realizedMicros[exposure] = 0
  ledger.release(exposure)
}

/** Writes the open size of an order, and moves its reserves accordingly. */
function setReserved(ledger: RiskLedger, exposure: number, slot: number, openLots: number): void {
  const { exposures, orders } = ledger
  const countedBefore = exposures.isCounted(exposure)
  const moreLots = openLots - orders.openLots[slot]
  const reduceOnlyLots = isReduceOnly(orders, slot) ? moreLots : 0
  const isBuy = orders.side[slot] === Side.Buy
  if (isBuy) exposures.reduceOnlyBuyLots[exposure] += reduceOnlyLots
  else exposures.reduceOnlySellLots[exposure] += reduceOnlyLots
  if (reducesRisk(orders, slot)) {
    exposures.riskReducingLots[exposure] += moreLots
    orders.openLots[slot] = openLots
  } else {
    moveReserves(ledger, exposure, slot, openLots)
  }
  const counted = exposures.isCounted(exposure)
  assert(exposures.riskReducingLots[exposure] >= 0, 'risk: risk-reducing lots are not negative')
  if (counted === countedBefore) return
  const account = exposures.account[exposure]
  ledger.positionsCounted[account] += counted ? 1 : -1
  assert(ledger.positionsCounted[account] >= 0, 'risk: the count of positions is not negative')
}

/** Moves the reserves of an ordinary order, and writes its open size. */
function moveReserves(ledger: RiskLedger, exposure: number, slot: number, openLots: number): void {
  const { buckets, exposures, orders } = ledger
  const moreLots = openLots - orders.openLots[slot]
  const isBuy = orders.side[slot] === Side.Buy
  if (isBuy) setWorkingBuys(ledger, exposure, exposures.workingBuyLots[exposure] + moreLots)
  else setWorkingSells(ledger, exposure, exposures.workingSellLots[exposure] + moreLots)
  if (isBuy && !ledger.isPerp(exposure)) {
    const bucket = ledger.bucketOf(exposure)
    const { priceMicros, openLots: lots } = orders
    const hasFees = ledger.fees.worst !== 0
    takeValueUp(buckets.premiumMicros, bucket, priceMicros, slot, lots, slot)
    if (hasFees) addBuyFee(ledger, bucket, slot, -1)
    orders.openLots[slot] = openLots
    addValueUp(buckets.premiumMicros, bucket, priceMicros, slot, lots, slot)
    assert(buckets.premiumMicros[bucket] >= 0, 'risk: the reserved premium is not negative')
    if (hasFees) addBuyFee(ledger, bucket, slot, 1)
  } else {
    addSlippage(ledger, exposure, slot, -1)
    orders.openLots[slot] = openLots
    addSlippage(ledger, exposure, slot, 1)
  }
}

/** Value that an order gives away against the mark per contract; in a cell, so that nothing is boxed. */
const slippageCell = new Float64Array(1)

function addSlippage(ledger: RiskLedger, exposure: number, slot: number, sign: number): void {
  const { buckets, exposures, marks, orders } = ledger
  const bucket = ledger.bucketOf(exposure)
  if (!isFresh(ledger, bucket)) return
  const instrument = exposures.instrument[exposure]
  if (!isMarked(marks, instrument)) return
  const isBuy = orders.side[slot] === Side.Buy
  slippageCell[0] = marks.markMicros[instrument] - orders.priceMicros[slot]
  if (isBuy) slippageCell[0] = 0 - slippageCell[0]
  if (slippageCell[0] <= 0) return
  const column = ledger.isPerp(exposure) ? buckets.perpSlippageMicros : buckets.slippageMicros
  if (sign > 0) addValueUp(column, bucket, slippageCell, 0, orders.openLots, slot)
  else takeValueUp(column, bucket, slippageCell, 0, orders.openLots, slot)
}
