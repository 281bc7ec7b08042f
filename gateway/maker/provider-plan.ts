import { createHash } from 'node:crypto'
import { netPremiumOf } from '../client/net-premium-of.js'
import type { QuoteTerms, RfqRequest } from '../client/quote-provider-client.js'
import type { RfqQuoteTerms } from '../client/signed-actions.js'
import { decimalText, type PlannedQuote, requoteUrgency, roundFigures } from './quote-plan.js'

const rfqSizeFactor = 25 // contracts of one leg, in sizes of a quote in the book: 500,000 USD of the underlying
const spreadShare = 0.8 // of the spread in the book: who asks is served better than who takes
const validForMillis = 10_000 // longer than a person needs to accept
const scopeDigits = 32

/** Plans by symbol. */
export type QuotePlans = ReadonlyMap<string, PlannedQuote>

/** Scope of the indicative quotes on one underlying. */
export function scopeOf(underlying: string): string {
  return createHash('sha256').update(underlying).digest('hex').slice(0, scopeDigits)
}

/** What the maker shows as a provider: prices within those of its orders, for as much as it quotes firm. */
export function indicativeQuote(plan: PlannedQuote): QuoteTerms {
  const most = decimalText(Number(plan.size) * rfqSizeFactor)
  const [bidPrice, askPrice] = [shownPrice(plan, 'sell'), shownPrice(plan, 'buy')].map(decimalText)
  return { instrument: plan.symbol, bidPrice, askPrice, maxBidSize: most, maxAskSize: most }
}

/** Price that a taker of this side is shown, USD: it buys at the ask. */
function shownPrice({ bid, ask }: PlannedQuote, side: string): number {
  const middle = (Number(bid) + Number(ask)) / 2
  const half = (Number(ask) - middle) * spreadShare
  return side === 'buy'
    ? roundFigures(middle + half, Math.ceil)
    : roundFigures(middle - half, Math.floor)
}

/** The same, or as much better as a quote has to be to help, where that still leaves something to earn. */
function firmPrice(request: RfqRequest, plan: PlannedQuote, side: string): number {
  const { reference_price: reference, min_improvement_tick: tick } = request
  const price = shownPrice(plan, side)
  if (!request.requires_price_improvement) return price
  const isBuy = side === 'buy'
  const wanted = isBuy ? Number(reference) - Number(tick) : Number(reference) + Number(tick)
  const earns = isBuy ? wanted > plan.theo : wanted < plan.theo
  if (!earns) return price
  return isBuy ? Math.min(price, wanted) : Math.max(price, wanted)
}

/** Whether plans have left those that are shown: another instrument, or a price half of its half spread away. */
export function haveMoved(shown: QuotePlans, plans: QuotePlans): boolean {
  if (shown.size !== plans.size) return true
  for (const { symbol, theo } of plans.values()) {
    const known = shown.get(symbol)
    if (known === undefined || requoteUrgency(known, theo) >= 1) return true
  }
  return false
}

/**
 * Firm quote at the prices that are shown, or better ones where the request is for no less.
 * @returns null where a leg has no price, or is larger than what is shown.
 */
export function firmQuote(
  request: RfqRequest,
  shownOf: (symbol: string) => PlannedQuote | undefined,
): RfqQuoteTerms | null {
  const { rfq_id: rfqId, legs } = request
  const priced = []
  for (const leg of legs) {
    const plan = shownOf(leg.instrument)
    if (plan === undefined || Number(leg.size) > Number(plan.size) * rfqSizeFactor) return null
    priced.push({ ...leg, price: decimalText(firmPrice(request, plan, leg.side)) })
  }
  return { rfqId, legs: priced, netPremium: netPremiumOf(priced), validForMillis }
}
