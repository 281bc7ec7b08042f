import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import { FundsChange } from '../../schemas/record-values.js'
import { type PublishFundsState, publishFunds } from '../publish/publish-funds.js'
import { halfEvenDiv, millionths, ratioScale } from '../risk/exact-share.js'
import { indexMicrosOf } from '../risk/mark-view.js'
import { type JudgementState, judge } from '../state/judgement.js'
import type { LiquidationTable } from '../state/market/liquidation-table.js'
import { Fund } from '../state/money/funds.js'

export interface LiquidationFeeState extends JudgementState, PublishFundsState {
  readonly liquidations: LiquidationTable
}

/**
 * Returns the liquidation fee on contracts taken from an account: rate × S × size.
 * @returns micros, half-even; 0 if the rate is 0.
 */
export function feeMicrosOf(
  state: LiquidationFeeState,
  instrument: number,
  sizeLots: number,
): number {
  const { feeRate } = state.config.liquidation
  if (feeRate === 0) return 0
  const indexMicros = indexMicrosOf(state.marks, state.instruments.underlying[instrument])
  assert(indexMicros > 0 && sizeLots > 0, 'liquidation fee: size and index are positive')
  const product = millionths(feeRate) * BigInt(indexMicros) * BigInt(sizeLots)
  return Number(halfEvenDiv(product, ratioScale * BigInt(lotsPerContract)))
}

/**
 * Charges the fee to the account in liquidation after the contracts are gone, for the insurance fund. The fee is at
 * most the equity of the account, so that it never becomes a loss that others bear, and at most what the fund can hold.
 * The caller publishes the account.
 * @returns the charged amount in micros.
 */
export function chargeFee(state: LiquidationFeeState, account: number, feeMicros: number): number {
  const { liquidations, risk, funds } = state
  assert(feeMicros >= 0, 'liquidation fee: it is not negative')
  if (feeMicros === 0) return 0
  const worthMicros = Math.max(0, judge(state, account).equityMicros)
  const paidMicros = Math.min(feeMicros, worthMicros, funds.roomMicros(Fund.Insurance))
  if (paidMicros === 0) return 0
  const row = liquidations.find(account)
  assert(row !== null, 'liquidation fee: of a wallet in liquidation')
  risk.creditCash(account, -paidMicros)
  funds.move(Fund.Insurance, paidMicros)
  liquidations.amend(row, (charged) => {
    charged.feeMicros += paidMicros
  })
  publishFunds(state, FundsChange.Liquidation)
  return paidMicros
}
