import { Fund, type Funds } from '../state/money/funds.js'
import type { WithdrawalTable } from '../state/money/withdrawal-table.js'
import { type Breach, breachOf } from './breach.js'
import { exposuresIn, type StateRowsState } from './state-rows.js'
import { WideSum } from './wide-sum.js'

export interface MoneyState extends StateRowsState {
  readonly funds: Funds
  readonly withdrawals: WithdrawalTable
}

/** Balances that must not be below zero; dust and clearing may have either sign. */
const fundsOwned = { fees: Fund.Fees, insurance: Fund.Insurance, in_transit: Fund.InTransit }

/**
 * Checks that the cash of all wallets and funds, less the entry cost of open perps, equals all deposits less all
 * deliveries.
 */
export function conservationBreach(state: MoneyState): Breach | null {
  const { accounts, funds, risk } = state
  const cash = new WideSum()
  const deposits = new WideSum()
  const perpCost = new WideSum()
  for (let account = 0; account < accounts.count; account++) {
    cash.add(risk.cashMicros[account])
    deposits.add(accounts.depositsMicros[account])
  }
  deposits.add(funds.insuranceDepositsMicros)
  // A withdrawal reduces the deposits of its wallet at once, and leaves the venue at its delivery.
  for (const { amountMicros } of state.withdrawals.rows) deposits.add(amountMicros)
  for (const row of exposuresIn(state)) {
    if (risk.isPerp(row)) perpCost.add(risk.exposures.costMicros[row])
  }
  const fundsMicros = fundsTotal(funds)
  const held = cash.total + fundsMicros - perpCost.total
  const isExact = cash.isExact && deposits.isExact && perpCost.isExact
  const missing = deposits.total - held
  if (isExact && missing === 0n) return null
  const text = isExact
    ? `wallets and funds hold ${held} micros, deposits were ${deposits.total}`
    : 'an amount of money is no exact one'
  return breachOf('conservation', isExact ? String(missing) : 'inexact', text, {
    cashMicros: cash.total,
    fundsMicros,
    openPerpCostMicros: perpCost.total,
    depositsMicros: deposits.total,
    missingMicros: missing,
  })
}

function fundsTotal(funds: Funds): bigint {
  let micros = clearingOf(funds)
  for (let fund = 0; fund < funds.balanceMicros.length; fund++) {
    if (fund !== Fund.Clearing) micros += BigInt(funds.balanceMicros[fund])
  }
  return micros
}

/** Returns the sum of both halves of the clearing fund. */
export function clearingOf({ clearingHigh, clearingLow }: Funds): bigint {
  return BigInt(clearingHigh) * 2n ** 32n + BigInt(clearingLow)
}

/** Returns the sum of the open withdrawals. */
export function inTransitOf({ withdrawals }: MoneyState): bigint {
  let sum = 0n
  for (const { amountMicros } of withdrawals.rows) sum += BigInt(amountMicros)
  return sum
}

/** Checks that the fund in transit equals the sum of the open withdrawals. */
export function inTransitBreach(state: MoneyState): Breach | null {
  const heldMicros = BigInt(state.funds.balanceMicros[Fund.InTransit])
  const openMicros = inTransitOf(state)
  if (heldMicros === openMicros) return null
  const text = `${heldMicros} micros are in transit, of withdrawals ${openMicros}`
  return breachOf('in_transit', String(heldMicros - openMicros), text, { heldMicros, openMicros })
}

/** Checks that no fund is below zero. */
export function fundsBreach({ funds }: MoneyState): Breach | null {
  for (const [name, fund] of Object.entries(fundsOwned)) {
    const micros = funds.balanceMicros[fund]
    if (micros >= 0) continue
    return breachOf('funds', name, `the fund ${name} has ${micros} micros`, { micros })
  }
  return null
}
