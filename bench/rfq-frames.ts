import { netPremiumOf } from '../gateway/client/net-premium-of.js'
import {
  type SigningContext,
  signRfqFrame,
  signRfqQuote,
} from '../gateway/client/signed-actions.js'
import { firmNonceFirst } from './firm-providers.js'
import type { MarketOperator } from './market-operator.js'
import { textFrame } from './stream-socket.js'

/** Pre-signed requests for quote, and the providers' quotes. */
export interface RfqFrames {
  /** Index of the first request (`rfqIndexOf`). */
  readonly first: number
  readonly requests: readonly Buffer[]
  /** Quotes by provider. */
  readonly answers: readonly (readonly Buffer[])[]
}

const expiryDays = 30
const daySeconds = 86_400
const symbolsAt = (date: string) => [100_000, 110_000].map((strike) => `BTC-${date}-${strike}-C`)
const size = '0.1'
// Approximate marks of both options, a month before their expiry.
const prices = ['6900', '3300'] as const
const limits = { Buy: '400', Sell: '300' } as const
const validForMillis = 20_000
const idKey = Buffer.from('"rfq_id":"')
const uuidLength = 36
const indexDigits = 12

/** Makes requests for a call spread, bought and sold in turns, and quotes within their limits. */
export class RfqFrameMaker {
  readonly #symbols: readonly string[]
  readonly #takers: readonly SigningContext[]
  readonly #providers: readonly SigningContext[]
  #made = 0

  private constructor(
    symbols: readonly string[],
    takers: readonly SigningContext[],
    providers: readonly SigningContext[],
  ) {
    this.#symbols = symbols
    this.#takers = takers
    this.#providers = providers
  }

  /** Lists the options of the spread. @param takers send requests in turns. */
  static async open(
    operator: MarketOperator,
    takers: readonly SigningContext[],
    providers: readonly SigningContext[],
  ): Promise<RfqFrameMaker> {
    const day = Math.floor(Date.now() / 1000 / daySeconds) + expiryDays
    const expirySeconds = day * daySeconds
    const date = new Date(expirySeconds * 1000).toISOString().slice(0, 10).replaceAll('-', '')
    const symbols = symbolsAt(date)
    await operator.index('BTC', '100000')
    await operator.list('BTC', expirySeconds, symbols)
    return new RfqFrameMaker(symbols, takers, providers)
  }

  sign(count: number): RfqFrames {
    const first = this.#made
    const indexes = Array.from({ length: count }, (_, i) => first + i)
    this.#made += count
    return {
      first,
      requests: indexes.map((index) => this.#request(index)),
      answers: this.#providers.map((provider) =>
        indexes.map((index) => this.#answer(provider, index)),
      ),
    }
  }

  #request(index: number): Buffer {
    const taker = this.#takers[index % this.#takers.length]!
    const sides = this.#sides(index)
    const legs = this.#symbols.map((instrument, leg) => ({ instrument, side: sides[leg]!, size }))
    const terms = { rfqId: uuidOf(index), legs, autoAcceptLimit: limits[sides[0]!] }
    return textFrame(JSON.stringify(signRfqFrame(taker, terms, index + 1)))
  }

  #answer(provider: SigningContext, index: number): Buffer {
    const sides = this.#sides(index)
    const legs = this.#symbols.map((instrument, leg) => ({
      ...{ instrument, side: sides[leg]!.toLowerCase(), size, price: prices[leg]! },
    }))
    const netPremium = netPremiumOf(legs)
    const terms = { rfqId: uuidOf(index), legs, netPremium, validForMillis }
    return textFrame(JSON.stringify(signRfqQuote(provider, terms, firmNonceFirst + index)))
  }

  /** Returns the sides of the legs. Each taker buys and sells in turns. */
  #sides(index: number): readonly ('Buy' | 'Sell')[] {
    const isBuy = Math.floor(index / this.#takers.length) % 2 === 0
    return isBuy ? ['Buy', 'Sell'] : ['Sell', 'Buy']
  }
}

/** Returns the index of the request that a message names; NaN if it names none. */
export function rfqIndexOf(message: Buffer): number {
  const at = message.indexOf(idKey)
  if (at < 0) return Number.NaN
  const end = at + idKey.length + uuidLength
  return Number.parseInt(message.toString('latin1', end - indexDigits, end), 16)
}

function uuidOf(index: number): string {
  return `00000000-0000-4000-8000-${index.toString(16).padStart(indexDigits, '0')}`
}
