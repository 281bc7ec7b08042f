import { none } from '../memory/rows.js'
import { isMarked } from './mark-view.js'
import type { RiskLedger } from './risk-ledger.js'

/**
 * Whether a wallet's margin cannot be trusted: it is short of something without a mark, holds a perp without one, or
 * holds anything of an underlying whose index is missing. Nobody is liquidated by prices that are not there (section
 * 1).
 */
export function lacksMarks(ledger: RiskLedger, account: number): boolean {
  const { exposures, firstExposure, instruments, marks, nowMillis } = ledger
  for (let row = firstExposure[account]; row !== none; row = exposures.nextInAccount[row]) {
    const lots = exposures.positionLots[row]
    if (lots === 0) continue
    const instrument = exposures.instrument[row]
    const canOwe = lots < 0 || instruments.isPerp(instrument)
    if (canOwe && !isMarked(marks, instrument)) return true
    if (marks.indexIsMissing(instruments.underlying[instrument], nowMillis)) return true
  }
  return false
}
