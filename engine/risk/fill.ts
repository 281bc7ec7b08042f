import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { HashKind, type StateHash } from '../core/state-hash.js'
import { addToSums } from './bucket-sums.js'
import { addExposureFacts, moveFact, wholeAccount } from './facts.js'
import { mulDivHalfEven } from './money.js'
import type { FillEffect } from './order-check.js'
import type { RiskLedger } from './risk-ledger.js'
import { releaseExposure } from './working-orders.js'

/** One wallet's side of a fill: position, cost basis, realized profit, cash (decision 39). */
export function applyFill(
  ledger: RiskLedger,
  hash: StateHash,
  account: number,
  instrument: number,
  side: number,
  sizeLots: number,
  premiumMicros: number,
  feeMicros: number,
  out: FillEffect,
): void {
  assert(sizeLots > 0 && premiumMicros >= 0, 'risk: a fill has a size and a premium')
  const { exposures } = ledger
  const exposure = ledger.exposureFor(account, instrument)
  const countedBefore = exposures.isCounted(exposure)
  const flowMicros = side === Side.Buy ? -premiumMicros : premiumMicros
  addExposureFacts(hash, exposures, exposure, -1)
  addToSums(ledger, exposure, true, -1)
  const realizedMicros = move(ledger, exposure, side, sizeLots, flowMicros)
  addToSums(ledger, exposure, true, 1)
  addExposureFacts(hash, exposures, exposure, 1)

  const cashBefore = ledger.cashMicros[account]
  const cash = cashBefore + flowMicros - feeMicros
  ledger.cashMicros[account] = cash
  moveFact(hash, HashKind.Cash, account, 0, cashBefore, cash)
  const totalBefore = ledger.realizedTotalMicros[account]
  const total = totalBefore + realizedMicros
  ledger.realizedTotalMicros[account] = total
  moveFact(hash, HashKind.PositionRealized, account, wholeAccount, totalBefore, total)
  const counted = exposures.isCounted(exposure)
  if (counted !== countedBefore) ledger.positionsCounted[account] += counted ? 1 : -1

  out.realizedMicros = realizedMicros
  out.positionLots = exposures.positionLots[exposure]
  out.costMicros = exposures.costMicros[exposure]
  out.cashMicros = cash
  releaseExposure(ledger, hash, exposure)
}

// Closes first, at the closed part's share of cost and premium, then opens with the rest. Shares
// are rounded half-even and taken away from the whole, so nothing is lost. Cash flow and cost have
// opposite signs: a long costs what flowed out. Returns the realized profit.
function move(
  ledger: RiskLedger,
  exposure: number,
  side: number,
  sizeLots: number,
  flowMicros: number,
): number {
  const { exposures } = ledger
  const position = exposures.positionLots[exposure]
  const cost = exposures.costMicros[exposure]
  const opposite = side === Side.Buy ? -position : position
  const closedLots = opposite > 0 ? Math.min(opposite, sizeLots) : 0
  let closedCost = 0
  let closedFlow = 0
  if (closedLots > 0) {
    closedCost = closedLots === opposite ? cost : mulDivHalfEven(cost, closedLots, opposite)
    closedFlow =
      closedLots === sizeLots ? flowMicros : mulDivHalfEven(flowMicros, closedLots, sizeLots)
  }
  const realizedMicros = closedFlow - closedCost + 0
  exposures.positionLots[exposure] = position + (side === Side.Buy ? sizeLots : -sizeLots)
  exposures.costMicros[exposure] = cost - closedCost - (flowMicros - closedFlow)
  exposures.realizedMicros[exposure] += realizedMicros
  return realizedMicros
}
