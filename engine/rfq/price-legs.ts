import { assert } from '../../schemas/assert.js'
import { Side } from '../../schemas/domain.js'
import { contractScale, type PricedLeg } from '../../schemas/net-premium.js'
import { Result } from '../../schemas/results.js'
import type { InstrumentTable } from '../pricing/instruments.js'
import type { Marks } from '../pricing/marks.js'
import { PriceBand } from '../pricing/price-bands.js'
import { ceilDiv, floorDiv } from '../risk/exact-share.js'
import type { EngineConfig } from '../state/market/engine-config.js'
import type { RfqLeg } from '../state/rfq/rfq-row.js'
import { type LegPrice, priceByMarks, settleLegs } from './leg-prices.js'

interface PriceLegsState {
  readonly config: EngineConfig
  readonly instruments: InstrumentTable
  readonly marks: Marks
  readonly nowMillis: number
}

const band = new PriceBand()

/** Bands within which legs may trade. */
interface Bands {
  readonly lowerMicros: readonly number[]
  readonly upperMicros: readonly number[]
}

/**
 * Prices each leg of a combo: as quoted, or by the marks if a quoted price is outside the band around its mark, or if
 * the configuration requires it.
 * @param details receives the details of an error.
 * @returns the prices, or an error: NoSpotPrice, NoMarkPrice, or OutsidePriceBand for the net premium.
 */
export function priceLegs(
  state: PriceLegsState,
  legs: readonly RfqLeg[],
  quoted: readonly number[],
  netMicros: number,
  details: Float64Array,
): LegPrice[] | Result {
  const { config, instruments, marks, nowMillis } = state
  assert(legs.length > 0 && quoted.length === legs.length, 'quote: each leg has a price')
  const underlying = instruments.underlying[legs[0].instrument]
  if (marks.indexIsMissing(underlying, nowMillis)) {
    details[0] = underlying
    return Result.NoSpotPrice
  }
  const bands = bandsOf(state, legs)
  if (typeof bands === 'number') {
    details[0] = bands
    return Result.NoMarkPrice
  }
  if (config.bands.enabled && !isWithinBands(legs, bands, netMicros, details)) {
    return Result.OutsidePriceBand
  }
  const priced = legs.map((leg, index) => ({ ...leg, priceMicros: quoted[index] }))
  const isFar = priced.some(
    ({ priceMicros }, index) =>
      priceMicros < bands.lowerMicros[index] || priceMicros > bands.upperMicros[index],
  )
  if (!isFar && !config.rfq.priceByMarks) return settleLegs(priced, netMicros)
  return settleLegs(priceByMarks(markedLegs(state, legs), netMicros), netMicros)
}

/** Returns the legs at their marks; NaN for a missing mark. */
export function markedLegs({ marks }: PriceLegsState, legs: readonly RfqLeg[]): PricedLeg[] {
  return legs.map((leg) => ({ ...leg, priceMicros: marks.markMicros[leg.instrument] }))
}

/** @returns the bands, or the first instrument without a mark. */
function bandsOf({ config, marks }: PriceLegsState, legs: readonly RfqLeg[]): Bands | number {
  const lowerMicros: number[] = []
  const upperMicros: number[] = []
  for (const { instrument } of legs) {
    if (!marks.bandOf(instrument, config.bands, band)) return instrument
    lowerMicros.push(band.lowerMicros)
    upperMicros.push(band.upperMicros)
  }
  return { lowerMicros, upperMicros }
}

/** Returns true if legs within their bands can have this net premium, from the taker's view. */
function isWithinBands(
  legs: readonly RfqLeg[],
  { lowerMicros, upperMicros }: Bands,
  netMicros: number,
  details: Float64Array,
): boolean {
  let [min, max] = [0n, 0n]
  for (const [index, { side, sizeLots }] of legs.entries()) {
    const lots = BigInt(sizeLots)
    const [low, high] = [BigInt(lowerMicros[index]) * lots, BigInt(upperMicros[index]) * lots]
    min += side === Side.Buy ? -high : low
    max += side === Side.Buy ? -low : high
  }
  details[0] = Number(floorDiv(min, contractScale))
  details[1] = Number(ceilDiv(max, contractScale))
  return netMicros >= details[0] && netMicros <= details[1]
}
