import { HaltMode, InstrumentState } from '../../schemas/domain.js'
import { none } from '../memory/rows.js'
import { isMarked } from './mark-view.js'
import { MarginSummary } from './order-check.js'
import type { RiskEngine } from './risk-engine.js'

/** What a bound of withdrawals goes by beside the book of the wallet. */
export interface WithdrawalStanding {
  /** Whether the wallet is healthy, or was liquidated and that is over. */
  readonly isFree: boolean
  /** Whether the engine's clock was stepped. */
  readonly isClockDoubted: boolean
  /** `HaltMode` by underlying. */
  readonly haltModes: ArrayLike<number>
}

const summary = new MarginSummary()

/**
 * What can leave the wallet now, micros: its worst slack with initial margin, what perps have gained struck out, and at
 * most the cash that nothing is reserved from. Whoever asks has set the time (`setTime`).
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
 * Whether anything can leave at all: not while the clock is doubted, or the wallet is in liquidation, or something of
 * what it has or works for cannot be told or traded: closed, without index or mark, or waiting for its settlement price.
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
