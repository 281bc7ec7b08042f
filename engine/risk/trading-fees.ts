import { assert } from '../../schemas/assert.js'
import { lotsPerContract } from '../../schemas/bounds.js'
import {
  defaultsOf,
  type EngineValues,
  fraction,
  millionths,
  under,
} from '../../schemas/parameter.js'
import { mulDivDown, mulDivRemainder } from './money.js'
import { millionthsOf, millionthsPerUnit } from './ratio.js'

const rate = [-0.1, 0.1, 'share'] as const

export const feeTable = under('fees', {
  makerRate: millionths(0, rate, 'of the index, per option, whose order rested; below 0: a rebate'),
  takerRate: millionths(
    0,
    rate,
    'of the index, per option, whose order came in; below 0: a rebate',
  ),
  optionCap: millionths(0.125, fraction, 'most of a fee above, as a share of the price'),
  perpMakerRate: millionths(0, rate, 'of the price, per perp, likewise'),
  perpTakerRate: millionths(0, rate, 'of the price, per perp, likewise'),
  builderShare: millionths(0, fraction, 'of a fee, to the builder whom the order names; 0: none'),
})

export type FeeParameters = EngineValues<typeof feeTable>
export const feeParametersDefault = defaultsOf(feeTable)

/** Divisor that turns millionths of an amount per contract, times lots, into micros. */
const partsPerMicro = millionthsPerUnit * lotsPerContract
/** A fee beyond the range of money is the largest amount, less one for rounding up. */
const wholeMax = Number.MAX_SAFE_INTEGER - 1

/** `FeeParameters` as whole millionths, so that shares of amounts are exact. */
export class FeeSchedule {
  readonly maker: number
  readonly taker: number
  readonly cap: number
  readonly perpMaker: number
  readonly perpTaker: number
  readonly builder: number
  /** Higher of maker and taker rate of options, which working orders reserve; 0 if nothing is reserved. */
  readonly worst: number
  /** Higher of maker and taker rate of perps. Perps reserve no fees. */
  readonly perpWorst: number
  /** True if any trade has a fee or a rebate. */
  readonly isCharging: boolean

  constructor(parameters: FeeParameters) {
    this.maker = millionthsOf(parameters.makerRate)
    this.taker = millionthsOf(parameters.takerRate)
    this.cap = millionthsOf(parameters.optionCap)
    this.builder = millionthsOf(parameters.builderShare)
    this.perpMaker = millionthsOf(parameters.perpMakerRate)
    this.perpTaker = millionthsOf(parameters.perpTakerRate)
    this.worst = Math.max(0, this.maker, this.taker)
    this.perpWorst = Math.max(0, this.perpMaker, this.perpTaker)
    this.isCharging = [this.maker, this.taker, this.perpMaker, this.perpTaker].some((r) => r !== 0)
  }
}

export const noFees = new FeeSchedule(feeParametersDefault)

/**
 * Operands and result of a fee computation, in micros and lots. Callers reuse one object, so that no double is boxed on
 * the order path.
 */
export class TradingFee {
  /** Index price per contract. */
  indexMicros = 0
  priceMicros = 0
  sizeLots = 0
  feeMicros = 0
  /** The builder's part of the fee. */
  builderMicros = 0
  /** Amount per contract of the latest share, and the result: whole micros, and parts of a micro. */
  baseMicros = 0
  wholeMicros = 0
  parts = 0
}

/**
 * Computes the fee of one side of a fill: `min(rate × index, cap × price) × size`, rounded half-even to micros once. A
 * negative rate is a rebate to the wallet of `rate × index × size`.
 * @param rate millionths, like `cap`.
 */
export function workOutFee(fee: TradingFee, rate: number, cap: number): void {
  assert(fee.sizeLots > 0, 'fees: the size is positive')
  fee.baseMicros = fee.indexMicros
  divideShare(fee, Math.abs(rate))
  fee.feeMicros = halfEvenMicros(fee)
  if (rate <= 0) {
    fee.feeMicros = 0 - fee.feeMicros
    return
  }
  // Rounding preserves order: the smaller of the rounded amounts is the rounded smaller amount.
  fee.baseMicros = fee.priceMicros
  divideShare(fee, cap)
  fee.feeMicros = Math.min(fee.feeMicros, halfEvenMicros(fee))
}

