import { microsPerUsd } from '../../schemas/bounds.js'
import type { Right } from '../../schemas/domain.js'
import { optionPriceShared } from './black76.js'
import { ln } from './exact.js'
import type { ExpiryPricing } from './expiry-pricing.js'
import type { MarkColumns } from './mark-columns.js'
import { microsOfUsd } from './rounding.js'

/** Configuration keys `bands.*`. */
export interface BandParameters {
  readonly enabled: boolean
  /** Moves of index and volatility that the limits are priced at, fractions. */
  readonly spotShift: number
  readonly volShift: number
  /** Room beyond the outermost of these prices, in ticks of 0.0001 USD. */
  readonly ticks: number
  /** Least distance of a limit from the mark, as a fraction of the index. */
  readonly minHalfWidth: number
  /** How many times that far from the mark an order may be that reduces risk. */
  readonly reducingFactor: number
}

export const bandParametersDefault: BandParameters = {
  enabled: false,
  spotShift: 0.05,
  volShift: 0.05,
  ticks: 2,
  minHalfWidth: 0.0005,
  reducingFactor: 2,
}

/** The prices between which an instrument is traded, integer micros; the caller keeps one. */
export class PriceBand {
  markMicros = 0
  /** Of sells, at least 0: then there is none. */
  lowerMicros = 0
  /** Of buys. */
  upperMicros = 0
}

/**
 * Limits by instrument that were worked out since its last re-mark: calls of the pricing box doubles, so the first order
 * behind a re-mark asks for them, and those behind it read. They follow from the marks: no state, and in no snapshot.
 */
export class KeptBands {
  readonly parameters: BandParameters
  /** Number of the pass that the limits are of, 0: none. */
  readonly pass: Float64Array
  readonly lowerMicros: Float64Array
  readonly upperMicros: Float64Array

  constructor(parameters: BandParameters, instrumentsMax: number) {
    this.parameters = parameters
    this.pass = new Float64Array(instrumentsMax)
    this.lowerMicros = new Float64Array(instrumentsMax)
    this.upperMicros = new Float64Array(instrumentsMax)
  }
}

const tickMicros = 100

/**
 * Limits of an instrument's price: the least and the greatest of nine prices at index and volatility moved down, not at
 * all, and up, each rounded half-even, two ticks further, and not too close to the mark.
 *
 * @param columns where the instrument has its mark and volatility.
 * @param strike USD.
 * @param indexMicros what the mark was made at, like `expiry`.
 */
export function fillBand(
  out: PriceBand,
  columns: MarkColumns,
  instrument: number,
  right: Right,
  strike: number,
  indexMicros: number,
  expiry: ExpiryPricing,
  parameters: BandParameters,
): void {
  const { discount, fixedPart, rootYears } = expiry
  const { spotShift, volShift } = parameters
  const deviation = columns.iv[instrument] * rootYears
  const movingPart = expiry.forward - fixedPart
  let least = Number.POSITIVE_INFINITY
  let greatest = 0
  for (let move = -1; move <= 1; move++) {
    const forward = fixedPart + movingPart * (1 + move * spotShift)
    const logMoneyness = ln(strike / forward)
    for (let bump = -1; bump <= 1; bump++) {
      const moved = deviation * (1 + bump * volShift)
      const price = optionPriceShared(right, forward, strike, logMoneyness, moved, discount)
      if (price < least) least = price
      if (price > greatest) greatest = price
    }
  }
  const markMicros = columns.markMicros[instrument]
  const room = parameters.ticks * tickMicros
  const halfWidth = microsOfUsd((parameters.minHalfWidth * indexMicros) / microsPerUsd)
  const lower = Math.min(microsOfUsd(least) - room, markMicros - halfWidth)
  out.markMicros = markMicros
  out.lowerMicros = Math.max(0, lower)
  out.upperMicros = Math.max(microsOfUsd(greatest) + room, markMicros + halfWidth)
}

/** Puts the limits a number of times as far from the mark, to the next micro outwards. */
export function widenBand(band: PriceBand, factor: number): void {
  const { markMicros } = band
  const lower = markMicros - Math.ceil(factor * (markMicros - band.lowerMicros))
  band.lowerMicros = Math.max(0, lower)
  band.upperMicros = markMicros + Math.ceil(factor * (band.upperMicros - markMicros))
}
