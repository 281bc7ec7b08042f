import { assert } from '../../../schemas/assert.js'
import { moneyMicrosMax } from '../../../schemas/bounds.js'
import type { Saved, StateReader, StateSink } from '../../memory/state-codec.js'
import { HashCell, HashKind, type StateHash } from '../../memory/state-hash.js'
import type { FillTerms } from '../../risk/order-check.js'

/** The venue's own balances, as indexes of `Funds.balanceMicros`. */
export const Fund = {
  Fees: 0,
  /** Pays debts of liquidated wallets. */
  Insurance: 1,
  /** Rounding differences of settlements, liquidations and funding; may be negative. */
  Dust: 2,
  /** Amounts that settlements and funding in progress have collected and not paid out yet; may be negative. */
  Clearing: 3,
  /** Withdrawn money that is neither delivered nor returned yet: the sum of the open withdrawals, which save it. */
  InTransit: 4,
} as const
export type Fund = (typeof Fund)[keyof typeof Fund]

const fundCount = 5
/** Low halves are from 0 to below this. */
const halfSize = 2 ** 32

/**
 * Money that is not the cash of any wallet. The cash of all wallets plus `totalMicros` always equals the deposits to
 * wallets and to the insurance fund. Code that moves cash without a counterparty must therefore move a fund by the
 * opposite amount.
 */
export class Funds implements Saved {
  /** The balance of `Clearing` is its two halves combined, limited to the exact range. */
  readonly balanceMicros = new Float64Array(fundCount)
  /**
   * High and low half of the clearing balance, high × 2^32 + low: many wallets with maximum amounts may pay in before
   * any is paid.
   */
  clearingHigh = 0
  clearingLow = 0
  /** True if trades of this batch have paid fees that are not published yet; never between batches. */
  hasUntoldFees = false
  /** Operator deposits to the insurance fund so far. */
  insuranceDepositsMicros = 0
  readonly #hash: StateHash
  readonly #cell = new HashCell(HashKind.Funds, this)

  constructor(hash: StateHash) {
    this.#hash = hash
    hash.note(this.#cell)
  }

  /** Sum of all balances. */
  get totalMicros(): number {
    let sum = 0
    for (let fund = 0; fund < fundCount; fund++) sum += this.balanceMicros[fund]
    return sum
  }

  /** Adds to a balance; a negative amount is taken from it. */
  move(fund: Fund, deltaMicros: number): void {
    assert(Number.isSafeInteger(deltaMicros), 'funds: the amount is a safe integer')
    if (fund === Fund.Clearing) {
      const high = Math.floor(deltaMicros / halfSize)
      const low = this.clearingLow + (deltaMicros - high * halfSize)
      const carry = Math.floor(low / halfSize)
      this.#setClearing(this.clearingHigh + high + carry, low - carry * halfSize)
      return
    }
    // + 0 turns -0, the negation of a zero amount, into 0.
    this.balanceMicros[fund] += deltaMicros + 0
    const micros = this.balanceMicros[fund]
    assert(micros >= 0 || fund === Fund.Dust, 'funds: no balance but dust goes negative')
    assert(Math.abs(micros) <= moneyMicrosMax, 'funds: the balance is a safe integer')
    this.#hash.note(this.#cell)
  }

  /** Returns the amount that a balance can still take exactly; a payer keeps the rest. */
  roomMicros(fund: Fund): number {
    return Math.max(0, moneyMicrosMax - Math.max(0, this.balanceMicros[fund]))
  }

  /** Books the venue's part of a fill's fee, which may be a rebate. It is published once per batch. */
  takeTradingFee({ feeMicros, builderFeeMicros }: FillTerms): void {
    assert(
      builderFeeMicros === 0 || builderFeeMicros <= feeMicros,
      'fees: the builder fee is at most the whole fee',
    )
    this.hasUntoldFees = true
    this.balanceMicros[Fund.Fees] += feeMicros - builderFeeMicros
    assert(this.balanceMicros[Fund.Fees] <= moneyMicrosMax, 'funds: the balance is a safe integer')
    this.#hash.note(this.#cell)
  }

  /** Adds an external deposit to the insurance fund. */
  depositInsurance(amountMicros: number): void {
    assert(amountMicros > 0, 'funds: the deposit is positive')
    this.move(Fund.Insurance, amountMicros)
    this.insuranceDepositsMicros += amountMicros
  }

  save(sink: StateSink): void {
    for (let fund = 0; fund < Fund.Clearing; fund++) sink.f64(this.balanceMicros[fund])
    sink.f64(this.clearingHigh)
    sink.f64(this.clearingLow)
    sink.f64(this.insuranceDepositsMicros)
  }

  /** Reads what `save` wrote into empty funds. */
  load(reader: StateReader): void {
    for (let fund = 0; fund < Fund.Clearing; fund++) this.move(fund as Fund, reader.f64())
    this.#setClearing(reader.f64(), reader.f64())
    this.insuranceDepositsMicros = reader.f64()
  }

  #setClearing(high: number, low: number): void {
    assert(low >= 0 && low < halfSize, 'funds: the low half is in range')
    this.clearingHigh = high
    this.clearingLow = low
    const micros = high * halfSize + low
    const shownMicros = Math.max(-moneyMicrosMax, Math.min(moneyMicrosMax, micros))
    this.balanceMicros[Fund.Clearing] = shownMicros
    this.#hash.note(this.#cell)
  }
}
