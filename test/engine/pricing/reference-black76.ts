import type { OptionInputs } from '../../../engine/pricing/black76.js'
import { Right } from '../../../schemas/domain.js'
import {
  type Fixed,
  fixedOf,
  lnFixed,
  normalCdfOfFixed,
  normalPdfOfFixed,
  powerFixed,
  rootFixed,
} from './reference.js'

const bits = 320
const scale = BigInt(bits)

/** Fields of `Greeks`, in fixed point. */
export type FixedGreeks = Readonly<
  Record<'price' | 'delta' | 'gamma' | 'vegaPerPoint' | 'thetaPerDay' | 'rhoPerPoint', Fixed>
>

/**
 * The formulas of Black-76 as they are written, with 320 bits: nothing shared, no side
 * preferred. For time and volatility above 0, and |d1|, |d2| below 12, where the series for N holds.
 */
export function greeksFixed(inputs: OptionInputs): FixedGreeks {
  const [spot, strike, iv, years, rate] = [
    inputs.spot,
    inputs.strike,
    inputs.iv,
    inputs.years,
    inputs.rate,
  ].map((value) => fixedOf(value, bits)) as [Fixed, Fixed, Fixed, Fixed, Fixed]
  const sign = inputs.right === Right.Call ? 1n : -1n
  const given = inputs.forward ?? null
  const growth = times(rate, years)
  const forward = given === null ? times(spot, powerFixed(growth, bits)) : fixedOf(given, bits)
  const lnForward = given === null ? lnFixed(inputs.spot, bits) + growth : lnFixed(given, bits)
  const carry = given === null ? rate : over(lnForward - lnFixed(inputs.spot, bits), years)
  const discount = powerFixed(-growth, bits)
  const root = rootFixed(years, bits)
  const v = times(iv, root)
  const d1 = over(lnForward - lnFixed(inputs.strike, bits), v) + v / 2n
  const d2 = d1 - v
  const density = normalPdfOfFixed(d1, bits)
  const forwardPart = times(times(discount, forward), normalCdfOfFixed(sign * d1, bits))
  const strikePart = times(times(discount, strike), normalCdfOfFixed(sign * d2, bits))
  const slope = over(forward, spot)
  const vega = times(times(times(discount, forward), density), root)
  const decay = over(times(times(times(discount, forward), density), iv), 2n * root)
  const drift = sign * (times(carry - rate, forwardPart) + times(rate, strikePart))
  return {
    price: sign * (forwardPart - strikePart),
    delta: over(sign * forwardPart, spot),
    gamma: times(times(over(times(discount, density), times(forward, v)), slope), slope),
    vegaPerPoint: vega / 100n,
    thetaPerDay: (-decay - drift) / 365n,
    rhoPerPoint: (sign * times(strikePart, years)) / 100n,
  }
}

/** Distance of a double from a fixed-point number. */
export function distanceFrom(actual: number, reference: Fixed): number {
  return Math.abs(Number(((fixedOf(actual, bits) - reference) << 64n) >> scale) / 2 ** 64)
}

function times(a: Fixed, b: Fixed): Fixed {
  return (a * b) >> scale
}

function over(a: Fixed, b: Fixed): Fixed {
  return (a << scale) / b
}
