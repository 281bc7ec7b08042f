import { MarginMode } from '../../schemas/domain.js'
import { AccountChange } from '../../schemas/events.js'
import { Result } from '../../schemas/results.js'
import { liquidationGate } from '../lifecycle/liquidation-gate.js'
import { LiquidationGate } from '../risk/order-check.js'
import type { CoreState } from './core-state.js'
import { publishAccount } from './publish.js'

/**
 * Guards of a SetMarginMode whose nonce and signer are right: `portfolio` where it is not offered, and a change to a
 * mode in which the wallet would not meet initial margin, its working orders among it (rest-and-signing.md, section 5).
 * The mode that the wallet has already is no change: naming it again is accepted, whatever the wallet's margin.
 * A wallet that the engine has taken over keeps its mode: bids are signed over what the wallet needs in it. In the
 * grace period a mode in which it meets initial margin ends the trouble, and harms nobody.
 * @param account -1 for a wallet without one.
 */
export function checkMarginMode(state: CoreState, account: number, mode: number): Result {
  if (mode !== MarginMode.Standard && mode !== MarginMode.Portfolio) return Result.InvalidField
  if (mode === MarginMode.Portfolio && !state.config.portfolioModeAllowed) {
    return Result.MarginModeUnavailable
  }
  const isChange = account >= 0 && state.risk.marginMode[account] !== mode
  if (!isChange) return Result.Accepted
  if (liquidationGate(state, account) === LiquidationGate.Closed) return Result.AccountInLiquidation
  return state.risk.meetsMarginIn(account, mode) ? Result.Accepted : Result.MarginNotMet
}

/** Carries an accepted SetMarginMode out, and tells it; the mode that it has already too. */
export function applyMarginMode(state: CoreState, account: number, mode: number): void {
  state.risk.setMarginMode(account, mode as MarginMode)
  publishAccount(state, account, AccountChange.Modes, 0)
}
