import { isFinalRfq, RfqKind, type Side } from '../../../schemas/domain.js'
import {
  type AnyEvent,
  EventType,
  InstrumentEvent,
  OutcomeEvent,
  RfqEvent,
  RfqQuoteEvent,
} from '../../../schemas/generated/events.js'
import { RfqQuoteChange } from '../../../schemas/record-values.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { addressBytes } from '../../../schemas/wallet.js'
import type { InstrumentTerms } from './published-auctions.js'

const instrumentEvent = new InstrumentEvent()
const event = new RfqEvent()
const quoteEvent = new RfqQuoteEvent()
const update = new OutcomeEvent()
const endedKept = 12

export interface PublishedLeg {
  readonly instrument: number
  readonly terms: InstrumentTerms | undefined
  readonly side: Side
  readonly sizeLots: number
}

/** Quote that was made, in whatever state. */
export interface PublishedQuote {
  readonly id: Uint8Array
  readonly netPremiumMicros: number
}

/** Request as its taker and its providers know it. */
export interface PublishedRfq {
  readonly id: Uint8Array
  /** Wallet of the taker. */
  readonly wallet: Uint8Array
  readonly kind: RfqKind
  readonly boundMicros: number
  readonly legs: readonly PublishedLeg[]
  /** Wallets of the invited providers. */
  readonly invited: Uint8Array[]
  readonly quotes: PublishedQuote[]
  /** Auction of an order that waits for quotes, else null. */
  readonly auctioned: PublishedAuctioned | null
}

/** Order that waits for quotes, and the terms that quotes are compared with. */
export interface PublishedAuctioned {
  readonly orderId: number
  readonly clientIdText: string
  readonly limitMicros: number
  readonly referenceMicros: number
  readonly tickMicros: number
  readonly mustImprove: boolean
  /** Number of provider answers so far, in time or late. */
  answers: number
}

/** Requests for quote, for simulated takers and providers: the open ones, and some ended ones. */
export class PublishedRfqs {
  readonly #instruments = new Map<number, InstrumentTerms>()
  readonly #open = new Map<string, PublishedRfq>()
  readonly #ended: PublishedRfq[] = []
  /** Ids of the order in the latest update. */
  #latest = { orderId: 0, clientIdText: '' }

  get open(): readonly PublishedRfq[] {
    return [...this.#open.values()]
  }

  /** Latest ended requests. */
  get ended(): readonly PublishedRfq[] {
    return this.#ended
  }

  /** Handles any event. */
  take(taken: AnyEvent): void {
    const type = taken.recordType
    if (type === EventType.BootstrapBegin) this.#open.clear()
    else if (type === EventType.Instrument) this.#noteInstrument(instrumentEvent.of(taken))
    else if (type === EventType.Rfq) this.#noteRfq(event.of(taken))
    else if (type === EventType.RfqQuote) this.#noteQuote(quoteEvent.of(taken))
    else if (type === EventType.OrderUpdate) {
      const { orderId, clientIdText } = update.of(taken).facts
      this.#latest = { orderId, clientIdText }
    }
  }

  #noteInstrument(published: InstrumentEvent): void {
    const { instrument, nameText: underlyingText, expiryDate, strikeMicros, right } = published
    this.#instruments.set(instrument, { underlyingText, expiryDate, strikeMicros, right })
  }

  #noteRfq(published: RfqEvent): void {
    const { rfqIdAt, status, u8, walletAt } = published
    const key = formatUuid(u8, rfqIdAt)
    const known = this.#open.get(key)
    if (isFinalRfq(status)) {
      this.#open.delete(key)
      if (known === undefined) return
      this.#ended.push(known)
      if (this.#ended.length > endedKept) this.#ended.shift()
    } else if (known === undefined) {
      const { boundMicros, count, kind } = published
      this.#open.set(key, {
        id: u8.slice(rfqIdAt, rfqIdAt + 16),
        wallet: u8.slice(walletAt, walletAt + addressBytes),
        kind,
        boundMicros,
        legs: Array.from({ length: count }, (_, index) => this.#legOf(published, index)),
        invited: [],
        quotes: [],
        auctioned: kind === RfqKind.Auction ? this.#auctionedOf(published) : null,
      })
    }
  }

  #auctionedOf(published: RfqEvent): PublishedAuctioned {
    const { limitMicros, mustImprove, orderId, referenceMicros, tickMicros } = published
    const { orderId: latestId, clientIdText } = this.#latest
    const fixed = { limitMicros, orderId, referenceMicros, tickMicros }
    const named = latestId === orderId ? clientIdText : ''
    return { ...fixed, clientIdText: named, mustImprove: mustImprove === 1, answers: 0 }
  }

  #legOf(published: RfqEvent, index: number): PublishedLeg {
    const { instrument, side, sizeLots } = published.legs(index)
    return { instrument, terms: this.#instruments.get(instrument), side, sizeLots }
  }

  #noteQuote(published: RfqQuoteEvent): void {
    const { change, netPremiumMicros, quoteIdAt, rfqIdAt, u8, walletAt } = published
    const row = this.#open.get(formatUuid(u8, rfqIdAt))
    if (row === undefined) return
    const isRequested = change === RfqQuoteChange.Invited || change === RfqQuoteChange.Bootstrap
    if (isRequested) row.invited.push(u8.slice(walletAt, walletAt + addressBytes))
    if (change !== RfqQuoteChange.Made) return
    row.quotes.push({ id: u8.slice(quoteIdAt, quoteIdAt + 16), netPremiumMicros })
  }
}
