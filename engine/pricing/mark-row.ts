import { microsPerUsd } from '../../schemas/bounds.js'
import { Right } from '../../schemas/domain.js'
import { type Greeks, priceAndGreeks } from './black76.js'
import { ln } from './exact.js'
import type { ExpiryPricing, ShockedExpiry } from './expiry-pricing.js'
import { clearRow, type MarkColumns } from './mark-columns.js'
import type { MarkedOption } from './marked-option.js'
import type { MarksOptions } from './pricing-parameters.js'
import { fillRiskArray, standardMoneyness } from './risk-array.js'
import { microsOfUsd } from './rounding.js'
import type { Scenario } from './scenarios.js'
import { expiryIv } from './term-structure.js'

/** Writes mark and greeks of one instrument before its expiry to its row. */
export function markActive(
  columns: MarkColumns,
  instrument: number,
  option: MarkedOption,
  expiry: ExpiryPricing,
  options: MarksOptions,
): void {
  const { forward } = expiry
  const { greeks, strike } = option
  const moneyness = strike / forward
  const iv = expiryIv(expiry.surfaces, strike, moneyness)
  if (Number.isNaN(iv) || Number.isNaN(forward)) {
    clearRow(columns, instrument)
    return
  }
  option.iv = iv
  priceOption(option, expiry, options)
  writeGreeks(columns, instrument, iv, greeks)
}

/**
 * Writes the risk array of an option before its expiry, from the same price as its mark.
 * @param option with right, strike and the volatility of its mark.
 * @param out receives `shocked.count` integers from index `at`.
 */
export function fillActiveRisk(
  option: MarkedOption,
  expiry: ExpiryPricing,
  options: MarksOptions,
  shocked: ShockedExpiry,
  out: Float64Array,
  at: number,
): void {
  const { volFloor, zClip } = options.risk
  priceOption(option, expiry, options)
  option.logMoneyness = ln(option.strike / expiry.forward)
  option.z = standardMoneyness(option.logMoneyness, expiry.atmDeviation, zClip)
  option.volFloor = volFloor
  fillRiskArray(option, expiry, shocked, out, at)
}

function priceOption(option: MarkedOption, expiry: ExpiryPricing, options: MarksOptions): void {
  option.spot = expiry.elasticSpot
  option.forward = expiry.forward
  option.years = expiry.years
  option.rate = options.pricing.rate
  option.carry = options.pricing.rate
  option.discount = expiry.discount
  priceAndGreeks(option, option.greeks)
}

/**
 * Writes the row of an instrument that awaits its settlement price: the payoff, which no scenario moves.
 *
 * @param payoffPrice settlement estimate or index, USD; NaN if missing.
 */
export function markExpired(
  columns: MarkColumns,
  instrument: number,
  right: Right,
  strike: number,
  payoffPrice: number,
): void {
  clearRow(columns, instrument)
  if (Number.isNaN(payoffPrice)) return
  const payoff = right === Right.Call ? payoffPrice - strike : strike - payoffPrice
  columns.markMicros[instrument] = microsOfUsd(Math.max(0, payoff))
  writeDelta(columns, instrument, payoff > 0 ? (right === Right.Call ? 1 : -1) : 0)
}

/**
 * Writes the row of a perp, whose mark is the index.
 *
 * @param indexMicros NaN if missing.
 */
export function markPerp(columns: MarkColumns, instrument: number, indexMicros: number): void {
  clearRow(columns, instrument)
  if (Number.isNaN(indexMicros)) return
  columns.markMicros[instrument] = indexMicros
  writeDelta(columns, instrument, 1)
}

/**
 * Writes the risk array of a perp: S·ds. Its `standard` margin does not depend on scenarios, so only the portfolio
 * model has an array.
 */
export function fillPerpRisk(
  markMicros: number,
  scenarios: readonly Scenario[],
  out: Float64Array,
  at: number,
): void {
  const spot = markMicros / microsPerUsd
  for (let j = 0; j < scenarios.length; j++) {
    out[at + j] = microsOfUsd(spot * scenarios[j].spotShift)
  }
}

/** Writes the greeks of a linear instrument. */
function writeDelta(columns: MarkColumns, instrument: number, delta: number): void {
  columns.delta[instrument] = delta
  columns.gamma[instrument] = 0
  columns.vegaPerPoint[instrument] = 0
  columns.thetaPerDay[instrument] = 0
  columns.rhoPerPoint[instrument] = 0
}

function writeGreeks(columns: MarkColumns, instrument: number, iv: number, greeks: Greeks): void {
  columns.markMicros[instrument] = microsOfUsd(greeks.price)
  columns.iv[instrument] = iv
  columns.delta[instrument] = greeks.delta
  columns.gamma[instrument] = greeks.gamma
  columns.vegaPerPoint[instrument] = greeks.vegaPerPoint
  columns.thetaPerDay[instrument] = greeks.thetaPerDay
  columns.rhoPerPoint[instrument] = greeks.rhoPerPoint
}
