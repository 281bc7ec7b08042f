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

// New accounts, new underlyings and halts. Each function publishes its event in the same step.

/** Returns the account of the wallet at `source[at]`. Opens one for a new wallet. */
export function accountFor(state: AnnouncedState, source: Uint8Array, at: number): number {
  const known = state.accounts.find(source, at)
  if (known >= 0) return known
  const account = state.openAccount(source, at)
  publishAccount(state, account, AccountChange.Opened)
  return account
}

/** Returns the index of an underlying. Adds a new one. @returns -1 if the maximum is reached. */
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

/** Sets the halt mode of every known underlying, and pauses or resumes its liquidation timers. */
export function haltEach(state: AnnouncedState, mode: HaltMode): void {
  for (let u = 0; u < state.instruments.underlyingNames.length; u++) halt(state, u, mode)
  turnAllTimers(state)
}
