import { MarkRows } from '../tables/generated/mark-rows.js'

/** Results of a re-mark as columns indexed by instrument. NaN in `markMicros` and the greeks means missing. */
export class MarkColumns extends MarkRows {}

/** Grows the columns to at least `count` instruments. They become new arrays when they grow. */
export function growColumns(columns: MarkColumns, count: number): void {
  const { length } = columns
  if (count > length) columns.growTo(Math.max(count, 2 * length))
}

/** Copies all results of `count` consecutive instruments. */
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
}

/** Sets all results of one instrument to missing. */
export function clearRow(columns: MarkColumns, instrument: number): void {
  columns.resetRow(instrument)
}

/** Fewer cells are copied one by one, because a view of them would cost more. */
const blockCellsMin = 64

function copyCells(source: Float64Array, target: Float64Array, first: number, count: number): void {
  const end = first + count
  if (count >= blockCellsMin) target.set(source.subarray(first, end), first)
  else for (let index = first; index < end; index++) target[index] = source[index]
}
