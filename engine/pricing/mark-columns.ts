import { grown } from '../memory/grown.js'
import { MarkRows } from '../tables/generated/mark-rows.js'

/**
 * Results of a re-mark as columns indexed by instrument. NaN in `markMicros` and the greeks means
 * missing. Risk arrays are row-major, [instrument · count + scenario], 0 where the mark is missing:
 * a long position without a mark counts 0 in every scenario.
 */
export class MarkColumns extends MarkRows {
  readonly standardCount: number
  readonly portfolioCount: number
  /** Value change of one long contract against its mark, micros, before the weight. */
  standardDeltaMicros: Float64Array
  portfolioDeltaMicros: Float64Array

  constructor(instrumentsMax: number, standardCount: number, portfolioCount: number) {
    super(instrumentsMax)
    this.standardCount = standardCount
    this.portfolioCount = portfolioCount
    this.standardDeltaMicros = new Float64Array(instrumentsMax * standardCount)
    this.portfolioDeltaMicros = new Float64Array(instrumentsMax * portfolioCount)
  }
}

/** Makes room for at least `count` instruments; the columns become new arrays when they grow. */
export function growColumns(columns: MarkColumns, count: number): void {
  const { length, standardCount, portfolioCount } = columns
  if (count <= length) return
  const larger = Math.max(count, 2 * length)
  columns.growTo(larger)
  const { standardDeltaMicros, portfolioDeltaMicros } = columns
  columns.standardDeltaMicros = grown(standardDeltaMicros, new Float64Array(larger * standardCount))
  const cells = larger * portfolioCount
  columns.portfolioDeltaMicros = grown(portfolioDeltaMicros, new Float64Array(cells))
}

/** Copies all results of `count` instruments that follow each other. */
export function copyRows(
  source: MarkColumns,
  target: MarkColumns,
  first: number,
  count: number,
): void {
  copyCells(source.markMicros, target.markMicros, first, count)
  copyCells(source.iv, target.iv, first, count)
  copyCells(source.delta, target.delta, first, count)
  copyCells(source.gamma, target.gamma, first, count)
  copyCells(source.vegaPerPoint, target.vegaPerPoint, first, count)
  copyCells(source.thetaPerDay, target.thetaPerDay, first, count)
  copyCells(source.rhoPerPoint, target.rhoPerPoint, first, count)
  const { standardCount, portfolioCount } = source
  const { standardDeltaMicros, portfolioDeltaMicros } = target
  copyCells(source.standardDeltaMicros, standardDeltaMicros, first, count, standardCount)
  copyCells(source.portfolioDeltaMicros, portfolioDeltaMicros, first, count, portfolioCount)
}

/** Sets all results of one instrument to missing, its risk arrays to 0. */
export function clearRow(columns: MarkColumns, instrument: number): void {
  columns.resetRow(instrument)
  const { standardCount, portfolioCount } = columns
  const standardAt = instrument * standardCount
  const portfolioAt = instrument * portfolioCount
  columns.standardDeltaMicros.fill(0, standardAt, standardAt + standardCount)
  columns.portfolioDeltaMicros.fill(0, portfolioAt, portfolioAt + portfolioCount)
}

/** Fewer cells are copied one by one: a view of them costs more than they do. */
const blockCellsMin = 64

/** Copies so many rows, of `width` cells each. */
function copyCells(
  source: Float64Array,
  target: Float64Array,
  first: number,
  count: number,
  width = 1,
): void {
  const at = first * width
  const end = at + count * width
  if (end - at >= blockCellsMin) target.set(source.subarray(at, end), at)
  else for (let index = at; index < end; index++) target[index] = source[index]
}
