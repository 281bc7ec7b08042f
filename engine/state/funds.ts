import { moneyMicrosMax } from '../../schemas/bounds.js'
import type { StateReader, StateWriter } from '../memory/state-codec.js'
import { element, HashKind, type StateHash } from '../memory/state-hash.js'
import { moveElement, moveValue } from '../risk/hash-elements.js'
import type { FillTerms } from '../risk/order-check.js'

/** The venue's own balances, by their place in `Funds.balanceMicros`. */
export const Fund = {
  Fees: 0,
  /** Pays what liquidated wallets cannot. */
  Insurance: 1,
  /** What rounding left of settlements, liquidations and funding; may be below zero. */
  Dust: 2,
  /** What settlements and funding under way have taken in and not paid out yet; may be below zero. */
  Clearing: 3,
} as const
export type Fund = (typeof Fund)[keyof typeof Fund]

const fundCount = 4
/** In the hash the deposits stand behind the balances. */
const depositsElement = fundCount
/** Behind them what clearing has beyond the part in its own element. */
const clearingHighElement = fundCount + 1
/** Low halves are from 0 to below this. */
const halfSize = 2 ** 32

/**
 * Money that is nobody's cash. Cash of all wallets and `totalMicros` together are always what was deposited, with
 * wallets and with the insurance fund: whoever moves cash without a counterparty moves a fund by the opposite.
 */
export class Funds {
  /** That of `Clearing` is what can be shown of its two halves. */
  readonly balanceMicros = new Float64Array(fundCount)
  /** Many wallets at the bound of exact sums may pay in before anybody is paid: high × 2^32 + low. */
  clearingHigh = 0
  clearingLow = 0
  /** Whether trades of this batch have paid fees, and nobody has been told yet; never at a batch border. */
  hasUntoldFees = false
  /** Operator deposits to the insurance fund so far. */
  insuranceDepositsMicros = 0
  readonly #hash: StateHash

  constructor(hash: StateHash) {
    this.#hash = hash
  }

  /** Sum of all balances. */
  get totalMicros(): number {
    let sum = 0
    for (let fund = 0; fund < fundCount; fund++) sum += this.balanceMicros[fund]
    return sum
  }

  /** Adds to a balance; negative: takes from it. */
  move(fund: Fund, deltaMicros: number): void {
    if (fund === Fund.Clearing) {
      const high = Math.floor(deltaMicros / halfSize)
      const low = this.clearingLow + (deltaMicros - high * halfSize)
      const carry = Math.floor(low / halfSize)
      this.#setClearing(this.clearingHigh + high + carry, low - carry * halfSize)
      return
    }
    const before = this.balanceMicros[fund]
    // + 0 turns -0, the negative of an amount that is 0, into 0.
    this.balanceMicros[fund] = before + deltaMicros + 0
    moveElement(this.#hash, HashKind.Funds, fund, 0, before, this.balanceMicros[fund])
  }

  /** How much more a balance can take in exactly: whoever would pay more keeps the rest. */
  roomMicros(fund: Fund): number {
    return Math.max(0, moneyMicrosMax - Math.max(0, this.balanceMicros[fund]))
  }

  /** The venue's part of a fill's fee, which may be a rebate: told with all others of their batch. */
  takeTradingFee({ feeMicros, builderFeeMicros }: FillTerms): void {
    const { balanceMicros } = this
    this.hasUntoldFees = true
    element[0] = Fund.Fees
    element[1] = 0
    element[2] = balanceMicros[Fund.Fees]
    moveValue(this.#hash, HashKind.Funds, -1)
    balanceMicros[Fund.Fees] += feeMicros - builderFeeMicros
    element[2] = balanceMicros[Fund.Fees]
    moveValue(this.#hash, HashKind.Funds, 1)
  }

  /** Money from outside, for the insurance fund. */
  depositInsurance(amountMicros: number): void {
    this.move(Fund.Insurance, amountMicros)
    this.#setDeposits(this.insuranceDepositsMicros + amountMicros)
  }

  save(writer: StateWriter): void {
    for (let fund = 0; fund < Fund.Clearing; fund++) writer.f64(this.balanceMicros[fund])
    writer.f64(this.clearingHigh)
    writer.f64(this.clearingLow)
    writer.f64(this.insuranceDepositsMicros)
  }

  /** Reads what `save` wrote into funds that are empty, and adds their elements to the hash. */
  load(reader: StateReader): void {
    for (let fund = 0; fund < Fund.Clearing; fund++) this.move(fund as Fund, reader.f64())
    this.#setClearing(reader.f64(), reader.f64())
    this.#setDeposits(reader.f64())
  }

  #setClearing(high: number, low: number): void {
    const { Clearing } = HashKind
    moveElement(this.#hash, Clearing, Fund.Clearing, 0, this.clearingLow, low)
    moveElement(this.#hash, Clearing, clearingHighElement, 0, this.clearingHigh, high)
    this.clearingHigh = high
    this.clearingLow = low
    const micros = high * halfSize + low
    const shownMicros = Math.max(-moneyMicrosMax, Math.min(moneyMicrosMax, micros))
    this.balanceMicros[Fund.Clearing] = shownMicros
  }

  #setDeposits(micros: number): void {
    moveElement(
      this.#hash,
      HashKind.Funds,
      depositsElement,
      0,
      this.insuranceDepositsMicros,
      micros,
    )
    this.insuranceDepositsMicros = micros
  }
}
