import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { setPosition } from './bucket-sums.js'
import { mulDivHalfEven } from './money.js'
import type { FillEffect, FillTerms } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { releaseExposure } from './working-orders.js'

/** Applies one wallet's side of a fill to position, cost basis, realized profit and cash. */
export function applyFill(ledger: RiskLedger, fill: FillTerms, out: FillEffect): void {
  const { account, instrument } = fill
  assert(fill.sizeLots > 0 && fill.premiumMicros >= 0, 'risk: a fill has a size and a premium')
  const { exposures, hash } = ledger
  const exposure = ledger.exposureFor(account, instrument)
  const countedBefore = exposures.isCounted(exposure)
  exposures.hashKept(exposure, hash, false)
  ledger.hashRow(account, hash, false)
  move(ledger, exposure, fill, out)
  const { cashMicros } = ledger
  exposures.realizedMicros[exposure] += out.realizedMicros
  ledger.realizedTotalMicros[account] += out.realizedMicros
  // A perp costs nothing to hold: its price changes are paid when the position is reduced.
  const flowMicros = ledger.instruments.isPerp(instrument)
    ? out.realizedMicros
    : fill.side === Side.Buy
      ? -fill.premiumMicros
      : fill.premiumMicros
  cashMicros[account] += flowMicros - fill.feeMicros
  exposures.hashKept(exposure, hash, true)
  ledger.hashRow(account, hash, true)
  assert(exposures.isCostSigned(exposure), 'risk: position and cost have the same sign')
  const counted = exposures.isCounted(exposure)
  if (counted !== countedBefore) ledger.positionsCounted[account] += counted ? 1 : -1

  out.feeMicros = fill.feeMicros
  out.builderFeeMicros = fill.builderFeeMicros
  out.positionLots = exposures.positionLots[exposure]
  out.costMicros = exposures.costMicros[exposure]
  out.cashMicros = cashMicros[account]
  out.positionRealizedMicros = exposures.realizedMicros[exposure]
  releaseExposure(ledger, exposure)
}

// Closes first, with the closed part's share of cost and premium, then opens with the remainder. Shares are rounded
// half-even and subtracted from the whole, so nothing is lost. Cash flow and cost have opposite signs: a long costs
// what flowed out.
function move(ledger: RiskLedger, exposure: number, fill: FillTerms, out: FillEffect): void {
  const { exposures } = ledger
  const { sizeLots } = fill
  const isBuy = fill.side === Side.Buy
  const flowMicros = isBuy ? -fill.premiumMicros : fill.premiumMicros
  const position = exposures.positionLots[exposure]
  const cost = exposures.costMicros[exposure]
  const opposite = isBuy ? -position : position
  const closedLots = opposite > 0 ? Math.min(opposite, sizeLots) : 0
  let closedCost = 0
  let closedFlow = 0
  if (closedLots > 0) {
    closedCost = costShareMicros(cost, closedLots, opposite)
    closedFlow =
      closedLots === sizeLots ? flowMicros : mulDivHalfEven(flowMicros, closedLots, sizeLots)
  }
  out.realizedMicros = closedFlow - closedCost + 0
  setPosition(ledger, exposure, position + (isBuy ? sizeLots : -sizeLots))
  exposures.costMicros[exposure] = cost - closedCost - (flowMicros - closedFlow)
}

/** Returns the part of a position's cost that belongs to a part of the position, rounded half-even. */
export function costShareMicros(costMicros: number, partLots: number, wholeLots: number): number {
  return partLots === wholeLots ? costMicros : mulDivHalfEven(costMicros, partLots, wholeLots)
}
