import { lotsPerContract } from '../../schemas/bounds.js'
import {
  defaultsOf,
  type EngineValues,
  fraction,
  millionths,
  under,
} from '../../schemas/parameter.js'
import { mulDivDown, mulDivRest } from './money.js'
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

/** Millionths of an amount per contract, times lots, are so many to the micro. */
const partsPerMicro = millionthsPerUnit * lotsPerContract
/** Out of the range of money a fee is its bound: one is left for rounding up. */
const wholeMax = Number.MAX_SAFE_INTEGER - 1

/** `FeeParameters` as whole millionths, so that shares of amounts are exact. */
export class FeeSchedule {
  readonly maker: number
  readonly taker: number
  readonly cap: number
  readonly perpMaker: number
  readonly perpTaker: number
  readonly builder: number
  /** What an order of an option reserves for: it may trade as either. 0: nothing is reserved. */
  readonly worst: number
  /** The dearer rate of perps, which reserve nothing. */
  readonly perpWorst: number
  /** Whether any trade has a fee, or a rebate. */
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

/** Operands and results of the functions below, micros and lots: no double is boxed on the path of an order. */
export const feeCell = { index: 0, price: 1, lots: 2, fee: 3, builder: 4 } as const
/** What has been worked out of a share: whole micros, and parts of one, so many to the micro. */
const wholeCell = 5
const partsCell = 6
export const feeCells = new Float64Array(7)

/**
 * Writes the fee of one side of a fill, `min(rate × index, cap × price) × size`, half-even to micros once; of a rate
 * below 0 `rate × index × size`, what its wallet is paid.
 * @param rate millionths, like `cap`.
 */
export function workOutFee(rate: number, cap: number): void {
  if (rate <= 0) {
    divideShare(-rate, feeCell.index)
    roundHalfEven(feeCell.fee)
    feeCells[feeCell.fee] = 0 - feeCells[feeCell.fee]
    return
  }
  // Rounding never turns an order round: the lesser of both rounded is the lesser one rounded.
  divideShare(cap, feeCell.price)
  roundHalfEven(feeCell.builder)
  divideShare(rate, feeCell.index)
  roundHalfEven(feeCell.fee)
  takeLesser()
}

/** Writes the fee of one side of a fill of a perp, `rate × price × size`, half-even to micros; a rebate is below 0. */
export function workOutPerpFee(rate: number): void {
  feeCells[feeCell.index] = feeCells[feeCell.price]
  divideShare(Math.abs(rate), feeCell.index)
  roundHalfEven(feeCell.fee)
  if (rate < 0) feeCells[feeCell.fee] = 0 - feeCells[feeCell.fee]
}

/** Writes the fee that a working order reserves, up to the next micro; its rate is not below 0. */
export function workOutReservedFee(rate: number, cap: number): void {
  divideShare(cap, feeCell.price)
  roundUp(feeCell.builder)
  divideShare(rate, feeCell.index)
  roundUp(feeCell.fee)
  takeLesser()
}

/** Writes the builder's part of the fee that stands there, half-even; of a rebate there is none. The lots are lost. */
export function workOutBuilderFee(share: number): void {
  feeCells[feeCell.builder] = 0
  if (!(feeCells[feeCell.fee] > 0) || share === 0) return
  feeCells[feeCell.lots] = lotsPerContract
  divideShare(share, feeCell.fee)
  roundHalfEven(feeCell.builder)
}

function takeLesser(): void {
  if (feeCells[feeCell.builder] < feeCells[feeCell.fee]) {
    feeCells[feeCell.fee] = feeCells[feeCell.builder]
  }
}

function roundHalfEven(to: number): void {
  const whole = feeCells[wholeCell]
  const twice = 2 * feeCells[partsCell]
  const isUp = twice > partsPerMicro || (twice === partsPerMicro && whole % 2 !== 0)
  feeCells[to] = isUp ? whole + 1 : whole
}

function roundUp(to: number): void {
  const whole = feeCells[wholeCell]
  feeCells[to] = feeCells[partsCell] > 0 ? whole + 1 : whole
}

/**
 * Millionths × amount per contract × size, exactly. Amount and size are split at a contract's lots, as in money.ts:
 * each product is an integer below 2^53 where its result is, and the rests are added before anything is rounded.
 */
function divideShare(rate: number, amountCell: number): void {
  const lots = feeCells[feeCell.lots]
  const product = rate * feeCells[amountCell]
  const contracts = Math.floor(lots / lotsPerContract)
  const perContract = Math.floor(product / millionthsPerUnit)
  if (product > Number.MAX_SAFE_INTEGER) {
    divideWide(rate, amountCell)
    return
  }
  const restLots = lots - contracts * lotsPerContract
  const restMillionths = product - perContract * millionthsPerUnit
  const wholeAmount = Math.floor(perContract / lotsPerContract + 0.5)
  const rests = (perContract - wholeAmount * lotsPerContract) * restLots
  const ofRests = Math.floor(rests / lotsPerContract)
  const ofContracts = restMillionths * contracts
  const ofMillionths = Math.floor(ofContracts / millionthsPerUnit)
  const parts =
    (rests - ofRests * lotsPerContract) * millionthsPerUnit +
    restMillionths * restLots +
    (ofContracts - ofMillionths * millionthsPerUnit) * lotsPerContract
  const carried = Math.floor(parts / partsPerMicro)
  const ofRest = wholeAmount * restLots + ofRests + ofMillionths + carried
  feeCells[wholeCell] = Math.min(wholeMax, perContract * contracts + ofRest)
  feeCells[partsCell] = parts - carried * partsPerMicro
}

/** The same in 106 bits, for an index that no market has. */
function divideWide(rate: number, amountCell: number): void {
  const sizeLots = feeCells[feeCell.lots]
  const perContract = mulDivDown(rate, feeCells[amountCell], millionthsPerUnit)
  const partsPerContract = mulDivRest()
  const whole = mulDivDown(perContract, sizeLots, lotsPerContract)
  const restLots = mulDivRest()
  const more = mulDivDown(partsPerContract, sizeLots, partsPerMicro)
  const parts = restLots * millionthsPerUnit + mulDivRest()
  const carried = parts >= partsPerMicro ? 1 : 0
  feeCells[wholeCell] = Math.min(wholeMax, whole + more + carried)
  feeCells[partsCell] = parts - carried * partsPerMicro
}
