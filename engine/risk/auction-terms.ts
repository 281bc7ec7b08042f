import { assert } from '../../schemas/assert.js'
import { ceilDiv, floorDiv, millionths, ratioScale } from './exact-share.js'
import type { LiquidationParameters } from './liquidation-parameters.js'

// Formulas of the full liquidation phase.

/** Fraction that is not negative. */
export interface Fraction {
  readonly numerator: bigint
  readonly divisor: bigint
}

/** Share of the account that a bid buys, and the payment it requires. */
export interface AuctionTerms {
  /** Share of each position and of the cash that changes hands. */
  readonly share: Fraction
  /** Payment of the bidder, rounded up to the next micro. If negative, the insurance fund pays it. */
  readonly requiredMicros: number
}

/** Account in auction at one moment. */
export interface AuctionState {
  readonly equityMicros: number
  readonly maintenanceMicros: number
  readonly nowMillis: number
  readonly begunMillis: number
  /** Time since when equity is 0 or below; 0 if it is positive. */
  readonly insolventMillis: number
}

const whole: Fraction = { numerator: 1n, divisor: 1n }
const nothing: Fraction = { numerator: 0n, divisor: 1n }

/** Returns the price of the auction as a share of the account's value, `sinceMillis` after its start. */
export function priceShareAfter(parameters: LiquidationParameters, sinceMillis: number): Fraction {
  const { auctionStart, auctionFastEnd, auctionFastSeconds, auctionSlowSeconds } = parameters
  assert(sinceMillis >= 0, 'auction: the start is not in the future')
  const since = BigInt(sinceMillis)
  const fast = BigInt(Math.round(auctionFastSeconds * 1000))
  const end = millionths(auctionFastEnd)
  if (since <= fast) {
    const start = millionths(auctionStart)
    if (fast === 0n) return { numerator: start, divisor: ratioScale }
    return { numerator: start * fast - (start - end) * since, divisor: ratioScale * fast }
  }
  const slow = BigInt(Math.round(auctionSlowSeconds * 1000))
  const left = slow - (since - fast)
  return left <= 0n ? nothing : { numerator: end * left, divisor: ratioScale * slow }
}

/**
 * Returns the terms of the auction now. A solvent account offers the share that restores its equity to the buffer, at
 * the falling price. An insolvent account offers everything, and the insurance fund pays the bidder.
 */
export function auctionTerms(
  parameters: LiquidationParameters,
  account: AuctionState,
): AuctionTerms {
  const { equityMicros, maintenanceMicros, nowMillis, begunMillis } = account
  if (equityMicros <= 0) {
    return { share: whole, requiredMicros: -insolventMicros(parameters, account) + 0 }
  }
  const equity = BigInt(equityMicros)
  const buffer = millionths(parameters.auctionBuffer)
  const missing = buffer * BigInt(maintenanceMicros) - ratioScale * equity
  if (missing <= 0n) return { share: nothing, requiredMicros: 0 }
  const price = priceShareAfter(parameters, nowMillis - begunMillis)
  const numerator = missing * price.divisor
  const divisor = numerator + ratioScale * equity * price.numerator
  const paid = ceilDiv(numerator * price.numerator * equity, divisor * price.divisor)
  return { share: { numerator, divisor }, requiredMicros: Number(paid) }
}

/** Returns the amount that the insurance fund offers to the bidder of an insolvent account, in micros. */
export function insolventMicros(parameters: LiquidationParameters, account: AuctionState): number {
  const { equityMicros, maintenanceMicros, nowMillis, insolventMillis } = account
  const whole = BigInt(maintenanceMicros) - BigInt(equityMicros)
  const rampMillis = Math.round(parameters.insolventSeconds * 1000)
  const sinceMillis = insolventMillis === 0 ? 0 : nowMillis - insolventMillis
  if (sinceMillis >= rampMillis) return Number(whole)
  return Number(floorDiv(whole * BigInt(sinceMillis), BigInt(rampMillis)))
}

/**
 * Returns the time from the start of the ramp at which the offer for an insolvent account exceeds the money of the
 * insurance fund.
 * @param wholeMicros offer at the end of the ramp.
 * @returns whole milliseconds; Infinity if the fund can pay the whole offer.
 */
export function unpayableAfter(
  parameters: LiquidationParameters,
  wholeMicros: number,
  heldMicros: number,
): number {
  if (wholeMicros <= heldMicros) return Number.POSITIVE_INFINITY
  const rampMillis = Math.round(parameters.insolventSeconds * 1000)
  return Number(ceilDiv(BigInt(heldMicros + 1) * BigInt(rampMillis), BigInt(wholeMicros)))
}

/** Returns the share of an amount or a size, rounded toward 0. The account therefore never keeps too little. */
export function shareOf(share: Fraction, amount: number): number {
  const isShare = share.numerator >= 0n && share.numerator <= share.divisor
  assert(isShare, 'liquidation auction: the share is between 0 and 1')
  const part = (BigInt(Math.abs(amount)) * share.numerator) / share.divisor
  return amount < 0 ? -Number(part) + 0 : Number(part)
}
