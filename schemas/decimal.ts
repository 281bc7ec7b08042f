import {
  decimalCharsMax,
  lotsPerContract,
  microsPerUsd,
  moneyMicrosMax,
  priceMicrosMax,
  significantFiguresMax,
  sizeLotsMax,
} from './bounds.js'

/** Reason why a decimal text was refused. Negative, so that one number contains either the value or the fault. */
export const DecimalFault = {
  Malformed: -1,
  NotPositive: -2,
  TooManyFigures: -3,
  OffGrid: -4,
  TooLarge: -5,
  TooLong: -6,
} as const
export type DecimalFault = (typeof DecimalFault)[keyof typeof DecimalFault]

const microsDecimals = 6
const lotsDecimals = 8
const figuresUnlimited = Number.MAX_SAFE_INTEGER
const pointCode = 0x2e
const zeroCode = 0x30
// One more digit keeps a value below 1e16, which a double still orders correctly against 2^53.
const digitsRoomMax = 1e15
const powersOfTen = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]

/**
 * Parses a price to micros: above 0, at most 5 significant figures, on the grid of 1e-6, at most 1e9. Figures and
 * decimals are those of the numeric value, so leading and trailing zeros never count.
 * @returns micros (1e-6 USD), or a negative `DecimalFault`; nothing is ever rounded.
 */
export function parsePriceMicros(text: string): number {
  return parseScaled(text, microsDecimals, significantFiguresMax, priceMicrosMax)
}

/**
 * Parses a size to lots: above 0, on the grid of 1e-8, at most 100,000 contracts.
 * @returns lots (1e-8 contract), or a negative `DecimalFault`.
 */
export function parseSizeLots(text: string): number {
  return parseScaled(text, lotsDecimals, figuresUnlimited, sizeLotsMax)
}

/**
 * Parses an amount of money to micros: above 0, on the grid of 1e-6, below 2^53 micros.
 * @returns micros (1e-6 USD), or a negative `DecimalFault`.
 */
export function parseAmountMicros(text: string): number {
  return parseScaled(text, microsDecimals, figuresUnlimited, moneyMicrosMax)
}

/**
 * Parses an amount with an optional minus sign, or zero, to micros.
 * @returns micros, or NaN if the text is no amount or off the grid.
 */
export function parseSignedMicros(text: string): number {
  return parseSigned(text, microsDecimals)
}

/** Parses a position, negative if short, to lots; otherwise as `parseSignedMicros`. */
export function parseSignedLots(text: string): number {
  return parseSigned(text, lotsDecimals)
}

function parseSigned(text: string, decimals: number): number {
  const isNegative = text.startsWith('-')
  const digits = isNegative ? text.slice(1) : text
  const scaled = parseScaled(digits, decimals, figuresUnlimited, moneyMicrosMax)
  if (scaled === DecimalFault.NotPositive) return 0
  if (scaled < 0) return Number.NaN
  return isNegative ? -scaled : scaled
}

/**
 * Parses a strike to micros: above 0, on the grid of 1e-6, at most 1e9, any number of figures.
 * @returns micros (1e-6 USD), or a negative `DecimalFault`.
 */
export function parseStrikeMicros(text: string): number {
  return parseScaled(text, microsDecimals, figuresUnlimited, priceMicrosMax)
}

/**
 * Returns the canonical text of money or a price: no exponent, no trailing zeros, `0` for both zeros.
 * @param micros an integer with |micros| < 2^53.
 */
export function formatMicros(micros: number): string {
  return formatScaled(micros, microsPerUsd, microsDecimals)
}

/** `formatMicros` of whole USD plus micros, for a sum that may exceed 2^53 micros. */
export function formatUsd(usd: number, micros: number): string {
  return `${usd}${formatMicros(micros).slice(1)}`
}

/**
 * Returns the canonical text of a size or position: no exponent, no trailing zeros, `0` for both zeros.
 * @param lots an integer with |lots| < 2^53.
 */
export function formatLots(lots: number): string {
  return formatScaled(lots, lotsPerContract, lotsDecimals)
}

