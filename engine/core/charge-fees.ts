import { AccountChange } from '../../schemas/events.js'
import { FundsChange } from '../../schemas/funds.js'
import { indexMicrosOf } from '../risk/mark-view.js'
import type { FillEffect, FillTerms } from '../risk/order-check.js'
import {
  feeCell,
  feeCells,
  workOutBuilderFee,
  workOutFee,
  workOutPerpFee,
} from '../risk/trading-fees.js'
import type { CoreState } from './core-state.js'
import { publishAccount } from './publish.js'
import { publishFunds } from './publish-funds.js'

/**
 * Sets the fee of a fill's side, and books the venue's part of it. An option's is a share of the latest index, however
 * old: no order was admitted without one, and a batch ends before the index moves under orders that are with matchers.
 * @param rate millionths, below 0 for a rebate.
 */
export function chargeTradingFee(
  state: CoreState,
  slot: number,
  rate: number,
  terms: FillTerms,
): void {
  const { fees, funds, instruments, marks, orders } = state
  const instrument = orders.instrument[slot]
  feeCells[feeCell.price] = terms.priceMicros
  feeCells[feeCell.lots] = terms.sizeLots
  if (instruments.isPerp(instrument)) {
    workOutPerpFee(rate)
  } else {
    feeCells[feeCell.index] = indexMicrosOf(marks, instruments.underlying[instrument])
    workOutFee(rate, fees.cap)
  }
  workOutBuilderFee(orders.hasBuilder[slot] === 1 ? fees.builder : 0)
  terms.feeMicros = feeCells[feeCell.fee]
  terms.builderFeeMicros = feeCells[feeCell.builder]
  funds.takeTradingFee(terms)
}

/** Credits an order's builder with its part of a fee, when the fill has been told; a new wallet is opened. */
export function payBuilder(state: CoreState, slot: number, effect: FillEffect): void {
  const { orders, risk } = state
  const builder = state.accountFor(orders.texts.bytes, orders.builderAt(slot))
  risk.creditCash(builder, effect.builderFeeMicros)
  publishAccount(state, builder, AccountChange.BuilderFee, effect.builderFeeMicros)
}

/** Tells what the trades of a batch have left in the fee account. */
export function tellFees(state: CoreState): void {
  state.funds.hasUntoldFees = false
  publishFunds(state, FundsChange.Trades)
}
