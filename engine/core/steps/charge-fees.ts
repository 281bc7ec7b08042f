import { assert } from '../../../schemas/assert.js'
import { exactBound, moneyMicrosMax } from '../../../schemas/bounds.js'
import { OrderFlag } from '../../../schemas/domain.js'
import { AccountChange, FundsChange } from '../../../schemas/record-values.js'
import { none } from '../../memory/rows.js'
import { type PublishFundsState, publishFunds } from '../../publish/publish-funds.js'
import { publishAccount } from '../../publish/publish-market.js'
import { indexMicrosOf } from '../../risk/mark-view.js'
import type { FillEffect, FillTerms } from '../../risk/order-check.js'
import {
  type FeeSchedule,
  TradingFee,
  workOutBuilderFee,
  workOutFee,
  workOutPerpFee,
} from '../../risk/trading-fees.js'
import type { Builders } from '../../state/accounts/builders.js'
import { Fund } from '../../state/money/funds.js'
import { type AnnouncedState, accountFor } from './announced.js'

interface ChargeFeesState extends AnnouncedState, PublishFundsState {
  readonly fees: FeeSchedule
  readonly builders: Builders
}

const fee = new TradingFee()

/**
 * Computes the fees of both sides of a fill together and writes them to their terms, which must have none. The rebate
 * and the builder fees are at most what the same fill brings in, and the rebate is reduced first. No fill therefore
 * takes money out of the fee account. An option's fee is a share of the latest index, however old. Every admitted order
 * had an index, and a batch ends before the index changes under orders at matchers.
 */
export function workOutFees(
  state: ChargeFeesState,
  maker: number,
  taker: number,
  made: FillTerms,
  taken: FillTerms,
): void {
  const { fees, instruments } = state
  assert(made.sizeLots === taken.sizeLots, 'fees: both sides of a trade have the same size')
  const isPerp = instruments.isPerp(made.instrument)
  computeSide(state, maker, isPerp ? fees.perpMaker : fees.maker, made)
  computeSide(state, taker, isPerp ? fees.perpTaker : fees.taker, taken)
  balanceFees(state, made, taken)
}

/**
 * Computes the fees of an option that trades off the book. No order is its maker, so the maker side has no builder.
 * @param taker order that takes it, or `none`.
 */
export function workOutLegFees(
  state: ChargeFeesState,
  made: FillTerms,
  taken: FillTerms,
  taker: number,
): void {
  const { fees } = state
  clearFees(made)
  clearFees(taken)
  if (!fees.isCharging) return
  computeAtRate(state, fees.maker, 0, made)
  if (taker === none) computeAtRate(state, fees.taker, 0, taken)
  else computeSide(state, taker, fees.taker, taken)
  balanceFees(state, made, taken)
}

function balanceFees({ funds }: ChargeFeesState, made: FillTerms, taken: FillTerms): void {
  const paid = Math.max(0, made.feeMicros) + Math.max(0, taken.feeMicros)
  const surplus = paid - made.builderFeeMicros - taken.builderFeeMicros
  // If both sides earn a rebate, no fee funds it, and both get 0. Otherwise at most one side has a rebate.
  made.feeMicros = Math.max(-surplus, made.feeMicros) + 0
  taken.feeMicros = Math.max(-surplus, taken.feeMicros) + 0
  const venueMicros = made.feeMicros + taken.feeMicros
  const builderMicros = made.builderFeeMicros + taken.builderFeeMicros
  assert(venueMicros >= builderMicros, 'fees: a trade never costs the fee account')
  // If the balance would leave the exact range, the trade is free of fees.
  if (funds.balanceMicros[Fund.Fees] + paid > moneyMicrosMax) {
    clearFees(made)
    clearFees(taken)
  }
}

export function clearFees(terms: FillTerms): void {
  terms.feeMicros = 0
  terms.builderFeeMicros = 0
}

/** Books the venue's part of a side's fee, which may be a rebate. */
export function bookFee(state: ChargeFeesState, terms: FillTerms): void {
  if (terms.feeMicros !== 0) state.funds.takeTradingFee(terms)
}

/**
 * Credits an order's builder with its part of a fee, after the fill is published. The first credit opens its account.
 */
export function payBuilder(state: ChargeFeesState, slot: number, effect: FillEffect): void {
  const { orders, risk } = state
  assert(effect.builderFeeMicros > 0, 'fees: the builder fee is positive')
  assert(orders.hasBuilder[slot] === 1, 'fees: the order names a builder')
  const builder = accountFor(state, orders.texts.bytes, orders.builderAt(slot))
  risk.creditCash(builder, effect.builderFeeMicros)
  publishAccount(state, builder, AccountChange.BuilderFee, effect.builderFeeMicros)
}

/** Publishes the fee account after the trades of a batch. */
export function publishTradingFees(state: ChargeFeesState): void {
  assert(state.funds.balanceMicros[Fund.Fees] >= 0, 'fees: the fee account never goes negative')
  state.funds.hasUntoldFees = false
  publishFunds(state, FundsChange.Trades)
}

/**
 * Writes the fee of one side and its builder's part. A liquidation order pays its fee elsewhere.
 * @param rate millionths, below 0 for a rebate.
 */
function computeSide(state: ChargeFeesState, slot: number, rate: number, terms: FillTerms): void {
  const { fees, orders } = state
  if (rate === 0 || (orders.flags[slot] & OrderFlag.Liquidation) !== 0) return
  computeAtRate(state, rate, hasEarningBuilder(state, slot) ? fees.builder : 0, terms)
}

/** Writes the fee at a rate, and the builder's share of it. */
function computeAtRate(
  state: ChargeFeesState,
  rate: number,
  builderShare: number,
  terms: FillTerms,
): void {
  const { fees, instruments, marks } = state
  const { instrument } = terms
  fee.priceMicros = terms.priceMicros
  fee.sizeLots = terms.sizeLots
  if (instruments.isPerp(instrument)) {
    workOutPerpFee(fee, rate)
  } else {
    fee.indexMicros = indexMicrosOf(marks, instruments.underlying[instrument])
    workOutFee(fee, rate, fees.cap)
  }
  workOutBuilderFee(fee, builderShare)
  terms.feeMicros = fee.feeMicros
  terms.builderFeeMicros = fee.builderMicros
}

/** Returns true if the order names a builder that earns: an active one, other than the order's wallet. */
function hasEarningBuilder(state: ChargeFeesState, slot: number): boolean {
  const { accounts, builders, fees, orders, risk } = state
  if (fees.builder === 0 || orders.hasBuilder[slot] === 0) return false
  const { bytes } = orders.texts
  const at = orders.builderAt(slot)
  if (!builders.isActive(bytes, at)) return false
  const account = accounts.find(bytes, at)
  if (account === orders.account[slot]) return false
  // A builder does not consent to its credits, so they must not take its cash out of the exact range.
  return account < 0 || risk.cashMicros[account] < exactBound
}
