import type { Marks } from '../../engine/pricing/marks.js'

/** Risk arrays of all instruments, asked for one by one. */
export function standardArrays(marks: Marks): Float64Array {
  return arrays(marks, 'standardDeltasOf', marks.options.risk.standardScenarios.length)
}

/** The same of the portfolio model; empty where there is none. */
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
