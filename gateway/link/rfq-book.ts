import { isFinalRfq, RfqKind, type RfqStatus, type Side } from '../../schemas/domain.js'
import {
  type AnyEvent,
  EventType,
  RfqEvent,
  RfqQuoteEvent,
} from '../../schemas/generated/events.js'
import { RfqQuoteChange } from '../../schemas/record-values.js'
import { formatUuid } from '../../schemas/uuid.js'
import { formatAddress } from '../../schemas/wallet.js'

/** Leg of an RFQ, from its taker's side. */
export interface KnownLeg {
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
}

/** Quote that is or was live. */
export interface KnownQuote {
  readonly id: string
  /** Lower-case address of its provider. */
  readonly provider: string
  readonly netPremiumMicros: number
  readonly expiresMillis: number
  isLive: boolean
}

/** Terms that the quotes of an auction are compared with. */
export interface AuctionMeasure {
  /** Price per contract. */
  readonly referenceMicros: number
  /** Minimum improvement of a quote, if an improvement is required. */
  readonly tickMicros: number
  readonly mustImprove: boolean
}

/** RFQ as known from the events, or an auction, which no taker requested. */
export interface KnownRfq {
  readonly id: string
  /** Lower-case address of the taker. */
  readonly wallet: string
  readonly kind: RfqKind
  readonly legs: readonly KnownLeg[]
  /** Limit of an auto-execute RFQ, as signed. For an auction the limit price of its order, per contract. */
  readonly limitMicros: number
  /** Terms of an auction; null for a taker's RFQ. */
  readonly auction: AuctionMeasure | null
  readonly createdMillis: number
  /** Last millisecond in which providers may quote. */
  readonly responseMillis: number
  readonly expiresMillis: number
  status: RfqStatus
  /** Lower-case addresses of providers. */
  readonly invited: Set<string>
  /** Quotes by id, in order of arrival. */
  readonly quotes: Map<string, KnownQuote>
}

/** RFQs retained after they ended, for late and duplicate acceptances. */
const endedMax = 4096
/** Auctions retained after they ended, for providers whose answers are late. */
const endedAuctionsMax = 256

const rfq = new RfqEvent()
const quote = new RfqQuoteEvent()

/**
 * Open RFQs and the latest closed ones, with the terms that acceptances sign. Also holds auctions, for the providers
 * invited to them; they are sealed, and takers cannot find them.
 */
export class RfqBook {
  readonly #rfqs = new Map<string, KnownRfq>()
  /** Ids of closed RFQs, oldest first. */
  readonly #ended = new Set<string>()
  readonly #endedAuctions = new Set<string>()

  /** Returns a taker's RFQ. */
  find(id: string): KnownRfq | undefined {
    const known = this.#rfqs.get(id)
    return known === undefined || known.auction !== null ? undefined : known
  }

  /** Returns an RFQ that providers may quote: a taker's, or an auction. */
  findRequested(id: string): KnownRfq | undefined {
    return this.#rfqs.get(id)
  }

  /** Forgets everything, after the pump may have read overwritten records. */
  clear(): void {
    this.#rfqs.clear()
    this.#ended.clear()
    this.#endedAuctions.clear()
  }

  /** Applies an Rfq or RfqQuote event. Ignores others. */
  take(event: AnyEvent): void {
    if (event.recordType === EventType.Rfq) this.#takeRfq(rfq.of(event))
    else if (event.recordType === EventType.RfqQuote) this.#takeQuote(quote.of(event))
  }

  #takeRfq(event: RfqEvent): void {
    const id = formatUuid(event.u8, event.rfqIdAt)
    const known = this.#rfqs.get(id)
    // A forgotten id may be used again.
    if (known !== undefined && known.createdMillis === event.createdMillis) {
      known.status = event.status
    } else {
      this.#ended.delete(id)
      this.#endedAuctions.delete(id)
      this.#rfqs.set(id, rfqOf(id, event))
    }
    if (isFinalRfq(event.status)) this.#end(this.#rfqs.get(id)!)
  }

  #takeQuote(event: RfqQuoteEvent): void {
    const known = this.#rfqs.get(formatUuid(event.u8, event.rfqIdAt))
    if (known === undefined) return
    const id = formatUuid(event.u8, event.quoteIdAt)
    const { change } = event
    if (change === RfqQuoteChange.Invited || change === RfqQuoteChange.Bootstrap) {
      known.invited.add(formatAddress(event.u8, event.walletAt))
    }
    const isLive = change === RfqQuoteChange.Made || change === RfqQuoteChange.Bootstrap
    const quote = known.quotes.get(id)
    if (quote !== undefined) quote.isLive = isLive
    else if (isLive && event.count > 0) known.quotes.set(id, quoteOf(id, event))
  }

  #end({ id, auction, quotes }: KnownRfq): void {
    for (const quote of quotes.values()) quote.isLive = false
    const ended = auction === null ? this.#ended : this.#endedAuctions
    ended.add(id)
    if (ended.size <= (auction === null ? endedMax : endedAuctionsMax)) return
    const [oldest] = ended
    ended.delete(oldest!)
    this.#rfqs.delete(oldest!)
  }
}

/** Returns live quotes, best for the taker first. Ids ascend in order of arrival. */
export function liveQuotes({ quotes }: KnownRfq): readonly KnownQuote[] {
  return [...quotes.values()]
    .filter(({ isLive }) => isLive)
    .sort(
      (one, other) => other.netPremiumMicros - one.netPremiumMicros || (one.id < other.id ? -1 : 1),
    )
}

function rfqOf(id: string, event: RfqEvent): KnownRfq {
  const { kind, limitMicros, status } = event
  const { createdMillis, responseMillis, expiresMillis } = event
  const legs = Array.from({ length: event.count }, (_, index) => {
    const { instrument, side, sizeLots } = event.legs(index)
    return { instrument, side, sizeLots }
  })
  const wallet = formatAddress(event.u8, event.walletAt)
  return {
    ...{ id, wallet, kind, legs, limitMicros, status },
    auction: kind === RfqKind.Auction ? auctionOf(event) : null,
    ...{ createdMillis, responseMillis, expiresMillis },
    ...{ invited: new Set(), quotes: new Map() },
  }
}

function auctionOf({ referenceMicros, tickMicros, mustImprove }: RfqEvent): AuctionMeasure {
  return { referenceMicros, tickMicros, mustImprove: mustImprove === 1 }
}

function quoteOf(id: string, event: RfqQuoteEvent): KnownQuote {
  const { netPremiumMicros, expiresMillis } = event
  const provider = formatAddress(event.u8, event.walletAt)
  return { id, provider, netPremiumMicros, expiresMillis, isLive: true }
}
