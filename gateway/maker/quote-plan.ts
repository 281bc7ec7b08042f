import type { SideName } from '../../schemas/wire-types.js'
import type { OptionSummary } from '../client/generated/interface.js'

/** What a maker wants to show on one instrument. Prices and size are wire texts. */
export interface PlannedQuote {
  readonly symbol: string
  /** Of a perp its asset number; null of an option. */
  readonly asset: number | null
  /** Numbers the quotes on one instrument, from the best one, 0. */
  readonly level: number
  readonly bid: string
  readonly ask: string
  readonly size: string
  /** Theoretical price behind it, and half of the spread around it; USD. */
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
const sizeFiguresMin = 0.001

/**
 * Quote around the mark: 3 % of the price or 0.6 volatility points on either side, whichever is more.
 * @returns null while the option has no mark.
 */
export function planQuote(row: OptionSummary): PlannedQuote | null {
  const theo = row.mark_price
  // A price of 0 is one; a volatility of 0 is that of an option without a mark.
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

/** How far the mark has left a quote, in shares of what calls for a new one: 1 and above does. */
export function requoteUrgency(quoted: PlannedQuote, theo: number): number {
  return Math.abs(theo - quoted.theo) / (quoted.halfSpread * requoteShare)
}

/** Price text of one side of a quote. */
export function priceOf(quote: PlannedQuote, side: SideName): string {
  return side === 'Buy' ? quote.bid : quote.ask
}

/** Client id of one side of a quote: the same in every run, and so it finds an order of an earlier one. */
export function clientIdOf({ symbol, asset, level }: PlannedQuote, side: SideName): string {
  if (asset === null) return `${symbol}:${side}`
  const digits = `${asset}${side === 'Buy' ? 'b' : 'a'}${level}` // bid, ask: hexadecimal digits both
  return `0x${digits.padStart(cloidDigits, '0')}`
}

/** Rounds a price to few significant figures, in one direction; 0 for what is not above 0. */
export function roundFigures(
  price: number,
  round: (value: number) => number,
  figures = priceFigures,
): number {
  if (!(price > 0)) return 0
  const unit = 10 ** (Math.floor(Math.log10(price)) - figures + 1)
  const grid = Math.max(unit, 10 ** -6)
  // A quotient a hair off a whole number is that whole number.
  const steps = price / grid
  const nearest = Math.round(steps)
  return (Math.abs(steps - nearest) < 1e-9 ? nearest : round(steps)) * grid
}

/** Decimal text without exponent or trailing zeros, at most six decimals. */
export function decimalText(value: number): string {
  return value.toFixed(6).replace(/\.?0+$/, '')
}

/** Contracts worth about 20,000 USD of the underlying, one significant figure. */
export function quoteSize(underlyingPrice: number): number {
  const contracts = notionalPerQuoteUsd / underlyingPrice
  const unit = 10 ** Math.floor(Math.log10(contracts))
  return Math.max(sizeFiguresMin, Math.round(contracts / unit) * unit)
}
