import { Right } from '../../schemas/domain.js'
import { Greeks, type PricingTerms } from './black76.js'

/** One option while it is marked: filled anew for each, so that no number is boxed on its way through a call. */
export class MarkedOption implements PricingTerms {
  right: Right = Right.Call
  /** USD, like spot and forward. */
  strike = 0
  spot = 0
  forward = 0
  /** Fraction per √year. */
  iv = 0
  years = 0
  rate = 0
  carry = 0
  discount = 1
  /** ln(strike / forward), unshocked. */
  logMoneyness = 0
  /** The same in standard deviations, clipped. */
  z = 0
  /** Least volatility of a scenario. */
  volFloor = 0
  /** Its price is unrounded. */
  readonly greeks = new Greeks()
}
