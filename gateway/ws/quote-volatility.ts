import { ExpiryPricing, prepareExpiry } from '../../engine/pricing/expiry-pricing.js'
import { impliedVolatility } from '../../engine/pricing/implied-volatility.js'
import { isStale, type PricingParameters } from '../../engine/pricing/pricing-parameters.js'
import { microsPerUsd } from '../../schemas/bounds.js'
import type { Right } from '../../schemas/domain.js'
import type { AnyEvent, InstrumentEvent, SettlementEvent } from '../../schemas/generated/events.js'
import { SettlementPhase } from '../../schemas/record-values.js'
import { indexPriceOf } from '../wire/market-data.js'

interface Terms {
  readonly underlying: number
  readonly right: Right
  readonly strike: number
  readonly expiryMillis: number
}

interface Index {
  readonly priceMicros: number
  readonly observedMillis: number
}

interface CachedExpiry {
  readonly pricing: ExpiryPricing
  index: Index | null
  preparedMillis: number
}

// The forward also moves with the clock, but negligibly in this time.
const cacheMillisMax = 1000

/** Implied volatilities of quoted prices, from index and settlement events. */
export class QuoteVolatility {
  readonly #parameters: PricingParameters
  readonly #terms: (Terms | undefined)[] = []
  readonly #indexes: (Index | undefined)[] = []
  readonly #estimates = new Map<string, number>()
  readonly #expiries = new Map<string, CachedExpiry>()

  constructor(parameters: PricingParameters) {
    this.#parameters = parameters
  }

  takeInstrument(event: InstrumentEvent): void {
    const { instrument, underlying, right, strikeMicros, expiryMillis } = event
    const strike = strikeMicros / microsPerUsd
    this.#terms[instrument] = { underlying, right, strike, expiryMillis }
  }

  takeIndex(event: AnyEvent): void {
    const price = indexPriceOf(event)
    const priceMicros = price.priceMicros()
    if (!(priceMicros > 0)) return // no observation yet
    this.#indexes[price.underlying()] = { priceMicros, observedMillis: price.observedMillis() }
  }

  takeSettlement({ phase, underlying, expiryMillis, priceMicros }: SettlementEvent): void {
    const key = `${underlying} ${expiryMillis}`
    if (phase === SettlementPhase.Settled) {
      this.#estimates.delete(key)
      this.#expiries.delete(key)
    } else if (phase === SettlementPhase.Window) this.#estimates.set(key, priceMicros)
  }

  /** Returns the volatility of a price in USD, a fraction; undefined if there is none. */
  of(instrument: number, price: number, nowMillis: number): number | undefined {
    const terms = this.#terms[instrument]
    const index = terms === undefined ? undefined : this.#indexes[terms.underlying]
    if (terms === undefined || index === undefined) return undefined
    const { indexMaxAgeMillis } = this.#parameters
    if (isStale(index.observedMillis, nowMillis, indexMaxAgeMillis)) return undefined
    const { forward, years, discount } = this.#expiryOf(terms, index, nowMillis)
    const iv = impliedVolatility(terms.right, forward, terms.strike, years, price, discount)
    return Number.isNaN(iv) ? undefined : iv
  }

  #expiryOf({ underlying, expiryMillis }: Terms, index: Index, nowMillis: number): ExpiryPricing {
    const key = `${underlying} ${expiryMillis}`
    let cached = this.#expiries.get(key)
    if (cached === undefined) {
      cached = { pricing: new ExpiryPricing([], []), index: null, preparedMillis: 0 }
      this.#expiries.set(key, cached)
    }
    const isNew = cached.index === index && nowMillis - cached.preparedMillis < cacheMillisMax
    if (isNew) return cached.pricing
    const inputs = {
      ...{ expiryMillis, nowMillis, indexMicros: index.priceMicros, surfaces: [] },
      settlementEstimateMicros: this.#estimates.get(key) ?? Number.NaN,
    }
    prepareExpiry(cached.pricing, inputs, this.#parameters)
    cached.index = index
    cached.preparedMillis = nowMillis
    return cached.pricing
  }
}
