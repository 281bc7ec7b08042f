import { InstrumentState } from '../../schemas/domain.js'
import { SettlementPhase } from '../../schemas/record-values.js'
import type { SettlementTable } from '../state/market/settlement-table.js'
import { type Breach, breachOf } from './breach.js'
import { exposuresIn, type StateRowsState } from './state-rows.js'
import { WideSum } from './wide-sum.js'

export interface PositionsState extends StateRowsState {
  readonly settlements: SettlementTable
}

/** Checks that the positions of each instrument add up to zero over all wallets. */
export function positionsBreach(state: PositionsState): Breach | null {
  for (const [instrument, sum] of positionSums(state).entries()) {
    if (sum === undefined || isBeingPaid(state, instrument)) continue
    const lots = sum.total
    if (sum.isExact && lots === 0n) continue
    const text = `positions of instrument ${instrument} add up to ${lots} lots`
    return breachOf('positions', `${instrument} ${lots}`, text, { instrument, lots })
  }
  return null
}

/** Returns the sums by instrument, without those that no wallet holds. */
function positionSums(state: PositionsState): (WideSum | undefined)[] {
  const sums: (WideSum | undefined)[] = []
  const { instrument, positionLots } = state.risk.exposures
  for (const row of exposuresIn(state)) {
    if (positionLots[row] === 0) continue
    const sum = (sums[instrument[row]] ??= new WideSum())
    sum.add(positionLots[row])
  }
  return sums
}

/** Returns true if a payout is in progress: some wallets are paid, and others still have positions. */
function isBeingPaid({ instruments, settlements }: PositionsState, instrument: number): boolean {
  if (instruments.state[instrument] !== InstrumentState.ExpiredPendingPrice) return false
  const { underlying, expiryMillis } = instruments
  const row = settlements.find(underlying[instrument], expiryMillis[instrument])
  return row?.phase === SettlementPhase.Paying
}
