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

interface KeptExpiry {
  readonly pricing: ExpiryPricing
  index: Index | null
  preparedMillis: number
}

// A forward moves with the clock, too, but by next to nothing in this time.
const keptMillisMax = 1000

/** Volatilities of quoted prices, by the index and the settlement samples that the events tell. */
export class QuoteVolatility {
  readonly #parameters: PricingParameters
  readonly #terms: (Terms | undefined)[] = []
  readonly #indexes: (Index | undefined)[] = []
  readonly #estimates = new Map<string, number>()
  readonly #expiries = new Map<string, KeptExpiry>()

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

  /** Volatility of a price in USD, a fraction; undefined where there is none. */
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
    let kept = this.#expiries.get(key)
    if (kept === undefined) {
      kept = { pricing: new ExpiryPricing([], []), index: null, preparedMillis: 0 }
      this.#expiries.set(key, kept)
    }
    const isNew = kept.index === index && nowMillis - kept.preparedMillis < keptMillisMax
    if (isNew) return kept.pricing
    const inputs = {
      ...{ expiryMillis, nowMillis, indexMicros: index.priceMicros, surfaces: [] },
      settlementEstimateMicros: this.#estimates.get(key) ?? Number.NaN,
    }
    prepareExpiry(kept.pricing, inputs, this.#parameters)
    kept.index = index
    kept.preparedMillis = nowMillis
    return kept.pricing
  }
}
