import { deltaOnePercentUsd, gammaOnePercentUsd } from '../../../engine/pricing/black76.js'
import type { ExpiryPricing } from '../../../engine/pricing/expiry-pricing.js'
import { microsPerUsd } from '../../../schemas/bounds.js'
import { formatMicros, lotsToNumber, microsToNumber } from '../../../schemas/decimal.js'
import { type OptionRight, Right, rightNames, Side } from '../../../schemas/domain.js'
import type { ChainLeg } from '../../../schemas/interface/market-messages.js'
import type { MessageOf } from '../../../schemas/interface/streams.js'
import { askSide, bestOf, bidSide } from '../../quotes/best-quotes.js'
import { compareDecimals } from '../../wire/exact-decimal.js'
import { encodeJson, encodeRow } from '../../wire/json-text.js'
import { expiryPricingOf, volatilityOf } from '../texts/implied-volatilities.js'
import {
  markMicrosOf,
  openInterestOf,
  underlyingNameOf,
  usableIndexMicros,
  usdOrNull,
} from '../texts/market-text.js'
import type { RouteContext } from '../texts/route-context.js'

/** One strike of one expiry: an instrument or none per right, and their last published legs. */
export interface ChainRow {
  readonly id: number
  readonly key: string
  readonly underlying: number
  readonly expiryMillis: number
  readonly strikeMicros: number
  /** Instrument by `Right`; -1: none. */
  readonly instruments: [number, number]
  /** Encoded legs by `Right`; '' for none. */
  readonly legs: [string, string]
  /** Pieces of the row as sent to the gateways. */
  body: Uint8Array
}

interface Best {
  readonly priceUsd: number
  /** May have a fraction if it comes from a quote. */
  readonly priceMicros: number
  readonly contracts: number
  readonly source: 'book' | 'provider'
}

/** Best price of one side of an option; null: none or unknown. */
interface LegSide {
  readonly priceUsd: number | null
  readonly iv: number | null
  readonly contracts: number | null
  readonly notionalUsd: number | null
  readonly source: Best['source'] | null
}

type Update = MessageOf<'OptionsChainUpdate'>
type Upsert = Extract<Update, { readonly action: 'Upsert' }>
type Removal = Extract<Update, { readonly action: 'Remove' }>
type LegGreeks = Pick<ChainLeg, 'greeks_abs' | 'greeks_cash'>
type LegMark = Pick<ChainLeg, 'mark_price_usd' | 'mark_iv'>

const noSide: LegSide = {
  ...{ priceUsd: null, iv: null, contracts: null, notionalUsd: null, source: null },
}
const noBody = new Uint8Array(0)
const rights = [Right.Call, Right.Put] as const

export function newChainRow(
  id: number,
  key: string,
  { views }: RouteContext,
  instrument: number,
): ChainRow {
  const { underlying, expiryMillis, strikeMicros } = views.market.instruments
  return {
    id,
    key,
    underlying: underlying[instrument],
    expiryMillis: expiryMillis[instrument],
    strikeMicros: strikeMicros[instrument],
    instruments: [-1, -1],
    legs: ['', ''],
    body: noBody,
  }
}

/** Encodes legs. Computes the volatilities and forward of an expiry once for all its rows. */
export class ChainEncoder {
  readonly #context: RouteContext
  readonly #expiries = new Map<string, ExpiryPricing>()

  /**
   * @param context As of one publication; create a new encoder for the next.
   */
  constructor(context: RouteContext) {
    this.#context = context
  }

