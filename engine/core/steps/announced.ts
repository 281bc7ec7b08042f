import { assert } from '../../../schemas/assert.js'
import { HaltMode } from '../../../schemas/domain.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { type TimersState, turnAllTimers } from '../../lifecycle/timers.js'
import {
  type PublishMarketState,
  publishAccount,
  publishHalt,
} from '../../publish/publish-market.js'

export interface AnnouncedState extends PublishMarketState, TimersState {
  openAccount(source: Uint8Array, at: number): number
  addUnderlying(name: string): number
  readonly haltModeAtListing: HaltMode
  readonly clockAlarm: boolean
  setHaltMode(underlying: number, mode: number): void
}

// Accounts, underlyings and halts: what is new of them is told in the same step.

/** Account of the wallet at `source[at]`, opened when it is new. */
export function accountFor(state: AnnouncedState, source: Uint8Array, at: number): number {
  const known = state.accounts.find(source, at)
  if (known >= 0) return known
  const account = state.openAccount(source, at)
  publishAccount(state, account, AccountChange.Opened)
  return account
}

/** Index of the underlying, added when new. @returns -1 when there are as many as there may be. */
export function underlyingFor(state: AnnouncedState, name: string): number {
  const count = state.instruments.underlyingNames.length
  const underlying = state.addUnderlying(name)
  if (underlying === count) {
    if (state.haltModeAtListing !== HaltMode.Open) halt(state, underlying, state.haltModeAtListing)
    else if (state.clockAlarm) publishHalt(state, underlying)
  }
  return underlying
}

/** Sets the halt mode of one underlying. */
export function halt(state: AnnouncedState, underlying: number, mode: HaltMode): void {
  const isKnown = underlying >= 0 && underlying < state.instruments.underlyingNames.length
  assert(isKnown, 'halt: the underlying exists')
  state.setHaltMode(underlying, mode)
  publishHalt(state, underlying)
}

/** Sets the halt mode of every underlying that is known; the timers of liquidations in them follow. */
export function haltEach(state: AnnouncedState, mode: HaltMode): void {
  for (let u = 0; u < state.instruments.underlyingNames.length; u++) halt(state, u, mode)
  turnAllTimers(state)
}
