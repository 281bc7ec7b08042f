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
  enabled: onOff(false, 'whether orders far from the mark are refused'),
  spotShift: number(0.05, [0, 0.9, 'share'], 'move of the index that limits are priced at'),
  volShift: number(0.05, [0, 0.9, 'share'], 'move of the volatility that limits are priced at'),
  ticks: integer(2, [0, 1_000_000], 'room beyond these prices, in ticks of 0.0001 USD'),
  minHalfWidth: number(0.0005, fraction, 'least distance from the mark, per index'),
  reducingFactor: number(2, [1, 100, 'times'], 'times the distance for orders that reduce risk'),
})

export type BandParameters = EngineValues<typeof bandTable>
export const bandParametersDefault = defaultsOf(bandTable)

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
 * @param out has the mark.
 * @param option has right, strike and volatility.
 * @param indexMicros what the mark was made at, like `expiry`.
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
  const room = parameters.ticks * tickMicros
  const halfWidth = microsOfUsd((parameters.minHalfWidth * indexMicros) / microsPerUsd)
  const lower = Math.min(microsOfUsd(least) - room, markMicros - halfWidth)
  out.lowerMicros = Math.max(0, lower)
  out.upperMicros = Math.max(microsOfUsd(greatest) + room, markMicros + halfWidth)
  assert(isAround(out), 'price bands: the mark is inside its band')
}

/** Returns true if the mark is inside the band. NaN limits are outside. */
function isAround({ lowerMicros, markMicros, upperMicros }: PriceBand): boolean {
  return lowerMicros <= markMicros && markMicros <= upperMicros
}

/** Puts the limits a number of times as far from the mark, to the next micro outwards. */
export function widenBand(band: PriceBand, factor: number): void {
  assert(factor >= 1, 'price bands: a factor never narrows a band')
  const { markMicros } = band
  const lower = markMicros - Math.ceil(factor * (markMicros - band.lowerMicros))
  band.lowerMicros = Math.max(0, lower)
  band.upperMicros = markMicros + Math.ceil(factor * (band.upperMicros - markMicros))
}
