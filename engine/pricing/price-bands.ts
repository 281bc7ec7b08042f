import { assert } from '../../schemas/assert.js'
import { microsPerUsd } from '../../schemas/bounds.js'
import {
  defaultsOf,
  type EngineValues,
  fraction,
  integer,
  number,
  onOff,
  under,
} from '../../schemas/parameter.js'
import { optionPrice } from './black76.js'
import { ln } from './exact.js'
import type { ExpiryPricing } from './expiry-pricing.js'
import type { MarkedOption } from './marked-option.js'
import { microsOfUsd } from './rounding.js'

export const bandTable = under('bands', {
  enabled: onOff(false, 'rejection of orders far from the mark'),
  spotShift: number(0.05, [0, 0.9, 'share'], 'move of the index that limits are priced at'),
  volShift: number(0.05, [0, 0.9, 'share'], 'move of the volatility that limits are priced at'),
  ticks: integer(2, [0, 1_000_000], 'room beyond these prices, in ticks of 0.0001 USD'),
  minHalfWidth: number(0.0005, fraction, 'least distance from the mark, per index'),
  reducingFactor: number(2, [1, 100, 'times'], 'times the distance for orders that reduce risk'),
})

export type BandParameters = EngineValues<typeof bandTable>
export const bandParametersDefault = defaultsOf(bandTable)

/** Prices between which an instrument may trade, integer micros. Callers reuse one object. */
export class PriceBand {
  markMicros = 0
  /** Minimum of sells; 0 means no limit. */
  lowerMicros = 0
  /** Maximum of buys. */
  upperMicros = 0
}

/**
 * Limits by instrument, cached since its last re-mark. Pricing calls box doubles, so only the first order after a
 * re-mark computes them. They follow from the marks, so they are not part of the state or of snapshots.
 */
export class CachedBands {
  readonly parameters: BandParameters
  /** Number of the pass that the limits belong to; 0 for none. */
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
 * Computes the price limits of an instrument. They are the least and the greatest of nine prices, at index and
 * volatility shifted down, unshifted and shifted up. Each is rounded half-even, moved outwards by `ticks` ticks, and
 * kept at the minimum distance from the mark.
 *
 * @param out with the mark.
 * @param option with right, strike and volatility.
 * @param indexMicros index of the mark, as in `expiry`.
 */
export function fillBand(
  out: PriceBand,
  option: MarkedOption,
  indexMicros: number,
  expiry: ExpiryPricing,
  parameters: BandParameters,
): void {
  const { discount, fixedPart, rootYears } = expiry
  const { spotShift, volShift } = parameters
  const { markMicros } = out
  const { iv, right, strike } = option
  const deviation = iv * rootYears
  const movingPart = expiry.forward - fixedPart
  let least = Number.POSITIVE_INFINITY
  let greatest = 0
  for (let move = -1; move <= 1; move++) {
    const forward = fixedPart + movingPart * (1 + move * spotShift)
    const logMoneyness = ln(strike / forward)
    for (let bump = -1; bump <= 1; bump++) {
      const moved = deviation * (1 + bump * volShift)
      const price = optionPrice(right, forward, strike, logMoneyness, moved, discount)
      if (price < least) least = price
      if (price > greatest) greatest = price
    }
  }
  const extraMicros = parameters.ticks * tickMicros
  const halfWidth = microsOfUsd((parameters.minHalfWidth * indexMicros) / microsPerUsd)
  const lower = Math.min(microsOfUsd(least) - extraMicros, markMicros - halfWidth)
  out.lowerMicros = Math.max(0, lower)
  out.upperMicros = Math.max(microsOfUsd(greatest) + extraMicros, markMicros + halfWidth)
  assert(isAround(out), 'price bands: the mark is inside its band')
}

/** Returns true if the mark is inside the band. NaN limits are outside. */
function isAround({ lowerMicros, markMicros, upperMicros }: PriceBand): boolean {
  return lowerMicros <= markMicros && markMicros <= upperMicros
}

/** Multiplies the distance of the limits from the mark by a factor, rounded outwards to the next micro. */
export function widenBand(band: PriceBand, factor: number): void {
  assert(factor >= 1, 'price bands: a factor never narrows a band')
  const { markMicros } = band
  const lower = markMicros - Math.ceil(factor * (markMicros - band.lowerMicros))
  band.lowerMicros = Math.max(0, lower)
  band.upperMicros = markMicros + Math.ceil(factor * (band.upperMicros - markMicros))
}