/** Returns micros as the JSON number nearest to the exact value; never -0. */
export function microsToNumber(micros: number): number {
  return micros === 0 ? 0 : micros / microsPerUsd
}

/**
 * Returns lots as the JSON number nearest to the exact value; never -0. `JSON.stringify` writes values under 1e-6 with
 * an exponent. To write JSON text without exponents, use `formatLots` without quotes.
 */
export function lotsToNumber(lots: number): number {
  return lots === 0 ? 0 : lots / lotsPerContract
}

/** Function that parses a decimal text into a scaled integer, or returns a negative `DecimalFault`. */
export type DecimalParser = (text: string) => number

/** Maximum number of decimals and largest value, by parser. */
const decimalBounds: ReadonlyMap<DecimalParser, readonly [decimals: number, most: string]> =
  new Map([
    [parsePriceMicros, [microsDecimals, formatMicros(priceMicrosMax)]],
    [parseStrikeMicros, [microsDecimals, formatMicros(priceMicrosMax)]],
    [parseAmountMicros, [microsDecimals, formatMicros(moneyMicrosMax)]],
    [parseSizeLots, [lotsDecimals, formatLots(sizeLotsMax)]],
  ])

/**
 * Returns the fault of a decimal text as the end of a sentence: `must be greater than 0`.
 * @param parse parser that returned the fault; one of this file.
 */
export function decimalFaultText(fault: number, parse: DecimalParser): string {
  const [decimals, most] = decimalBounds.get(parse) ?? [microsDecimals, '']
  if (fault === DecimalFault.Malformed) return 'must be a decimal number, such as 12.5'
  if (fault === DecimalFault.NotPositive) return 'must be greater than 0'
  if (fault === DecimalFault.TooManyFigures) {
    return `has more than ${significantFiguresMax} significant figures`
  }
  if (fault === DecimalFault.OffGrid) return `has more than ${decimals} decimals`
  if (fault === DecimalFault.TooLong) return `has more than ${decimalCharsMax} characters`
  return `is more than ${most}`
}

function parseScaled(
  text: string,
  decimals: number,
  figuresMax: number,
  scaledMax: number,
): number {
  const length = text.length
  if (length > decimalCharsMax) return DecimalFault.TooLong
  let value = 0
  let figures = 0
  let zerosHeld = 0 // zeros after a figure: they count as figures only if another figure follows
  let fractionDigits = -1 // -1 until the point
  let offGrid = false
  let tooLarge = false
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code === pointCode) {
      if (i === 0 || fractionDigits >= 0) return DecimalFault.Malformed
      fractionDigits = 0
      continue
    }
    const digit = code - zeroCode
    if (digit < 0 || digit > 9) return DecimalFault.Malformed
    if (digit !== 0) {
      figures += zerosHeld + 1
      zerosHeld = 0
    } else if (figures > 0) zerosHeld++
    if (fractionDigits >= 0 && ++fractionDigits > decimals) {
      if (digit !== 0) offGrid = true
    } else if (value >= digitsRoomMax) tooLarge = true
    else value = value * 10 + digit
  }
  if (length === 0 || fractionDigits === 0) return DecimalFault.Malformed
  if (figures === 0) return DecimalFault.NotPositive
  if (figures > figuresMax) return DecimalFault.TooManyFigures
  if (offGrid) return DecimalFault.OffGrid
  const digitsOnGrid = fractionDigits < 0 ? 0 : Math.min(fractionDigits, decimals)
  const scaled = value * powersOfTen[decimals - digitsOnGrid]!
  return tooLarge || scaled > scaledMax ? DecimalFault.TooLarge : scaled
}

function formatScaled(scaled: number, unit: number, decimals: number): string {
  const magnitude = Math.abs(scaled)
  // The remainder is exact, and so is a division without remainder; a plain quotient may not be.
  let fraction = magnitude % unit
  const whole = (magnitude - fraction) / unit
  const sign = scaled < 0 ? '-' : ''
  if (fraction === 0) return `${sign}${whole}`
  let width = decimals
  while (fraction % 10 === 0) {
    fraction /= 10
    width--
  }
  return `${sign}${whole}.${String(fraction).padStart(width, '0')}`
}