  /** Encodes a row again. @returns True if a leg has changed. */
  encode(row: ChainRow): boolean {
    let isChanged = false
    for (const right of rights) {
      const id = row.instruments[right]
      const text = id < 0 ? '' : encodeRow(this.#leg(row, id))
      if (text === row.legs[right]) continue
      row.legs[right] = text
      isChanged ||= text !== ''
    }
    if (isChanged) row.body = this.bodyOf(row)
    return isChanged
  }

  /** Returns the row's legs as lines in the order of `chainPieces`. JSON text contains no line ends. */
  bodyOf(row: ChainRow): Uint8Array {
    const { market, timeMillis } = this.#context.views
    const currency = market.instruments.underlyingNames[row.underlying]!
    const fields: Omit<Upsert, 'timestamp' | 'seq'> = {
      type: 'OptionsChainUpdate',
      action: 'Upsert',
      currency,
      expiry: Math.floor(row.expiryMillis / 1000),
      row: { strike: microsToNumber(row.strikeMicros) },
    }
    const head = encodeJson(fields)
    const lines = [
      currency,
      ...rights.map((right) =>
        row.legs[right] === '' ? '' : market.symbols[row.instruments[right]],
      ),
      head.slice(0, -2), // the legs of the row follow
      ...rights.map((right) =>
        row.legs[right] === '' ? '' : `,"${rightNames[right]}":${row.legs[right]}`,
      ),
      `},"timestamp":${timeMillis}`,
    ]
    return Buffer.from(lines.join('\n'))
  }

  #leg(row: ChainRow, id: number): ChainLeg {
    const { market } = this.#context.views
    const indexMicros = usableIndexMicros(this.#context, row.underlying)
    const indexUsd = Number.isNaN(indexMicros) ? null : microsToNumber(indexMicros)
    const bid = this.#side(row, id, Side.Buy, indexUsd)
    const ask = this.#side(row, id, Side.Sell, indexUsd)
    return {
      symbol: market.symbols[id]!,
      option_token_address: null,
      bid_price_usd: bid.priceUsd,
      bid_iv: bid.iv,
      bid_size_contracts: bid.contracts,
      bid_size_usd_notional: bid.notionalUsd,
      ask_price_usd: ask.priceUsd,
      ask_iv: ask.iv,
      ask_size_contracts: ask.contracts,
      ask_size_usd_notional: ask.notionalUsd,
      bid_source: bid.source,
      ask_source: ask.source,
      ...this.#mark(id),
      open_interest: openInterestOf(market, id),
      ...this.#greeks(id, indexUsd),
    }
  }

  #side(row: ChainRow, id: number, side: Side, indexUsd: number | null): LegSide {
    const best = this.#best(id, side)
    if (best === null) return noSide
    const { priceUsd, priceMicros, contracts, source } = best
    const iv = volatilityOf(this.#context, this.#expiry(row), id, priceMicros) ?? null
    const notionalUsd = indexUsd === null ? null : contracts * indexUsd
    return { priceUsd, iv, contracts, notionalUsd, source }
  }

  /** Returns the best of book and indicative quotes. At equal prices the book wins, because its size is firm. */
  #best(id: number, side: Side): Best | null {
    const { views, quotes } = this.#context
    const book = views.market.books.of(id)
    const hasLevel = book.count(side) > 0
    const priceMicros = book.priceMicros(side, 0)
    const quoteSide = side === Side.Buy ? bidSide : askSide
    const quote = bestOf(quotes.rowsOf(id), quoteSide)
    const isQuoteBetter =
      quote !== null &&
      (!hasLevel || quoteSide.sign * compareDecimals(quote.price, formatMicros(priceMicros)) > 0)
    if (isQuoteBetter) {
      const priceUsd = Number(quote.price)
      const contracts = Number(quote.size)
      return { priceUsd, priceMicros: priceUsd * microsPerUsd, contracts, source: 'provider' }
    }
    if (!hasLevel) return null
    const contracts = lotsToNumber(book.sizeLots(side, 0))
    return { priceUsd: microsToNumber(priceMicros), priceMicros, contracts, source: 'book' }
  }

  #mark(id: number): LegMark {
    const { market } = this.#context.views
    const markMicros = markMicrosOf(market, id)
    const iv = Number.isNaN(markMicros) ? Number.NaN : market.marks.iv[id]
    return { mark_price_usd: usdOrNull(markMicros), mark_iv: Number.isNaN(iv) ? null : iv }
  }

  #greeks(id: number, indexUsd: number | null): LegGreeks {
    const { market } = this.#context.views
    if (Number.isNaN(markMicrosOf(market, id))) return { greeks_abs: null, greeks_cash: null }
    const { marks } = market
    const delta = marks.delta[id]
    const gamma = marks.gamma[id]
    const theta = marks.thetaPerDay[id]
    const vega = marks.vegaPerPoint[id]
    if (indexUsd === null) return { greeks_abs: { delta, gamma, theta, vega }, greeks_cash: null }
    return {
      greeks_abs: { delta, gamma, theta, vega },
      greeks_cash: {
        delta_1pct_usd: deltaOnePercentUsd(delta, indexUsd),
        gamma_1pct_usd: gammaOnePercentUsd(gamma, indexUsd),
        theta_1d_usd: theta,
        vega_1vol_usd: vega,
      },
    }
  }

  #expiry({ underlying, expiryMillis }: ChainRow): ExpiryPricing {
    const key = `${underlying} ${expiryMillis}`
    let expiry = this.#expiries.get(key)
    if (expiry === undefined) {
      // Uses the time of the marks. With the clock, every volatility and so every row would change.
      const markedMillis = this.#context.views.market.marks.lastMarkedMillis[underlying]
      const atMillis = Number.isNaN(markedMillis) ? this.#context.nowMillis : markedMillis
      expiry = expiryPricingOf(this.#context, underlying, expiryMillis, atMillis)
      this.#expiries.set(key, expiry)
    }
    return expiry
  }
}

/** Returns the lines of a ChainRemoval: underlying, symbol, and the message without its sequence. */
export function removalBody(
  { views }: RouteContext,
  row: ChainRow,
  right: OptionRight,
  instrument: number,
): Uint8Array {
  const { market, timeMillis } = views
  const fields: Omit<Removal, 'seq'> = {
    type: 'OptionsChainUpdate',
    action: 'Remove',
    currency: underlyingNameOf(market, instrument),
    expiry: Math.floor(row.expiryMillis / 1000),
    strike: microsToNumber(row.strikeMicros),
    option_type: rightNames[right],
    symbol: market.symbols[instrument]!,
    timestamp: timeMillis,
  }
  const message = encodeJson(fields)
  const lines = [fields.currency, fields.symbol]
  return Buffer.from([...lines, message.slice(0, -1)].join('\n'))
}
