import { HaltMode, InstrumentState } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { isMarked } from './mark-view.js'
import { MarginSummary } from './order-check.js'
import type { RiskEngine } from './risk-engine.js'

/** State that limits withdrawals, in addition to the wallet's book. */
export interface WithdrawalStanding {
  /** True if the wallet is healthy, or its liquidation has ended. */
  readonly isFree: boolean
  /** True if the engine's clock was stepped. */
  readonly isClockDoubted: boolean
  /** `HaltMode` by underlying. */
  readonly haltModes: ArrayLike<number>
}

const summary = new MarginSummary()

/**
 * Returns the amount that can leave the wallet now, in micros: its worst slack with initial margin, without profits of
 * perps, and at most the unreserved cash. The caller sets the time first (`setTime`).
 */
export function withdrawableMicros(
  risk: RiskEngine,
  account: number,
  standing: WithdrawalStanding,
): number {
  if (!mayWithdraw(risk, account, standing)) return 0
  risk.summarize(account, summary)
  return summary.withdrawable
}

/**
 * Returns true if withdrawals are possible at all. They are blocked while the clock is in doubt or the wallet is in
 * liquidation. They are also blocked while an instrument with a position or order of the wallet is halted or closed,
 * awaits its settlement price, or lacks an index or a mark.
 */
export function mayWithdraw(
  risk: RiskEngine,
  account: number,
  { isFree, isClockDoubted, haltModes }: WithdrawalStanding,
): boolean {
  if (isClockDoubted || !isFree) return false
  const { exposures, firstExposure, instruments, marks, nowMillis } = risk
  let row = firstExposure[account]
  for (; row !== none; row = exposures.nextInAccount[row]) {
    const instrument = exposures.instrument[row]
    const underlying = instruments.underlying[instrument]
    if (haltModes[underlying] !== HaltMode.Open) return false
    if (instruments.state[instrument] !== InstrumentState.Active) return false
    if (!isMarked(marks, instrument) || marks.indexIsMissing(underlying, nowMillis)) return false
  }
  return true
}
