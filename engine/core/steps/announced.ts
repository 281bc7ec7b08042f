import { HaltMode } from '../../../schemas/domain.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { turnAllTimers } from '../../lifecycle/timers.js'
import { publishAccount, publishHalt } from '../../publish/publish-market.js'
import type { CoreState } from '../../state/core-state.js'

// Accounts, underlyings and halts: what is new of them is told in the same step.

/** Account of the wallet at `source[at]`, opened when it is new. */
export function accountFor(state: CoreState, source: Uint8Array, at: number): number {
  const known = state.accounts.find(source, at)
  if (known >= 0) return known
  const account = state.openAccount(source, at)
  publishAccount(state, account, AccountChange.Opened)
  return account
}

/** Index of the underlying, added when new. @returns -1 when there are as many as there may be. */
export function underlyingFor(state: CoreState, name: string): number {
  const count = state.instruments.underlyingNames.length
  const underlying = state.addUnderlying(name)
  if (underlying === count) {
    if (state.haltModeAtListing !== HaltMode.Open) halt(state, underlying, state.haltModeAtListing)
    else if (state.clockAlarm) publishHalt(state, underlying)
  }
  return underlying
}

/** Sets the halt mode of one underlying. */
export function halt(state: CoreState, underlying: number, mode: HaltMode): void {
  state.setHaltMode(underlying, mode)
  publishHalt(state, underlying)
}

/** Sets the halt mode of every underlying that is known; the timers of liquidations in them follow. */
export function haltEach(state: CoreState, mode: HaltMode): void {
  for (let u = 0; u < state.instruments.underlyingNames.length; u++) halt(state, u, mode)
  turnAllTimers(state)
}
