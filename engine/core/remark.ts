import type { CoreState } from './core-state.js'
import { publishRemarked } from './publish.js'
import { HashKind } from './state-hash.js'

/** Recomputes the marks of an underlying at the batch's time, and with them everything that margin sums up. */
export function remark(state: CoreState, underlying: number): void {
  const { marks, hash } = state
  const before = marks.lastMarkedMillis[underlying]
  if (!Number.isNaN(before)) hash.remove(HashKind.Marked, underlying, 0, before)
  marks.remark(underlying, state.nowMillis)
  hash.add(HashKind.Marked, underlying, 0, state.nowMillis)
  state.risk.remarked(underlying)
  publishRemarked(state, underlying)
}

/** Re-marks every underlying with an index whose marks are `remarkMillis` old: time alone moves them too. */
export function remarkDue(state: CoreState): void {
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    if (nextRemarkMillis(state, underlying) <= state.nowMillis) remark(state, underlying)
  }
}

/** When the next re-mark of any underlying is due; Infinity when none has an index. */
export function nextRemark(state: CoreState): number {
  let next = Number.POSITIVE_INFINITY
  const count = state.instruments.underlyingNames.length
  for (let underlying = 0; underlying < count; underlying++) {
    next = Math.min(next, nextRemarkMillis(state, underlying))
  }
  return next
}

function nextRemarkMillis(state: CoreState, underlying: number): number {
  const last = state.marks.lastMarkedMillis[underlying]
  return Number.isNaN(last) ? Number.POSITIVE_INFINITY : last + state.config.remarkMillis
}
