import { assert } from '../../../schemas/assert.js'
import { detailsCount } from '../../../schemas/bounds.js'
import { RfqStatus, Side } from '../../../schemas/domain.js'
import { RfqQuoteChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { liquidationGate, revive } from '../../lifecycle/liquidation-gate.js'
import { noteMoved } from '../../lifecycle/liquidation-orders.js'
import { none } from '../../memory/rows.js'
import { publishLegFill, publishLegTrade, publishRfqQuote } from '../../publish/publish-rfq.js'
import type { LegPrice } from '../../rfq/leg-prices.js'
import { priceLegs } from '../../rfq/price-legs.js'
import { dropQuote, endRfq, setStatus, tellEnd } from '../../rfq/rfq-states.js'
import {
  FillEffect,
  type FillTerms,
  fillTerms,
  LiquidationGate,
  MarginVerdict,
  type PackageLeg,
} from '../../risk/order-check.js'
import type { CoreState } from '../../state/core-state.js'
import type { Auction } from '../../state/rfq/auction-row.js'
import type { Invited, Rfq, RfqLeg, RfqQuote } from '../../state/rfq/rfq-row.js'
import { bookFee, payBuilder, workOutLegFees } from '../steps/charge-fees.js'
import { countLeg } from './count-rfq.js'

/** Both sides of every leg, at prices and with fees. */
interface Deal {
  readonly made: readonly FillTerms[]
  readonly taken: readonly FillTerms[]
}

/** What a package would be carried out with. */
export interface Package {
  readonly taker: number
  /** Slot of the order that takes it, `none` where it was asked for by request. */
  readonly takerOrder: number
  readonly provider: number
  readonly legs: readonly RfqLeg[]
  readonly pricesMicros: readonly number[]
  readonly netPremiumMicros: number
}

const verdict = new MarginVerdict()
const madeEffect = new FillEffect()
const takenEffect = new FillEffect()

/** Values that the text of the latest refusal of this file names. */
export const refusalDetails = new Float64Array(detailsCount)

/** Whether the provider could carry a package out now, with all that it has and has working. */
export function checkProvider(state: CoreState, offered: Package): Result {
  const deal = dealOf(state, offered)
  if (typeof deal === 'number') return deal
  return judge(state, offered.provider, deal.made, LiquidationGate.ReducingOnly)
}

/** What has become of an execution, and of which side it has failed. */
export interface Execution {
  readonly result: Result
  readonly isProviders: boolean
  /** Trade of the first leg; 0: nothing was traded. */
  readonly fillId: number
}

/**
 * Carries a live quote out: all legs in this step, or nothing. A provider that cannot bear it loses the quote, a taker
 * that cannot the request.
 */
export function executeQuote(state: CoreState, row: Rfq, invited: Invited): Execution {
  const { quote } = invited
  assert(quote !== null, 'execute: the quote is live')
  assert(quote.expiresMillis >= state.nowMillis, 'execute: the quote has not expired')
  assert(state.rfqs.find(row.key) === row, 'execute: the request is open')
  const { legs, account: taker } = row.terms
  const { netPremiumMicros, pricesMicros } = quote
  const provider = invited.account
  const deal = dealOf(state, {
    ...{ taker, takerOrder: none, provider, legs, pricesMicros, netPremiumMicros },
  })
  if (typeof deal === 'number') return { result: deal, isProviders: false, fillId: 0 }
  const borne = judge(state, provider, deal.made, LiquidationGate.ReducingOnly)
  if (borne !== Result.Accepted) {
    const facts = { reason: borne, details: refusalDetails }
    dropQuote(state, row, invited, RfqQuoteChange.MarginRejected, facts)
    return { result: borne, isProviders: true, fillId: 0 }
  }
  const taken = judge(state, taker, deal.taken, LiquidationGate.Closed)
  if (taken !== Result.Accepted) {
    endRfq(state, row, RfqStatus.Failed, taken, { details: refusalDetails, quote })
    return { result: taken, isProviders: false, fillId: 0 }
  }
  assert(
    premiumOf(deal.taken) === netPremiumMicros,
    'execute: leg premiums add up to the net premium',
  )
  setStatus(state, row, RfqStatus.Accepted, { quote })
  const fillId = state.tradeCount + 1
  for (const [index, made] of deal.made.entries()) {
    trade(state, row, quote, made, deal.taken[index], none)
  }
  revive(state, taker)
  revive(state, provider)
  publishRfqQuote(state, row, provider, RfqQuoteChange.Executed, quote)
  assert(state.tradeCount === fillId + legs.length - 1, 'execute: each leg has one trade')
  state.rfqs.end(row, RfqStatus.Executed)
  tellEnd(state, row, { quote, fillId })
  return { result: Result.Accepted, isProviders: false, fillId }
}

/**
 * Fills an order that has waited for quotes with a live one, whole: what is reserved for the order is what its wallet
 * may lose by it, so the provider alone is judged. One that cannot bear it loses the quote.
 * @returns why it was not filled.
 */
export function fillByQuote(state: CoreState, { row, slot }: Auction, invited: Invited): Result {
  const { quote } = invited
  assert(quote !== null, 'execute: the quote is live')
  assert(quote.expiresMillis >= state.nowMillis, 'execute: the quote has not expired')
  const { legs, account: taker } = row.terms
  const { netPremiumMicros, pricesMicros } = quote
  const provider = invited.account
  const offered = { taker, takerOrder: slot, provider, legs, pricesMicros, netPremiumMicros }
  const deal = dealOf(state, offered)
  const refusal =
    typeof deal === 'number'
      ? deal
      : judge(state, provider, deal.made, LiquidationGate.ReducingOnly)
  if (typeof deal === 'number' || refusal !== Result.Accepted) {
    const facts = { reason: refusal, details: refusalDetails }
    dropQuote(state, row, invited, RfqQuoteChange.MarginRejected, facts)
    return refusal
  }
  assert(
    premiumOf(deal.taken) === netPremiumMicros,
    'execute: leg premiums add up to the net premium',
  )
  trade(state, row, quote, deal.made[0], deal.taken[0], slot)
  assert(state.orders.openLots[slot] === 0, 'execute: the quote fills the whole order')
  revive(state, taker)
  revive(state, provider)
  publishRfqQuote(state, row, provider, RfqQuoteChange.Executed, quote)
  return Result.Accepted
}

/** Returns the net premium that the legs pay their wallet, micros. */
function premiumOf(legs: readonly FillTerms[]): number {
  let sum = 0
  for (const { premiumMicros, side } of legs) {
    sum += side === Side.Buy ? -premiumMicros : premiumMicros
  }
  return sum
}

/** @returns why nobody could carry it out: its legs have no prices. */
function dealOf(state: CoreState, offered: Package): Deal | Result {
  const { legs, netPremiumMicros, pricesMicros, provider, taker, takerOrder } = offered
  refusalDetails.fill(0)
  const prices = priceLegs(state, legs, pricesMicros, netPremiumMicros, refusalDetails)
  if (typeof prices === 'number') return prices
  const taken = legs.map((leg, index) => termsOf(taker, leg, leg.side, prices[index]))
  const made = legs.map((leg, index) =>
    termsOf(provider, leg, leg.side === Side.Buy ? Side.Sell : Side.Buy, prices[index]),
  )
  for (const [index, terms] of made.entries()) {
    workOutLegFees(state, terms, taken[index], takerOrder)
  }
  return { made, taken }
}

function termsOf(
  account: number,
  { instrument, sizeLots }: RfqLeg,
  side: Side,
  { cashMicros, priceMicros }: LegPrice,
): FillTerms {
  return fillTerms({ account, instrument, side, sizeLots, priceMicros, premiumMicros: cashMicros })
}

/**
 * Whether a wallet may trade its side of the legs.
 * @param closedFrom the place in liquidation from which on it may not trade at all.
 */
function judge(
  state: CoreState,
  account: number,
  terms: readonly FillTerms[],
  closedFrom: number,
): Result {
  const { config, risk } = state
  const liquidation = liquidationGate(state, account)
  refusalDetails.fill(0)
  if (liquidation >= closedFrom) return Result.AccountInLiquidation
  const legs = terms.map(legOf)
  const { positionsMax } = config.tiers[risk.tier[account]]
  const result = risk.checkPackage({ account, legs, liquidation, positionsMax }, verdict)
  refusalDetails.set(verdict.details)
  return result
}

function legOf(terms: FillTerms): PackageLeg {
  const { feeMicros, instrument, premiumMicros, priceMicros, sizeLots } = terms
  const side = terms.side === Side.Buy ? Side.Buy : Side.Sell
  return { instrument, side, sizeLots, priceMicros, cashMicros: premiumMicros, feeMicros }
}

/** One leg: a trade, and a fill of each wallet. @param slot of the order that takes it, or `none`. */
function trade(
  state: CoreState,
  row: Rfq,
  quote: RfqQuote,
  made: FillTerms,
  taken: FillTerms,
  slot: number,
): void {
  const isTrade = made.side !== taken.side && made.account !== taken.account
  assert(isTrade, 'leg: two wallets trade opposite sides of it')
  assert(made.premiumMicros === taken.premiumMicros, 'leg: both sides have the same premium')
  state.tradeCount++
  if (slot !== none) state.fillOrder(slot, taken)
  applySide(state, made, madeEffect)
  applySide(state, taken, takenEffect)
  publishLegTrade(state, made, taken, madeEffect.feeMicros, takenEffect.feeMicros)
  publishLegFill(state, row, quote, made, madeEffect)
  publishLegFill(state, row, quote, taken, takenEffect, slot)
  if (takenEffect.builderFeeMicros > 0) payBuilder(state, slot, takenEffect)
  countLeg(state, made, false)
  countLeg(state, taken, true)
  noteMoved(state, made.account, made.instrument)
  noteMoved(state, taken.account, taken.instrument)
}

function applySide(state: CoreState, terms: FillTerms, effect: FillEffect): void {
  state.risk.limits.forget(terms.account)
  if (state.fees.isCharging) bookFee(state, terms)
  state.risk.fill(terms, effect)
}
