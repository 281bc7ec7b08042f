import { Right } from '../../schemas/domain.js'
import { Greeks, type PricingTerms } from './black76.js'

/** One option during a re-mark. Callers reuse one object, so that no number is boxed in a call. */
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
  /** Moneyness in standard deviations, clipped. */
  z = 0
  /** Minimum volatility of a scenario. */
  volFloor = 0
  /** Greeks of the unrounded price. */
  readonly greeks = new Greeks()
}
