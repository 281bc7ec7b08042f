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

// Grace, partial phase, price of an auction and offer for an insolvent account use a clock of the wallet's own. The
// clock is stopped while the owner cannot reduce, or bidders cannot bid, because a market of its positions is closed.

/** Returns true if orders of an underlying, and all other changes of its positions, are rejected. */
export function isClosed(state: TimersState, underlying: number): boolean {
  return state.haltModeOf(underlying) !== HaltMode.Open
}

/** Returns the mode of the first closed market among an account's positions, or `Open`. */
export function closedModeOf(state: TimersState, account: number): HaltMode {
  const { risk, instruments } = state
  for (const exposure of positionsOf(state, account)) {
    const underlying = instruments.underlying[risk.exposures.instrument[exposure]]
    if (isClosed(state, underlying)) return state.haltModeOf(underlying)
  }
  return HaltMode.Open
}

/** Returns true if the timers of a wallet in liquidation must be stopped now. */
function mustStopTimers(state: TimersState, account: number): boolean {
  return closedModeOf(state, account) !== HaltMode.Open
}

/** Returns true if the row's state has timers. */
function hasTimers(row: Liquidation): boolean {
  return (
    row.state === LiquidationState.PreLiquidation || row.state === LiquidationState.InLiquidation
  )
}

/** Stops or starts a wallet's timers after its markets have closed or opened, and publishes the change. */
export function turnTimers(state: TimersState, row: Liquidation): void {
  const isStopped = hasTimers(row) && mustStopTimers(state, row.account)
  if (isStopped === row.standingMillis > 0) return
  const { nowMillis } = state
  assert(row.standingMillis <= nowMillis, 'timers: the stop is not in the future')
  state.liquidations.amend(row, (changed) => {
    if (isStopped) {
      changed.standingMillis = nowMillis
      // Orders of a partial phase have prices from before the halt, which the fastest trader could take after it.
      changed.purging = 1
    } else {
      changed.stoodMillis += nowMillis - changed.standingMillis
      changed.standingMillis = 0
      changed.repricedMillis = 0
    }
  })
  publishLiquidation(state, row, LiquidationChange.Timers, judge(state, row.account))
}

/** Stops or starts the timers of all affected wallets after markets have closed or opened. */
export function turnAllTimers(state: TimersState): void {
  for (const row of state.liquidations.byAccount()) {
    turnTimers(state, row)
    state.risk.changed.add(row.account)
  }
}

/** Starts the timers of a new state, or stops them until the markets open. */
export function beginTimers(state: TimersState, row: Liquidation): void {
  row.stoodMillis = 0
  row.standingMillis = hasTimers(row) && mustStopTimers(state, row.account) ? state.nowMillis : 0
}
