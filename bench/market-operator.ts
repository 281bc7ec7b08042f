import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { RestClient } from '../gateway/client/rest-client.js'
import type { SigningContext } from '../gateway/client/signed-actions.js'
import { createNativeSigner } from '../gateway/maker/native-signer.js'
import type { SigningDomain } from '../schemas/typed-data.js'
import type { VenueProcess } from './venue-process.js'

/** Signing domain of the development preset. */
export const benchDomain: SigningDomain = { name: 'Strikebook', version: '1', chainId: 31_337 }

/** Flags of a venue without rate limits. */
export const unlimited: readonly string[] = [
  'ordersPerMinute',
  'cancelsPerMinute',
  'apiRequestsPerMinute',
].map((limit) => `--set=limits.market_maker.${limit}=1000000000`)

const depositUsd = '1000000000'
const volatility = '0.6'
const quotedMillisMax = 10_000
const pollMillis = 20

/** Part of the answer to GET /operator/state. */
interface VenueState {
  readonly threads: readonly { readonly role: string; readonly thread_id: number }[]
  readonly journal: { readonly bytes: number }
}

/** Operator client of the benchmarks: lists options, funds wallets, and reads the venue's state. */
export class MarketOperator {
  readonly #operator: RestClient

  constructor({ operatorUrl, token }: Pick<VenueProcess, 'operatorUrl' | 'token'>) {
    this.#operator = new RestClient({ url: operatorUrl, token })
  }

  /** @param path below /operator. @throws ApiError if the request fails. */
  async post(path: string, body: object): Promise<void> {
    await this.#operator.request('POST', `/operator/${path}`, { body })
  }

  /** Sets the index of an underlying. */
  index(underlying: string, price: string): Promise<void> {
    return this.post('index-prices', { prices: [{ underlying, price }] })
  }

  /** Lists options of one underlying and expiry, and sets their surface, so that they have marks. */
  async list(underlying: string, expirySeconds: number, symbols: readonly string[]): Promise<void> {
    for (const symbol of symbols) await this.post('instruments', { symbol, expiry: expirySeconds })
    const points = [{ strike: '100000', iv: volatility }]
    await this.post('vol-surfaces', { underlying, expiry: expirySeconds, points })
  }

  /** Creates a wallet of the market-maker tier, with more funds than any run uses. */
  async fundWallet(): Promise<SigningContext> {
    const signer = createNativeSigner(newKey())
    const wallet = signer.address
    await this.post('deposits', { wallet, amount: depositUsd })
    await this.post('tiers', { wallet, tier: 'market_maker' })
    return { domain: benchDomain, signer, wallet }
  }

  /** Registers a wallet as a quote provider. */
  registerProvider(wallet: string): Promise<void> {
    return this.post('quote-providers', { wallet, status: 'active' })
  }

  /** Registers new, unfunded wallets as quote providers. @returns their private keys. */
  async registerProviders(count: number): Promise<readonly string[]> {
    const keys = Array.from({ length: count }, newKey)
    for (const key of keys) await this.registerProvider(createNativeSigner(key).address)
    return keys
  }

  state(): Promise<VenueState> {
    return this.#operator.request<VenueState>('GET', '/operator/state')
  }

  /**
   * Waits until exactly `count` indicative quotes are live over all gateways, so that a run measures what it claims.
   * @throws Error on timeout.
   */
  async untilQuoteRows(count: number): Promise<void> {
    const endMillis = performance.now() + quotedMillisMax
    for (;;) {
      const rows = await this.#quoteRows()
      if (rows === count) return
      if (performance.now() > endMillis) throw new Error(`${rows} quotes are live, not ${count}`)
      await sleep(pollMillis)
    }
  }

  async #quoteRows(): Promise<number> {
    const answer = await fetch(`${this.#operator.url}/metrics`)
    const rows = [
      ...(await answer.text()).matchAll(/^strikebook_quote_rows(?:\{[^}]*\})? (\S+)$/gm),
    ]
    return rows.reduce((sum, [, value]) => sum + Number(value), 0)
  }
}

function newKey(): string {
  return `0x${randomBytes(32).toString('hex')}`
}
