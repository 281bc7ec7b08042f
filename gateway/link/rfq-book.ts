import { isFinalRfq, type RfqKind, type RfqStatus, type Side } from '../../schemas/domain.js'
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

/** A request for quote as the events have told it. */
export interface KnownRfq {
  readonly id: string
  /** Lower-case address of the taker. */
  readonly wallet: string
  readonly kind: RfqKind
  readonly legs: readonly KnownLeg[]
  /** Of one that is executed by itself, as signed. */
  readonly limitMicros: number
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

const rfq = new RfqEvent()
const quote = new RfqQuoteEvent()

/** Requests for quote that are open, and the latest that were: what an acceptance is signed over stands here. */
export class RfqBook {
  readonly #rfqs = new Map<string, KnownRfq>()
  /** Ids of those that have ended, the oldest first. */
  readonly #ended = new Set<string>()

  find(id: string): KnownRfq | undefined {
    return this.#rfqs.get(id)
  }

  /** Forgets all: it may have read what was no event. */
  clear(): void {
    this.#rfqs.clear()
    this.#ended.clear()
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
      this.#rfqs.set(id, rfqOf(id, event))
    }
    if (isFinalRfq(event.status)) this.#end(id)
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

  #end(id: string): void {
    for (const quote of this.#rfqs.get(id)!.quotes.values()) quote.isLive = false
    this.#ended.add(id)
    if (this.#ended.size <= endedMax) return
    const [oldest] = this.#ended
    this.#ended.delete(oldest!)
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
    ...{ createdMillis, responseMillis, expiresMillis },
    ...{ invited: new Set(), quotes: new Map() },
  }
}

function quoteOf(id: string, event: RfqQuoteEvent): KnownQuote {
  const { netPremiumMicros, expiresMillis } = event
  const provider = formatAddress(event.u8, event.walletAt)
  return { id, provider, netPremiumMicros, expiresMillis, isLive: true }
}
