import { type SigningContext, signPlaceOrder } from '../gateway/client/signed-actions.js'
import type { OrderTerms } from '../schemas/wire-types.js'
import { MarketOperator } from './market-operator.js'
import { textFrame } from './stream-socket.js'
import type { VenueProcess } from './venue-process.js'

const symbol = 'BTC-20991231-110000-C'
const expirySeconds = 4_102_387_200

/** Pre-signed orders for one venue: one option, and two funded wallets that trade with each other. */
export class OrderFrames {
  readonly #contexts: readonly SigningContext[]
  #nonce = 1

  private constructor(contexts: readonly SigningContext[]) {
    this.#contexts = contexts
  }

  /** Lists the option and funds two new wallets of the market-maker tier. */
  static async open(venue: Pick<VenueProcess, 'operatorUrl' | 'token'>): Promise<OrderFrames> {
    const operator = new MarketOperator(venue)
    await operator.index('BTC', '100000')
    await operator.list('BTC', expirySeconds, [symbol])
    return new OrderFrames([await operator.fundWallet(), await operator.fundWallet()])
  }

  /** Symbol of the traded option. */
  get symbol(): string {
    return symbol
  }

  /**
   * Signs orders of the two wallets in turn at one price. Every second order fills the one before it.
   * @param termsOf returns terms that override the defaults.
   */
  sign(count: number, termsOf: (index: number) => Partial<OrderTerms> = () => ({})): Buffer[] {
    return Array.from({ length: count }, (_, i) => {
      const side = i % 2 === 0 ? 'Buy' : 'Sell'
      const plain = { symbol, side, size: '0.01', price: '50000', route: 'book_only' } as const
      const terms = { ...plain, ...termsOf(i) }
      const body = signPlaceOrder(this.#contexts[i % 2], terms, this.#nonce++)
      return textFrame(JSON.stringify({ type: 'PlaceOrder', ...body }))
    })
  }
}

/** Returns true if the message is the result of an order that was not rejected. */
export function isOrderResult(payload: Buffer): boolean {
  return payload.includes('"OrderResult"') && !payload.includes('"REJECTED"')
}

/** @throws Error if the message is not the result of an accepted order. */
export function checkOrderResult(payload: Buffer): void {
  if (!isOrderResult(payload)) throw new Error(`an order was refused: ${payload.toString()}`)
}
