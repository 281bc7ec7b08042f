/**
 * Results of a re-mark as columns indexed by instrument. NaN in `markMicros` and the greeks means
 * missing. Risk arrays are row-major, [instrument · count + scenario], 0 where the mark is missing:
 * a long position without a mark counts 0 in every scenario.
 */
export class MarkColumns {
  readonly standardCount: number
  readonly portfolioCount: number
  /** Integer micros per contract, half-even. */
  markMicros: Float64Array
  /** Fraction; 0 is never a missing volatility. */
  iv: Float64Array
  /** USD per 1 USD of index. */
  delta: Float64Array
  /** Delta per 1 USD of index. */
  gamma: Float64Array
  /** USD per 0.01 of volatility. */
  vegaPerPoint: Float64Array
  /** USD per day. */
  thetaPerDay: Float64Array
  /** USD per 0.01 of the rate. */
  rhoPerPoint: Float64Array
  /** Value change of one long contract against its mark, micros, before the weight. */
  standardDeltaMicros: Float64Array
  portfolioDeltaMicros: Float64Array

  constructor(instrumentsMax: number, standardCount: number, portfolioCount: number) {
    this.standardCount = standardCount
    this.portfolioCount = portfolioCount
    this.markMicros = missing(instrumentsMax)
    this.iv = missing(instrumentsMax)
    this.delta = missing(instrumentsMax)
    this.gamma = missing(instrumentsMax)
    this.vegaPerPoint = missing(instrumentsMax)
    this.thetaPerDay = missing(instrumentsMax)
    this.rhoPerPoint = missing(instrumentsMax)
    this.standardDeltaMicros = new Float64Array(instrumentsMax * standardCount)
    this.portfolioDeltaMicros = new Float64Array(instrumentsMax * portfolioCount)
  }
}

/** Makes room for at least `count` instruments; the columns become new arrays when they grow. */
export function growColumns(columns: MarkColumns, count: number): void {
  const length = columns.markMicros.length
  if (count <= length) return
  const larger = Math.max(count, 2 * length)
  columns.markMicros = grownMissing(columns.markMicros, larger)
  columns.iv = grownMissing(columns.iv, larger)
  columns.delta = grownMissing(columns.delta, larger)
  columns.gamma = grownMissing(columns.gamma, larger)
  columns.vegaPerPoint = grownMissing(columns.vegaPerPoint, larger)
  columns.thetaPerDay = grownMissing(columns.thetaPerDay, larger)
  columns.rhoPerPoint = grownMissing(columns.rhoPerPoint, larger)
  columns.standardDeltaMicros = grownZero(
    columns.standardDeltaMicros,
    larger * columns.standardCount,
  )
  columns.portfolioDeltaMicros = grownZero(
    columns.portfolioDeltaMicros,
    larger * columns.portfolioCount,
  )
}

/** Copies all results of `count` instruments that follow each other. */
export function copyRows(
  source: MarkColumns,
  target: MarkColumns,
  first: number,
  count: number,
): void {
  const { standardCount, portfolioCount } = source
  copyCells(source.markMicros, target.markMicros, first, count)
  copyCells(source.iv, target.iv, first, count)
  copyCells(source.delta, target.delta, first, count)
  copyCells(source.gamma, target.gamma, first, count)
  copyCells(source.vegaPerPoint, target.vegaPerPoint, first, count)
  copyCells(source.thetaPerDay, target.thetaPerDay, first, count)
  copyCells(source.rhoPerPoint, target.rhoPerPoint, first, count)
  copyCells(
    source.standardDeltaMicros,
    target.standardDeltaMicros,
    first * standardCount,
    count * standardCount,
  )
  copyCells(
    source.portfolioDeltaMicros,
    target.portfolioDeltaMicros,
    first * portfolioCount,
    count * portfolioCount,
  )
}

/** Sets all results of one instrument to missing, its risk arrays to 0. */
export function clearRow(columns: MarkColumns, instrument: number): void {
  columns.markMicros[instrument] = Number.NaN
  columns.iv[instrument] = Number.NaN
  columns.delta[instrument] = Number.NaN
  columns.gamma[instrument] = Number.NaN
  columns.vegaPerPoint[instrument] = Number.NaN
  columns.thetaPerDay[instrument] = Number.NaN
  columns.rhoPerPoint[instrument] = Number.NaN
  clearRiskArrays(columns, instrument)
}

/** Sets the risk arrays of one instrument to 0. */
export function clearRiskArrays(columns: MarkColumns, instrument: number): void {
  const { standardCount, portfolioCount } = columns
  const standardAt = instrument * standardCount
  const portfolioAt = instrument * portfolioCount
  columns.standardDeltaMicros.fill(0, standardAt, standardAt + standardCount)
  columns.portfolioDeltaMicros.fill(0, portfolioAt, portfolioAt + portfolioCount)
}

/** Fewer cells are copied one by one: a view of them costs more than they do. */
const blockCellsMin = 64

function copyCells(source: Float64Array, target: Float64Array, at: number, count: number): void {
  if (count >= blockCellsMin) {
    target.set(source.subarray(at, at + count), at)
    return
  }
  for (let index = at; index < at + count; index++) target[index] = source[index]
}

function missing(length: number): Float64Array {
  return new Float64Array(length).fill(Number.NaN)
}

function grownMissing(column: Float64Array, length: number): Float64Array {
  const larger = missing(length)
  larger.set(column)
  return larger
}

function grownZero(column: Float64Array, length: number): Float64Array {
  const larger = new Float64Array(length)
  larger.set(column)
  return larger
}
