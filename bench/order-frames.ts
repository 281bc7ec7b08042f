import { randomBytes } from 'node:crypto'
import { RestClient } from '../gateway/client/rest-client.js'
import { signPlaceOrder } from '../gateway/client/signed-actions.js'
import { createSigner } from '../gateway/client/signer.js'
import type { SigningDomain } from '../schemas/typed-data.js'
import type { VenueProcess } from '../scripts/venue-process.js'
import { textFrame } from './stream-socket.js'

const symbol = 'BTC-20991231-110000-C'
const expirySeconds = 4_102_387_200
const domain: SigningDomain = { name: 'Strikebook', version: '1', chainId: 31_337 }

/** Configuration of a venue whose speed is measured, not its rate limits. */
export const unlimited: readonly string[] = [
  'ordersPerMinute',
  'cancelsPerMinute',
  'apiRequestsPerMinute',
].map((limit) => `--set=limits.market_maker.${limit}=1000000000`)

/** Pre-signed orders for one venue: its option, and two funded wallets that trade with each other. */
export class OrderFrames {
  readonly #keys: readonly string[]
  #nonce = 1

  private constructor(keys: readonly string[]) {
    this.#keys = keys
  }

  /** Lists the option and funds two new wallets of the market-maker tier. */
  static async open({ operatorUrl, token }: VenueProcess): Promise<OrderFrames> {
    const operator = new RestClient({ url: operatorUrl, token })
    const keys = [1, 2].map(() => `0x${randomBytes(32).toString('hex')}`)
    const post = (path: string, body: object) =>
      operator.request('POST', `/operator/${path}`, { body })
    await post('index-prices', { prices: [{ underlying: 'BTC', price: '100000' }] })
    await post('instruments', { symbol, expiry: expirySeconds })
    const points = [{ strike: '100000', iv: '0.6' }]
    await post('vol-surfaces', { underlying: 'BTC', expiry: expirySeconds, points })
    for (const key of keys) {
      const wallet = createSigner(key).address
      await post('deposits', { wallet, amount: '1000000000' })
      await post('tiers', { wallet, tier: 'market_maker' })
    }
    return new OrderFrames(keys)
  }

  /** Signed orders of the two wallets in turn at one price: each second one fills the one before it. */
  sign(count: number): Buffer[] {
    const signers = this.#keys.map((key) => createSigner(key))
    return Array.from({ length: count }, (_, i) => {
      const signer = signers[i % 2]
      const side = i % 2 === 0 ? 'Buy' : 'Sell'
      const context = { domain, signer, wallet: signer.address }
      const terms = { symbol, side, size: '0.01', price: '50000', route: 'book_only' } as const
      const body = signPlaceOrder(context, terms, this.#nonce++)
      return textFrame(JSON.stringify({ type: 'PlaceOrder', ...body }))
    })
  }
}

/** Whether the message is the result of an order that was taken. */
export function isOrderResult(payload: Buffer): boolean {
  return payload.includes('"OrderResult"') && !payload.includes('"REJECTED"')
}

/** @throws Error when the message is anything else than `isOrderResult` says. */
export function checkOrderResult(payload: Buffer): void {
  if (!isOrderResult(payload)) throw new Error(`an order was refused: ${payload.toString()}`)
}
