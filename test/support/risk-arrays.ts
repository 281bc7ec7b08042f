import type { Marks } from '../../engine/pricing/marks.js'

/** Returns the risk arrays of all instruments, read one by one. */
export function standardArrays(marks: Marks): Float64Array {
  return arrays(marks, 'standardDeltasOf', marks.options.risk.standardScenarios.length)
}

/** Returns the arrays of the portfolio model; empty without one. */
export function portfolioArrays(marks: Marks): Float64Array {
  const { portfolio, risk } = marks.options
  return arrays(marks, 'portfolioDeltasOf', portfolio ? risk.portfolioScenarios.length : 0)
}

function arrays(
  marks: Marks,
  of: 'standardDeltasOf' | 'portfolioDeltasOf',
  scenarios: number,
): Float64Array {
  const { count } = marks.instruments
  let deltas: Float64Array = new Float64Array(0)
  for (let instrument = 0; instrument < count; instrument++) deltas = marks[of](instrument)
  return deltas.subarray(0, count * scenarios)
}