/**
 * Computes the fee of one side of a perp fill: `rate × price × size`, rounded half-even to micros; negative for a
 * rebate.
 */
export function workOutPerpFee(fee: TradingFee, rate: number): void {
  fee.baseMicros = fee.priceMicros
  divideShare(fee, Math.abs(rate))
  fee.feeMicros = halfEvenMicros(fee)
  if (rate < 0) fee.feeMicros = 0 - fee.feeMicros
}

/** Computes the fee that a working order reserves, rounded up to the next micro; the rate is not negative. */
export function workOutReservedFee(fee: TradingFee, rate: number, cap: number): void {
  fee.baseMicros = fee.indexMicros
  divideShare(fee, rate)
  fee.feeMicros = upMicros(fee)
  fee.baseMicros = fee.priceMicros
  divideShare(fee, cap)
  fee.feeMicros = Math.min(fee.feeMicros, upMicros(fee))
}

/** Computes the builder's part of a computed fee, rounded half-even; 0 of a rebate. Overwrites `sizeLots`. */
export function workOutBuilderFee(fee: TradingFee, share: number): void {
  fee.builderMicros = 0
  if (!(fee.feeMicros > 0) || share === 0) return
  fee.sizeLots = lotsPerContract
  fee.baseMicros = fee.feeMicros
  divideShare(fee, share)
  fee.builderMicros = halfEvenMicros(fee)
  assert(fee.builderMicros <= fee.feeMicros, 'fees: the builder fee is at most the whole fee')
}

function halfEvenMicros({ wholeMicros, parts }: TradingFee): number {
  const twice = 2 * parts
  const isUp = twice > partsPerMicro || (twice === partsPerMicro && wholeMicros % 2 !== 0)
  return isUp ? wholeMicros + 1 : wholeMicros
}

function upMicros({ wholeMicros, parts }: TradingFee): number {
  return parts > 0 ? wholeMicros + 1 : wholeMicros
}

/**
 * Computes millionths × amount per contract × size exactly. Amount and size are split at the lots per contract, as in
 * money.ts. Each product is an integer below 2^53 if its result is, and the remainders are added before anything is
 * rounded.
 */
function divideShare(fee: TradingFee, rate: number): void {
  const lots = fee.sizeLots
  const product = rate * fee.baseMicros
  const contracts = Math.floor(lots / lotsPerContract)
  const perContract = Math.floor(product / millionthsPerUnit)
  if (product > Number.MAX_SAFE_INTEGER) {
    divideWide(fee, rate)
    return
  }
  const remainderLots = lots - contracts * lotsPerContract
  const remainderMillionths = product - perContract * millionthsPerUnit
  const wholeAmount = Math.floor(perContract / lotsPerContract + 0.5)
  const remainders = (perContract - wholeAmount * lotsPerContract) * remainderLots
  const ofRemainders = Math.floor(remainders / lotsPerContract)
  const ofContracts = remainderMillionths * contracts
  const ofMillionths = Math.floor(ofContracts / millionthsPerUnit)
  const parts =
    (remainders - ofRemainders * lotsPerContract) * millionthsPerUnit +
    remainderMillionths * remainderLots +
    (ofContracts - ofMillionths * millionthsPerUnit) * lotsPerContract
  const carried = Math.floor(parts / partsPerMicro)
  const ofRemainder = wholeAmount * remainderLots + ofRemainders + ofMillionths + carried
  fee.wholeMicros = Math.min(wholeMax, perContract * contracts + ofRemainder)
  fee.parts = parts - carried * partsPerMicro
}

/** `divideShare` in 106 bits, for an index far above any real market. */
function divideWide(fee: TradingFee, rate: number): void {
  const perContract = mulDivDown(rate, fee.baseMicros, millionthsPerUnit)
  const partsPerContract = mulDivRemainder()
  const whole = mulDivDown(perContract, fee.sizeLots, lotsPerContract)
  const remainderLots = mulDivRemainder()
  const more = mulDivDown(partsPerContract, fee.sizeLots, partsPerMicro)
  const parts = remainderLots * millionthsPerUnit + mulDivRemainder()
  const carried = parts >= partsPerMicro ? 1 : 0
  fee.wholeMicros = Math.min(wholeMax, whole + more + carried)
  fee.parts = parts - carried * partsPerMicro
}
