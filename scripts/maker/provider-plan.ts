import { createHash } from 'node:crypto'
import { netPremiumOf } from '../../gateway/client/net-premium-of.js'
import type { QuoteTerms, RfqRequest } from '../../gateway/client/quote-provider-client.js'
import type { RfqQuoteTerms } from '../../gateway/client/signed-actions.js'
import { decimalText, type PlannedQuote, requoteUrgency } from './quote-plan.js'

const rfqSizeFactor = 25 // contracts of one leg, in sizes of a quote in the book: 500,000 USD of the underlying
const validForMillis = 10_000 // longer than a person needs to accept
const scopeDigits = 32

/** Plans by symbol. */
export type QuotePlans = ReadonlyMap<string, PlannedQuote>

/** Scope of the indicative quotes on one underlying. */
export function scopeOf(underlying: string): string {
  return createHash('sha256').update(underlying).digest('hex').slice(0, scopeDigits)
}

/** What the maker shows as a provider: its own prices, for as much as it quotes firm. */
export function indicativeQuote({ symbol, bid, ask, size }: PlannedQuote): QuoteTerms {
  const most = decimalText(Number(size) * rfqSizeFactor)
  return { instrument: symbol, bidPrice: bid, askPrice: ask, maxBidSize: most, maxAskSize: most }
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
 * Firm quote at the prices that are shown: the taker buys at the ask and sells at the bid.
 * @returns null where a leg has no price, or is larger than what is shown.
 */
export function firmQuote(
  { rfq_id: rfqId, legs }: RfqRequest,
  shownOf: (symbol: string) => PlannedQuote | undefined,
): RfqQuoteTerms | null {
  const priced = []
  for (const leg of legs) {
    const plan = shownOf(leg.instrument)
    if (plan === undefined || Number(leg.size) > Number(plan.size) * rfqSizeFactor) return null
    priced.push({ ...leg, price: leg.side === 'buy' ? plan.ask : plan.bid })
  }
  return { rfqId, legs: priced, netPremium: netPremiumOf(priced), validForMillis }
}
