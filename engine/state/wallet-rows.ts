import { InstrumentState } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { RiskEngine } from '../risk/risk-engine.js'
import type { WithdrawalTable } from './money/withdrawal-table.js'
import type { OrderStore } from './orders/orders.js'

export interface WalletRowsState {
  readonly risk: RiskEngine
  readonly withdrawals: WithdrawalTable
  readonly orders: OrderStore
  readonly instruments: InstrumentTable
}

/** Returns an upper bound of a wallet's cash, pending withdrawals, positions and orders, micros. */
export function committedMicros({ risk, withdrawals }: WalletRowsState, account: number): number {
  const ownMicros = Math.abs(risk.cashMicros[account]) + withdrawals.microsOf(account)
  return ownMicros + risk.limits.exposedMicros(account)
}

/** Returns the exposures in which an account has a position, by instrument: the order is the same in every replay. */
export function positionsOf(state: WalletRowsState, account: number): number[] {
  const { exposures, firstExposure } = state.risk
  const rows: number[] = []
  for (let row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
    if (exposures.positionLots[row] !== 0) rows.push(row)
  }
  return rows.sort((one, other) => exposures.instrument[one] - exposures.instrument[other])
}

/** Returns the working orders of an account, oldest first. */
export function ordersOf(state: WalletRowsState, account: number): number[] {
  const { orders, risk } = state
  const { exposures, firstExposure } = risk
  const slots: number[] = []
  for (let row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
    let slot = exposures.firstOrder[row]
    for (; slot !== none; slot = orders.nextInExposure[slot]) slots.push(slot)
  }
  return slots.sort((one, other) => orders.orderId[one] - orders.orderId[other])
}

/** Returns true if an account has a position that waits for its settlement, which will change the account by itself. */
export function awaitsSettlement(state: WalletRowsState, account: number): boolean {
  const { instruments, risk } = state
  return positionsOf(state, account).some(
    (row) => instruments.state[risk.exposures.instrument[row]] !== InstrumentState.Active,
  )
}
