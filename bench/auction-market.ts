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

/** What providers show for every option, and answer. */
const prices = { buy: '1000', sell: '900' } as const
/** What takers pay at most, and want at least: within what is shown. */
const limits = { Buy: '1100', Sell: '800' } as const
const shownSize = '10'
const size = '0.1'
const validForMillis = 20_000

/** Orders for options without a book that providers can fill, and what providers say of them. */
export class AuctionMarket {
  readonly #symbols: readonly string[]
  readonly #takers: readonly SigningContext[]
  #ordered = 0
  #answered = 0

  /** @param symbols of which there is a multiple of the takers. */
  constructor(symbols: readonly string[], takers: readonly SigningContext[]) {
    this.#symbols = symbols
    this.#takers = takers
  }

  /** Orders made so far: the next one has this index. */
  get ordered(): number {
    return this.#ordered
  }

  /** What the order with an index trades; the same again only when all others have had their turn. */
  symbolOf(index: number): string {
    return this.#symbols[index % this.#symbols.length]!
  }

  /** Signs the next orders; the nonce of each is one more than its index. */
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

  /** Has a provider show its prices, for a minute. */
  show({ socket }: FirmProvider): void {
    const rows = this.#symbols.map((instrument) => ({
      ...{ instrument, bid_price: prices.sell, ask_price: prices.buy },
      ...{ max_bid_size: shownSize, max_ask_size: shownSize },
    }))
    socket.send(textFrame(snapshotText(rows)))
  }

  /** A provider's quote for what it is asked: as good as what it shows. */
  answer({ context }: FirmProvider, { rfq_id: rfqId, legs }: RfqRequest): Buffer {
    const priced = legs.map((leg) => ({ ...leg, price: prices[leg.side as 'buy' | 'sell'] }))
    const terms = { rfqId, legs: priced, netPremium: netPremiumOf(priced), validForMillis }
    const nonce = firmNonceFirst + this.#answered++
    return textFrame(JSON.stringify(signRfqQuote(context, terms, nonce)))
  }
}
