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
import type { InstrumentTerms } from './told-auctions.js'

const instrumentEvent = new InstrumentEvent()
const event = new RfqEvent()
const quoteEvent = new RfqQuoteEvent()
const update = new OutcomeEvent()
const endedKept = 12

export interface ToldLeg {
  readonly instrument: number
  readonly terms: InstrumentTerms | undefined
  readonly side: Side
  readonly sizeLots: number
}

/** Quote that was made, in whatever state. */
export interface ToldQuote {
  readonly id: Uint8Array
  readonly netPremiumMicros: number
}

/** Request as its taker and its providers know it. */
export interface ToldRfq {
  readonly id: Uint8Array
  /** Wallet of the taker. */
  readonly wallet: Uint8Array
  readonly kind: RfqKind
  readonly boundMicros: number
  readonly legs: readonly ToldLeg[]
  /** Wallets of the invited providers. */
  readonly invited: Uint8Array[]
  readonly quotes: ToldQuote[]
  /** Auction of an order that waits for quotes, else null. */
  readonly auctioned: ToldAuctioned | null
}

/** Order that waits for quotes, and the terms that quotes are compared with. */
export interface ToldAuctioned {
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
export class ToldRfqs {
  readonly #instruments = new Map<number, InstrumentTerms>()
  readonly #open = new Map<string, ToldRfq>()
  readonly #ended: ToldRfq[] = []
  /** Ids of the order in the latest update. */
  #latest = { orderId: 0, clientIdText: '' }

  get open(): readonly ToldRfq[] {
    return [...this.#open.values()]
  }

  /** Latest ended requests. */
  get ended(): readonly ToldRfq[] {
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

  #noteInstrument(told: InstrumentEvent): void {
    const { instrument, nameText: underlyingText, expiryDate, strikeMicros, right } = told
    this.#instruments.set(instrument, { underlyingText, expiryDate, strikeMicros, right })
  }

  #noteRfq(told: RfqEvent): void {
    const { rfqIdAt, status, u8, walletAt } = told
    const key = formatUuid(u8, rfqIdAt)
    const known = this.#open.get(key)
    if (isFinalRfq(status)) {
      this.#open.delete(key)
      if (known === undefined) return
      this.#ended.push(known)
      if (this.#ended.length > endedKept) this.#ended.shift()
    } else if (known === undefined) {
      const { boundMicros, count, kind } = told
      this.#open.set(key, {
        id: u8.slice(rfqIdAt, rfqIdAt + 16),
        wallet: u8.slice(walletAt, walletAt + addressBytes),
        kind,
        boundMicros,
        legs: Array.from({ length: count }, (_, index) => this.#legOf(told, index)),
        invited: [],
        quotes: [],
        auctioned: kind === RfqKind.Auction ? this.#auctionedOf(told) : null,
      })
    }
  }

  #auctionedOf(told: RfqEvent): ToldAuctioned {
    const { limitMicros, mustImprove, orderId, referenceMicros, tickMicros } = told
    const { orderId: latestId, clientIdText } = this.#latest
    const fixed = { limitMicros, orderId, referenceMicros, tickMicros }
    const named = latestId === orderId ? clientIdText : ''
    return { ...fixed, clientIdText: named, mustImprove: mustImprove === 1, answers: 0 }
  }

  #legOf(told: RfqEvent, index: number): ToldLeg {
    const { instrument, side, sizeLots } = told.legs(index)
    return { instrument, terms: this.#instruments.get(instrument), side, sizeLots }
  }

  #noteQuote(told: RfqQuoteEvent): void {
    const { change, netPremiumMicros, quoteIdAt, rfqIdAt, u8, walletAt } = told
    const row = this.#open.get(formatUuid(u8, rfqIdAt))
    if (row === undefined) return
    const isAsked = change === RfqQuoteChange.Invited || change === RfqQuoteChange.Bootstrap
    if (isAsked) row.invited.push(u8.slice(walletAt, walletAt + addressBytes))
    if (change !== RfqQuoteChange.Made) return
    row.quotes.push({ id: u8.slice(quoteIdAt, quoteIdAt + 16), netPremiumMicros })
  }
}
