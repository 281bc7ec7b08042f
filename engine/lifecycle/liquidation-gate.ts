import { LiquidationState } from '../../schemas/record-values.js'
import { LiquidationGate } from '../risk/order-check.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { LiquidationTable } from '../state/market/liquidation-table.js'

export interface LiquidationGateState {
  readonly liquidations: LiquidationTable
  readonly risk: RiskEngine
}

/** Returns the new orders that the wallet may send. */
export function liquidationGate(state: LiquidationGateState, account: number): number {
  const row = state.liquidations.find(account)
  if (row === null) return LiquidationGate.Open
  if (row.state === LiquidationState.PreLiquidation) return LiquidationGate.ReducingOnly
  if (row.state === LiquidationState.InLiquidation) return LiquidationGate.Closed
  // Orders that the full phase has not cancelled yet must go first.
  const isClosed = row.state === LiquidationState.Liquidated && row.purging === 1
  return isClosed ? LiquidationGate.Closed : LiquidationGate.Open
}

/** Marks a liquidated wallet as revived after an accepted deposit or order. It is healthy again when the batch ends. */
export function revive(state: LiquidationGateState, account: number): void {
  const row = state.liquidations.find(account)
  if (row === null || row.state !== LiquidationState.Liquidated) return
  state.liquidations.amend(row, (liquidated) => {
    liquidated.revived = 1
  })
  state.risk.changed.add(account)
}
