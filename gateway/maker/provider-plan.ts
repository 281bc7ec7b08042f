import { createHash } from 'node:crypto'
import { netPremiumOf } from '../client/net-premium-of.js'
import type { QuoteTerms, RfqRequest } from '../client/quote-provider-client.js'
import type { RfqQuoteTerms } from '../client/signed-actions.js'
import { decimalText, type PlannedQuote, requoteUrgency, roundFigures } from './quote-plan.js'

const rfqSizeFactor = 25 // maximum size of a leg, in sizes of a quote in the book: 500,000 USD of the underlying
const spreadShare = 0.8 // of the spread in the book: an RFQ gets a better price than an order
const validForMillis = 10_000 // longer than a person needs to accept
const scopeDigits = 32

/** Plans by symbol. */
export type QuotePlans = ReadonlyMap<string, PlannedQuote>

/** Returns the scope of the indicative quotes on one underlying. */
export function scopeOf(underlying: string): string {
  return createHash('sha256').update(underlying).digest('hex').slice(0, scopeDigits)
}

/** Returns an indicative quote: prices better than those of its orders, for the size that it quotes firm. */
export function indicativeQuote(plan: PlannedQuote): QuoteTerms {
  const most = decimalText(Number(plan.size) * rfqSizeFactor)
  const [bidPrice, askPrice] = [shownPrice(plan, 'sell'), shownPrice(plan, 'buy')].map(decimalText)
  return { instrument: plan.symbol, bidPrice, askPrice, maxBidSize: most, maxAskSize: most }
}

/** Returns the indicative price for a taker of this side, in USD. A buyer gets the ask. */
function shownPrice({ bid, ask }: PlannedQuote, side: string): number {
  const middle = (Number(bid) + Number(ask)) / 2
  const half = (Number(ask) - middle) * spreadShare
  return side === 'buy'
    ? roundFigures(middle + half, Math.ceil)
    : roundFigures(middle - half, Math.floor)
}

/** Returns the indicative price, or the required improvement if it is still profitable. */
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

/** Returns true if plans differ from those shown: in their instruments, or by half of a half spread in price. */
export function haveMoved(shown: QuotePlans, plans: QuotePlans): boolean {
  if (shown.size !== plans.size) return true
  for (const { symbol, theo } of plans.values()) {
    const known = shown.get(symbol)
    if (known === undefined || requoteUrgency(known, theo) >= 1) return true
  }
  return false
}

/**
 * Returns a firm quote at the indicative prices, or at better ones if the request requires it.
 * @returns null if a leg has no price, or exceeds the indicative size.
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
