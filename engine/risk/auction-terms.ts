import { assert } from '../../schemas/assert.js'
import { ceilDiv, floorDiv, millionths, ratioScale } from './exact-share.js'
import type { LiquidationParameters } from './liquidation-parameters.js'

// Formulas of the full phase.

/** A fraction at or above 0. */
export interface Fraction {
  readonly numerator: bigint
  readonly divisor: bigint
}

/** What a bid is for, and what it has to pay. */
export interface AuctionTerms {
  /** Share of every position and of the cash that changes hands. */
  readonly share: Fraction
  /** What the bidder pays, up to the next micro; below 0: is paid by the insurance fund. */
  readonly requiredMicros: number
}

/** An account in auction, at one moment. */
export interface AuctionState {
  readonly equityMicros: number
  readonly maintenanceMicros: number
  readonly nowMillis: number
  readonly begunMillis: number
  /** Since when equity is gone; 0: it is not. */
  readonly insolventMillis: number
}

const whole: Fraction = { numerator: 1n, divisor: 1n }
const nothing: Fraction = { numerator: 0n, divisor: 1n }

/** Price of the auction as a share of the account's worth, `sinceMillis` after its begin. */
export function priceShareAfter(parameters: LiquidationParameters, sinceMillis: number): Fraction {
  const { auctionStart, auctionFastEnd, auctionFastSeconds, auctionSlowSeconds } = parameters
  assert(sinceMillis >= 0, 'auction: it began before now')
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
 * Terms of the auction now. Solvent: the share that restores equity to the buffer, for its falling price. Insolvent:
 * everything, and the bidder is paid.
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

/** What a bidder for an insolvent account is offered by the insurance fund. */
export function insolventMicros(parameters: LiquidationParameters, account: AuctionState): number {
  const { equityMicros, maintenanceMicros, nowMillis, insolventMillis } = account
  const whole = BigInt(maintenanceMicros) - BigInt(equityMicros)
  const rampMillis = Math.round(parameters.insolventSeconds * 1000)
  const sinceMillis = insolventMillis === 0 ? 0 : nowMillis - insolventMillis
  if (sinceMillis >= rampMillis) return Number(whole)
  return Number(floorDiv(whole * BigInt(sinceMillis), BigInt(rampMillis)))
}

/**
 * How long after its begin the offer for an insolvent account grows above what the insurance fund holds.
 * @param wholeMicros offered at the end of the ramp.
 * @returns whole milliseconds, Infinity when the fund can pay all of it.
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

/** The share of an amount or a size, toward 0: what the account keeps is never too little. */
export function shareOf(share: Fraction, amount: number): number {
  const isShare = share.numerator >= 0n && share.numerator <= share.divisor
  assert(isShare, 'liquidation auction: the share is between 0 and 1')
  const part = (BigInt(Math.abs(amount)) * share.numerator) / share.divisor
  return amount < 0 ? -Number(part) + 0 : Number(part)
}
