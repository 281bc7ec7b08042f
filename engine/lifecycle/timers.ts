import { assert } from '../../schemas/assert.js'
import { HaltMode } from '../../schemas/domain.js'
import { LiquidationChange, LiquidationState } from '../../schemas/record-values.js'
import { type PublishLiquidationState, publishLiquidation } from '../publish/publish-liquidation.js'
import { judge } from '../state/judgement.js'
import type { LiquidationTable } from '../state/market/liquidation-table.js'
import { positionsOf } from '../state/wallet-rows.js'
import type { Liquidation } from '../tables/generated/liquidation.js'

export interface TimersState extends PublishLiquidationState {
  haltModeOf(underlying: number): HaltMode
  readonly liquidations: LiquidationTable
}

// Grace, partial phase, price of an auction and offer for an insolvent account run by a clock of the wallet's own. It
// stands still while its owner cannot reduce, or bidders cannot bid, because a market of its positions is closed.

/** Whether orders of an underlying, and all that moves its positions, are refused. */
export function isClosed(state: TimersState, underlying: number): boolean {
  return state.haltModeOf(underlying) !== HaltMode.Open
}

/** Mode of the first closed market among an account's positions, `Open` without one. */
export function closedModeOf(state: TimersState, account: number): HaltMode {
  const { risk, instruments } = state
  for (const exposure of positionsOf(state, account)) {
    const underlying = instruments.underlying[risk.exposures.instrument[exposure]]
    if (isClosed(state, underlying)) return state.haltModeOf(underlying)
  }
  return HaltMode.Open
}

/** Whether the timers of a wallet that is in liquidation stand still now. */
function timersStand(state: TimersState, account: number): boolean {
  return closedModeOf(state, account) !== HaltMode.Open
}

/** Whether the row's state has timers at all. */
function hasTimers(row: Liquidation): boolean {
  return (
    row.state === LiquidationState.PreLiquidation || row.state === LiquidationState.InLiquidation
  )
}

/** Stops or starts a wallet's timers as its markets have closed or opened, and tells it. */
export function turnTimers(state: TimersState, row: Liquidation): void {
  const stands = hasTimers(row) && timersStand(state, row.account)
  if (stands === row.standingMillis > 0) return
  const { nowMillis } = state
  assert(row.standingMillis <= nowMillis, 'timers: they stopped before now')
  state.liquidations.amend(row, (changed) => {
    if (stands) {
      changed.standingMillis = nowMillis
      // Orders of a partial phase name prices from before the halt: somebody would be first to take them after it.
      changed.purging = 1
    } else {
      changed.stoodMillis += nowMillis - changed.standingMillis
      changed.standingMillis = 0
      changed.repricedMillis = 0
    }
  })
  publishLiquidation(state, row, LiquidationChange.Timers, judge(state, row.account))
}

/** Markets have closed or opened: stops or starts the timers of all wallets that it is about. */
export function turnAllTimers(state: TimersState): void {
  for (const row of state.liquidations.byAccount()) {
    turnTimers(state, row)
    state.risk.changed.add(row.account)
  }
}

/** A state begins: its timers run, or wait for the markets to open. */
export function beginTimers(state: TimersState, row: Liquidation): void {
  row.stoodMillis = 0
  row.standingMillis = hasTimers(row) && timersStand(state, row.account) ? state.nowMillis : 0
}
