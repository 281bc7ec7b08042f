import { RfqStatus, Side } from '../../../schemas/domain.js'
import type { RfqEvent, RfqQuoteEvent } from '../../../schemas/generated/events.js'
import { RfqChange, RfqQuoteChange } from '../../../schemas/record-values.js'
import { formatUuid } from '../../../schemas/uuid.js'
import { mustHold } from '../run/simulation-errors.js'
import { isWithin } from './book-offer.js'
import type { Counting } from './counting-rows.js'

/** Maximum number of quotes that a provider may make for one order. */
const quotesMost = 2

const { Bootstrap, Declined, Executed, Expired, Invited, Left, Made, MarginRejected, Replaced } =
  RfqQuoteChange

/** Live quote for an order that waits. */
export interface AuctionQuote {
  readonly key: string
  /** Sequence of its event: of two equal quotes the earlier is better. */
  readonly seq: number
  readonly priceMicros: number
  readonly netPremiumMicros: number
  readonly expiresMillis: number
}

/** Invited provider. */
export class AskedProvider {
  isAnswered = false
  /** True if its latest answer is a decline. */
  hasDeclined = false
  quoteCount = 0
  quote: AuctionQuote | null = null
}

/** Order that waits for quotes, as the events of its auction describe it. */
export class WaitingOrder {
  readonly key: string
  readonly orderId: number
  readonly account: number
  readonly instrument: number
  readonly side: Side
  readonly sizeLots: number
  readonly limitMicros: number
  readonly referenceMicros: number
  readonly tickMicros: number
  readonly mustImprove: boolean
  readonly createdMillis: number
  readonly responseMillis: number
  readonly asked = new Map<number, AskedProvider>()
  /** True if it began before the reader, which does not know the earlier answers. */
  readonly isOlder: boolean
  /** Providers it must invite; null if unknown. */
  counting: Counting | null = null
  /** True if its market was halted since it began, or has ended. */
  isHalted = false
  /** True if its order was published as cancelled: it must end so in this step. */
  isCanceled = false
  /** Winning quote, or null. */
  winner: AuctionQuote | null = null

  constructor(published: RfqEvent) {
    const { instrument, side, sizeLots } = published.legs(0)
    this.key = formatUuid(published.u8, published.rfqIdAt)
    this.orderId = published.orderId
    this.account = published.account
    this.instrument = instrument
    this.side = side
    this.sizeLots = sizeLots
    this.limitMicros = published.limitMicros
    this.referenceMicros = published.referenceMicros
    this.tickMicros = published.tickMicros
    this.mustImprove = published.mustImprove === 1
    this.createdMillis = published.createdMillis
    this.responseMillis = published.responseMillis
    this.isOlder = published.change === RfqChange.Bootstrap
    mustHold(
      published.count === 1,
      () => `order ${this.orderId} waits with ${published.count} legs`,
    )
  }

  /** Worst price of a contract that a quote may have. */
  get worstMicros(): number {
    const { limitMicros, mustImprove, referenceMicros, side, tickMicros } = this
    if (!mustImprove) return limitMicros
    return side === Side.Buy
      ? Math.min(limitMicros, referenceMicros - tickMicros)
      : Math.max(limitMicros, referenceMicros + tickMicros)
  }

  get isAnswered(): boolean {
    return [...this.asked.values()].every(({ isAnswered }) => isAnswered)
  }

  /** Handles an event of one of its providers. */
  noteQuote(published: RfqQuoteEvent): void {
    const { account, change, quoteIdAt, u8 } = published
    mustHold(account !== this.account, () => `order ${this.orderId} asks its own wallet`)
    if (change === Invited || change === Bootstrap) {
      this.asked.set(account, new AskedProvider())
      if (change === Bootstrap) this.#noteKnown(published)
      return
    }
    const provider = this.asked.get(account)
    const what = () => `order ${this.orderId}: account ${account} was not asked`
    mustHold(provider !== undefined, what)
    const key = formatUuid(u8, quoteIdAt)
    if (change === Made) this.#noteMade(provider, published)
    else if (change === Declined || change === Left) {
      provider.isAnswered = true
      provider.hasDeclined = change === Declined
    } else if (change === Executed) this.#noteWinner(provider, key)
    else {
      const isLive = provider.quote?.key === key
      // A quote rejected on arrival was never live.
      if (change === MarginRejected && !isLive) provider.quoteCount++
      mustHold(isLive || change === MarginRejected, () => `quote ${key} ends and is not live`)
      if (isLive) provider.quote = null
      mustHold(change !== Expired || published.expiresMillis < published.timeMillis, () => {
        return `quote ${key} ends before its time`
      })
      if (change === Replaced) provider.isAnswered = true
    }
    const { quoteCount } = provider
    mustHold(quoteCount <= quotesMost, () => `account ${account} quotes ${quoteCount} times`)
  }

  #noteKnown(published: RfqQuoteEvent): void {
    const provider = this.asked.get(published.account)!
    if (published.count === 0) return
    provider.isAnswered = true
    provider.quote = quoteOf(published)
  }

  #noteMade(provider: AskedProvider, published: RfqQuoteEvent): void {
    const { timeMillis } = published
    const isInTime = timeMillis <= this.responseMillis
    mustHold(isInTime, () => `order ${this.orderId} has a quote of behind its time`)
    provider.isAnswered = true
    provider.hasDeclined = false
    provider.quoteCount++
    provider.quote = quoteOf(published)
    mustHold(published.taker === -1, () => `order ${this.orderId} shows its wallet to providers`)
  }

  #noteWinner(provider: AskedProvider, key: string): void {
    const { quote } = provider
    mustHold(quote?.key === key, () => `quote ${key} wins and is not live`)
    mustHold(this.winner === null, () => `order ${this.orderId} has two winners`)
    this.winner = quote
  }

  /** Returns the live, unexpired quotes that are good enough, the best first. */
  eligible(nowMillis: number): AuctionQuote[] {
    const quotes: AuctionQuote[] = []
    for (const { quote } of this.asked.values()) {
      if (quote === null || quote.expiresMillis < nowMillis) continue
      if (isWithin(this.side, this.worstMicros, quote.priceMicros)) quotes.push(quote)
    }
    return quotes.sort((one, other) => {
      return other.netPremiumMicros - one.netPremiumMicros || one.seq - other.seq
    })
  }
}

/** Returns true for final statuses in which the deadline or the providers' answers ended the wait. */
export function isDecided(status: RfqStatus): boolean {
  const { Executed: won, Expired: passed, NoQuotes } = RfqStatus
  return status === won || status === passed || status === NoQuotes
}

function quoteOf(published: RfqQuoteEvent): AuctionQuote {
  const { expiresMillis, netPremiumMicros, quoteIdAt, seq, u8 } = published
  const priceMicros = published.pricesMicros(0)
  return { key: formatUuid(u8, quoteIdAt), seq, priceMicros, netPremiumMicros, expiresMillis }
}
