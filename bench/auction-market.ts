import { netPremiumOf } from '../gateway/client/net-premium-of.js'
import type { RfqRequest } from '../gateway/client/quote-provider-client.js'
import {
  type SigningContext,
  signPlaceOrder,
  signRfqQuote,
} from '../gateway/client/signed-actions.js'
import { type FirmProvider, firmNonceFirst } from './firm-providers.js'
import { snapshotText } from './quote-rig.js'
import { textFrame } from './stream-socket.js'

/** Prices that providers show and quote for every option. */
const prices = { buy: '1000', sell: '900' } as const
/** Limit prices of takers; the shown prices are within them. */
const limits = { Buy: '1100', Sell: '800' } as const
const shownSize = '10'
const size = '0.1'
const validForMillis = 20_000

/** Orders for options without a book, and the quotes with which providers fill them. */
export class AuctionMarket {
  readonly #symbols: readonly string[]
  readonly #takers: readonly SigningContext[]
  #ordered = 0
  #answered = 0

  /** @param symbols their number is a multiple of the number of takers. */
  constructor(symbols: readonly string[], takers: readonly SigningContext[]) {
    this.#symbols = symbols
    this.#takers = takers
  }

  /** Number of orders made so far, which is the index of the next one. */
  get ordered(): number {
    return this.#ordered
  }

  /** Returns the symbol of an order. A symbol repeats only after all others. */
  symbolOf(index: number): string {
    return this.#symbols[index % this.#symbols.length]!
  }

  /** Signs the next orders. The nonce of an order is its index + 1. */
  sign(count: number): readonly Buffer[] {
    return Array.from({ length: count }, () => {
      const index = this.#ordered++
      const isBuy = Math.floor(index / this.#symbols.length) % 2 === 0
      const side = isBuy ? 'Buy' : 'Sell'
      const plain = { size, tif: 'ioc', route: 'best_execution' } as const
      const terms = { symbol: this.symbolOf(index), side, price: limits[side], ...plain } as const
      const taker = this.#takers[index % this.#takers.length]!
      const body = signPlaceOrder(taker, terms, index + 1)
      return textFrame(JSON.stringify({ type: 'PlaceOrder', ...body }))
    })
  }

  /** Publishes the indicative prices of a provider, which expire after a minute. */
  show({ socket }: FirmProvider): void {
    const rows = this.#symbols.map((instrument) => ({
      ...{ instrument, bid_price: prices.sell, ask_price: prices.buy },
      ...{ max_bid_size: shownSize, max_ask_size: shownSize },
    }))
    socket.send(textFrame(snapshotText(rows)))
  }

  /** Signs a provider's quote at its shown prices. */
  answer({ context }: FirmProvider, { rfq_id: rfqId, legs }: RfqRequest): Buffer {
    const priced = legs.map((leg) => ({ ...leg, price: prices[leg.side as 'buy' | 'sell'] }))
    const terms = { rfqId, legs: priced, netPremium: netPremiumOf(priced), validForMillis }
    const nonce = firmNonceFirst + this.#answered++
    return textFrame(JSON.stringify(signRfqQuote(context, terms, nonce)))
  }
}
