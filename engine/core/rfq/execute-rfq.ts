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
import { dropQuote, endRfq, publishRfqEnd, setStatus } from '../../rfq/rfq-states.js'
import {
  type ComboLegTerms,
  FillEffect,
  type FillTerms,
  fillTerms,
  LiquidationGate,
  MarginVerdict,
} from '../../risk/order-check.js'
import type { CoreState } from '../../state/core-state.js'
import type { Auction } from '../../state/rfq/auction-row.js'
import type { Invited, Rfq, RfqLeg, RfqQuote } from '../../state/rfq/rfq-row.js'
import { bookFee, payBuilder, workOutLegFees } from '../steps/charge-fees.js'
import { countLeg } from './count-rfq.js'

/** Both sides of every leg, with prices and fees. */
interface Sides {
  readonly made: readonly FillTerms[]
  readonly taken: readonly FillTerms[]
}

/** Terms on which a combo would execute. */
export interface Combo {
  readonly taker: number
  /** Slot of the order that takes it; `none` for a request. */
  readonly takerOrder: number
  readonly provider: number
  readonly legs: readonly RfqLeg[]
  readonly pricesMicros: readonly number[]
  readonly netPremiumMicros: number
}

const verdict = new MarginVerdict()
const madeEffect = new FillEffect()
const takenEffect = new FillEffect()

/** Details of the latest failure in this file. */
export const failureDetails = new Float64Array(detailsCount)

/** Checks whether the provider could execute a combo now, given all its positions and orders. */
export function checkProvider(state: CoreState, combo: Combo): Result {
  const bothSides = sidesOf(state, combo)
  if (typeof bothSides === 'number') return bothSides
  return checkSide(state, combo.provider, bothSides.made, LiquidationGate.ReducingOnly)
}

/** Result of an execution, and the side that caused a failure. */
export interface Execution {
  readonly result: Result
  readonly isProviderFailure: boolean
  /** Trade of the first leg; 0 if nothing was traded. */
  readonly fillId: number
}

/**
 * Executes a live quote: all legs in this step, or none. If the provider's margin fails, it loses the quote; if the
 * taker's margin fails, the request ends.
 */
export function executeQuote(state: CoreState, row: Rfq, invited: Invited): Execution {
  const { quote } = invited
  assert(quote !== null, 'execute: the quote is live')
  assert(quote.expiresMillis >= state.nowMillis, 'execute: the quote has not expired')
  assert(state.rfqs.find(row.key) === row, 'execute: the request is open')
  const { legs, account: taker } = row.terms
  const { netPremiumMicros, pricesMicros } = quote
  const provider = invited.account
  const bothSides = sidesOf(state, {
    ...{ taker, takerOrder: none, provider, legs, pricesMicros, netPremiumMicros },
  })
  if (typeof bothSides === 'number')
    return { result: bothSides, isProviderFailure: false, fillId: 0 }
  const providerResult = checkSide(state, provider, bothSides.made, LiquidationGate.ReducingOnly)
  if (providerResult !== Result.Accepted) {
    const facts = { reason: providerResult, details: failureDetails }
    dropQuote(state, row, invited, RfqQuoteChange.MarginRejected, facts)
    return { result: providerResult, isProviderFailure: true, fillId: 0 }
  }
  const takerResult = checkSide(state, taker, bothSides.taken, LiquidationGate.Closed)
  if (takerResult !== Result.Accepted) {
    endRfq(state, row, RfqStatus.Failed, takerResult, { details: failureDetails, quote })
    return { result: takerResult, isProviderFailure: false, fillId: 0 }
  }
  assert(
    premiumOf(bothSides.taken) === netPremiumMicros,
    'execute: leg premiums add up to the net premium',
  )
  setStatus(state, row, RfqStatus.Accepted, { quote })
  const fillId = state.tradeCount + 1
  for (const [index, made] of bothSides.made.entries()) {
    trade(state, row, quote, made, bothSides.taken[index], none)
  }
  revive(state, taker)
  revive(state, provider)
  publishRfqQuote(state, row, provider, RfqQuoteChange.Executed, quote)
  assert(state.tradeCount === fillId + legs.length - 1, 'execute: each leg has one trade')
  state.rfqs.end(row, RfqStatus.Executed)
  publishRfqEnd(state, row, { quote, fillId })
  return { result: Result.Accepted, isProviderFailure: false, fillId }
}

/**
 * Fills an order that waited for quotes with a live quote, whole. The order's reserve covers everything that its wallet
 * can lose, so only the provider's margin is checked. If it fails, the provider loses the quote.
 * @returns `Accepted`, or the reason why the order was not filled.
 */
export function fillByQuote(state: CoreState, { row, slot }: Auction, invited: Invited): Result {
  const { quote } = invited
  assert(quote !== null, 'execute: the quote is live')
  assert(quote.expiresMillis >= state.nowMillis, 'execute: the quote has not expired')
  const { legs, account: taker } = row.terms
  const { netPremiumMicros, pricesMicros } = quote
  const provider = invited.account
  const combo = { taker, takerOrder: slot, provider, legs, pricesMicros, netPremiumMicros }
  const bothSides = sidesOf(state, combo)
  const marginResult =
    typeof bothSides === 'number'
      ? bothSides
      : checkSide(state, provider, bothSides.made, LiquidationGate.ReducingOnly)
  if (typeof bothSides === 'number' || marginResult !== Result.Accepted) {
    const facts = { reason: marginResult, details: failureDetails }
    dropQuote(state, row, invited, RfqQuoteChange.MarginRejected, facts)
    return marginResult
  }
  assert(
    premiumOf(bothSides.taken) === netPremiumMicros,
    'execute: leg premiums add up to the net premium',
  )
  trade(state, row, quote, bothSides.made[0], bothSides.taken[0], slot)
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

/** @returns both sides, or the error if the legs have no prices. */
function sidesOf(state: CoreState, combo: Combo): Sides | Result {
  const { legs, netPremiumMicros, pricesMicros, provider, taker, takerOrder } = combo
  failureDetails.fill(0)
  const prices = priceLegs(state, legs, pricesMicros, netPremiumMicros, failureDetails)
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
 * Checks whether a wallet may trade its side of the legs.
 * @param closedFrom liquidation gate from which the wallet must not trade.
 */
function checkSide(
  state: CoreState,
  account: number,
  terms: readonly FillTerms[],
  closedFrom: number,
): Result {
  const { config, risk } = state
  const liquidation = liquidationGate(state, account)
  failureDetails.fill(0)
  if (liquidation >= closedFrom) return Result.AccountInLiquidation
  const legs = terms.map(legOf)
  const { positionsMax } = config.tiers[risk.tier[account]]
  const result = risk.checkCombo({ account, legs, liquidation, positionsMax }, verdict)
  failureDetails.set(verdict.details)
  return result
}

function legOf(terms: FillTerms): ComboLegTerms {
  const { feeMicros, instrument, premiumMicros, priceMicros, sizeLots } = terms
  const side = terms.side === Side.Buy ? Side.Buy : Side.Sell
  return { instrument, side, sizeLots, priceMicros, cashMicros: premiumMicros, feeMicros }
}

/**
 * Trades one leg: one trade, and a fill for each wallet.
 * @param slot order that takes it, or `none`.
 */
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
