import type { SideName } from '../../schemas/wire-types.js'
import type { OptionSummary } from '../client/generated/interface.js'

/** Quote that a maker plans for one instrument. Prices and size are wire texts. */
export interface PlannedQuote {
  readonly symbol: string
  /** Asset number of a perp; null for an option. */
  readonly asset: number | null
  /** Index among the quotes on one instrument; 0 is the best. */
  readonly level: number
  readonly bid: string
  readonly ask: string
  readonly size: string
  /** Theoretical price and half of the spread, in USD. */
  readonly theo: number
  readonly halfSpread: number
}

const priceFigures = 4 // one below the limit, so that rounding up never needs a sixth figure
const cloidDigits = 32
const priceMin = 0.01
const spreadShare = 0.03
const spreadVolPoints = 0.6
const requoteShare = 0.5
const notionalPerQuoteUsd = 20_000
const sizeMin = 0.001

/**
 * Plans a quote around the mark. The half spread is the larger of 3 % of the price and 0.6 volatility points.
 * @returns null while the option has no mark.
 */
export function planQuote(row: OptionSummary): PlannedQuote | null {
  const theo = row.mark_price
  // A mark of 0 is valid, but a volatility of 0 means that there is no mark.
  if (!(row.mark_iv > 0) || !(row.underlying_price > 0)) return null
  const vega = Number.isFinite(row.greeks?.vega) ? row.greeks.vega : 0
  const halfSpread = Math.max(theo * spreadShare, vega * spreadVolPoints, priceMin)
  const bid = Math.max(priceMin, roundFigures(theo - halfSpread, Math.floor))
  const ask = Math.max(bid + priceMin, roundFigures(theo + halfSpread, Math.ceil))
  return {
    symbol: row.instrument_name,
    asset: null,
    level: 0,
    bid: decimalText(bid),
    ask: decimalText(roundFigures(ask, Math.ceil)),
    size: decimalText(quoteSize(row.underlying_price)),
    theo,
    halfSpread,
  }
}

/** Returns the distance of the mark from a quote. At 1 or more the quote must be replaced. */
export function requoteUrgency(quoted: PlannedQuote, theo: number): number {
  return Math.abs(theo - quoted.theo) / (quoted.halfSpread * requoteShare)
}

/** Returns the price text of one side of a quote. */
export function priceOf(quote: PlannedQuote, side: SideName): string {
  return side === 'Buy' ? quote.bid : quote.ask
}

/** Returns the client id of one side of a quote. It is the same in every run, so it finds orders of earlier runs. */
export function clientIdOf({ symbol, asset, level }: PlannedQuote, side: SideName): string {
  if (asset === null) return `${symbol}:${side}`
  const digits = `${asset}${side === 'Buy' ? 'b' : 'a'}${level}` // bid, ask: hexadecimal digits both
  return `0x${digits.padStart(cloidDigits, '0')}`
}

/** Rounds a price in one direction to a number of significant figures; 0 if the price is not above 0. */
export function roundFigures(
  price: number,
  round: (value: number) => number,
  figures = priceFigures,
): number {
  if (!(price > 0)) return 0
  const unit = 10 ** (Math.floor(Math.log10(price)) - figures + 1)
  const grid = Math.max(unit, 10 ** -6)
  // Corrects floating-point error: a quotient very close to a whole number is that number.
  const steps = price / grid
  const nearest = Math.round(steps)
  return (Math.abs(steps - nearest) < 1e-9 ? nearest : round(steps)) * grid
}

/** Formats a decimal without exponent and trailing zeros, with at most six decimals. */
export function decimalText(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}

/** Returns contracts worth about 20,000 USD of the underlying, with one significant figure. */
export function quoteSize(underlyingPrice: number): number {
  const contracts = notionalPerQuoteUsd / underlyingPrice
  const unit = 10 ** Math.floor(Math.log10(contracts))
  return Math.max(sizeMin, Math.round(contracts / unit) * unit)
}
