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

/** A leg as its taker trades it. */
export interface KnownLeg {
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
}

/** A quote that was live once. */
export interface KnownQuote {
  readonly id: string
  /** Lower-case address of its provider. */
  readonly provider: string
  readonly netPremiumMicros: number
  readonly expiresMillis: number
  isLive: boolean
}

/** What the quotes of an auction are measured by. */
export interface AuctionMeasure {
  /** Price of a contract. */
  readonly referenceMicros: number
  /** By how much at least a quote is to be better, where it has to be. */
  readonly tickMicros: number
  readonly mustImprove: boolean
}

/** A request for quote as the events have told it, or an auction, which is nobody's request. */
export interface KnownRfq {
  readonly id: string
  /** Lower-case address of the taker. */
  readonly wallet: string
  readonly kind: RfqKind
  readonly legs: readonly KnownLeg[]
  /** Of one that is executed by itself, as signed; of an auction the limit price of its order, of a contract. */
  readonly limitMicros: number
  /** Of an auction; null of a taker's own request. */
  readonly auction: AuctionMeasure | null
  readonly createdMillis: number
  /** Last millisecond in which providers may quote. */
  readonly responseMillis: number
  readonly expiresMillis: number
  status: RfqStatus
  /** Lower-case addresses of providers. */
  readonly invited: Set<string>
  /** By id, in the order of their arrival. */
  readonly quotes: Map<string, KnownQuote>
}

/** Requests that have ended, which late and repeated acceptances name. */
const endedMax = 4096
/** Auctions that have: nobody but providers whose answers come late. */
const endedAuctionsMax = 256

const rfq = new RfqEvent()
const quote = new RfqQuoteEvent()

/**
 * Requests for quote that are open, and the latest that were: what an acceptance is signed over stands here. So do
 * auctions, for the providers that are asked in them; they are sealed, and no taker finds one.
 */
export class RfqBook {
  readonly #rfqs = new Map<string, KnownRfq>()
  /** Ids of those that have ended, the oldest first. */
  readonly #ended = new Set<string>()
  readonly #endedAuctions = new Set<string>()

  /** A taker's request. */
  find(id: string): KnownRfq | undefined {
    const known = this.#rfqs.get(id)
    return known === undefined || known.auction !== null ? undefined : known
  }

  /** What providers are asked for: a taker's request, or an auction. */
  findAsked(id: string): KnownRfq | undefined {
    return this.#rfqs.get(id)
  }

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#rfqs.clear()
    this.#ended.clear()
    this.#endedAuctions.clear()
  }

  /** Takes in an Rfq or RfqQuote event; others are none of its business. */
  take(event: AnyEvent): void {
    if (event.recordType === EventType.Rfq) this.#takeRfq(rfq.of(event))
    else if (event.recordType === EventType.RfqQuote) this.#takeQuote(quote.of(event))
  }

  #takeRfq(event: RfqEvent): void {
    const id = formatUuid(event.u8, event.rfqIdAt)
    const known = this.#rfqs.get(id)
    // An id that everybody has forgotten may be used again.
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

/** Live quotes, the best for the taker first. Their ids rise with their arrival. */
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
