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
 * Works out the fees of both sides of a fill together, into their terms, which say none. A rebate and what builders get
 * are at most what the same fill brings in, and the rebate gives way first: so no fill takes money out of the fee
 * account. An option's fee is a share of the latest index, however old: no order was admitted without one, and a batch
 * ends before the index moves under orders that are with matchers.
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
  workOutSide(state, maker, isPerp ? fees.perpMaker : fees.maker, made)
  workOutSide(state, taker, isPerp ? fees.perpTaker : fees.taker, taken)
  balanceFees(state, made, taken)
}

/**
 * The same for an option that trades off the book, where nobody's order makes it, and so no builder gets anything of it.
 * @param taker order that takes it, `none` where no order does.
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
  workOutRate(state, fees.maker, 0, made)
  if (taker === none) workOutRate(state, fees.taker, 0, taken)
  else workOutSide(state, taker, fees.taker, taken)
  balanceFees(state, made, taken)
}

function balanceFees({ funds }: ChargeFeesState, made: FillTerms, taken: FillTerms): void {
  const paid = Math.max(0, made.feeMicros) + Math.max(0, taken.feeMicros)
  const left = paid - made.builderFeeMicros - taken.builderFeeMicros
  // Of two sides with a rebate nobody pays, so neither gets one; else there is one at most.
  made.feeMicros = Math.max(-left, made.feeMicros) + 0
  taken.feeMicros = Math.max(-left, taken.feeMicros) + 0
  const venueMicros = made.feeMicros + taken.feeMicros
  const builderMicros = made.builderFeeMicros + taken.builderFeeMicros
  assert(venueMicros >= builderMicros, 'fees: a trade never costs the fee account')
  // An account that can take no more exactly takes nothing.
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

/** Credits an order's builder with its part of a fee, when the fill has been told; its first credit opens its account. */
export function payBuilder(state: ChargeFeesState, slot: number, effect: FillEffect): void {
  const { orders, risk } = state
  assert(effect.builderFeeMicros > 0, 'fees: the builder fee is positive')
  assert(orders.hasBuilder[slot] === 1, 'fees: the order names a builder')
  const builder = accountFor(state, orders.texts.bytes, orders.builderAt(slot))
  risk.creditCash(builder, effect.builderFeeMicros)
  publishAccount(state, builder, AccountChange.BuilderFee, effect.builderFeeMicros)
}

/** Tells what the trades of a batch have left in the fee account. */
export function tellFees(state: ChargeFeesState): void {
  assert(state.funds.balanceMicros[Fund.Fees] >= 0, 'fees: the fee account never goes negative')
  state.funds.hasUntoldFees = false
  publishFunds(state, FundsChange.Trades)
}

/**
 * Writes the fee of one side and its builder's part. An order of a liquidation pays its fee elsewhere.
 * @param rate millionths, below 0 for a rebate.
 */
function workOutSide(state: ChargeFeesState, slot: number, rate: number, terms: FillTerms): void {
  const { fees, orders } = state
  if (rate === 0 || (orders.flags[slot] & OrderFlag.Liquidation) !== 0) return
  workOutRate(state, rate, hasEarningBuilder(state, slot) ? fees.builder : 0, terms)
}

/** Writes the fee at a rate into terms, and a builder's share of it. */
function workOutRate(
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

/** Whether an order names a builder that earns by it: one of the operator's, and not its own wallet. */
function hasEarningBuilder(state: ChargeFeesState, slot: number): boolean {
  const { accounts, builders, fees, orders, risk } = state
  if (fees.builder === 0 || orders.hasBuilder[slot] === 0) return false
  const { bytes } = orders.texts
  const at = orders.builderAt(slot)
  if (!builders.isActive(bytes, at)) return false
  const account = accounts.find(bytes, at)
  if (account === orders.account[slot]) return false
  // Nobody asks a builder about its credits: they may not take it out of the range of exact sums.
  return account < 0 || risk.cashMicros[account] < exactBound
}
