import { assert } from '../../../schemas/assert.js'
import { MarginMode } from '../../../schemas/domain.js'
import { type AnyCommand, SetMarginModeCommand } from '../../../schemas/generated/commands.js'
import type { OrderFacts } from '../../../schemas/generated/events.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { type LiquidationGateState, liquidationGate } from '../../lifecycle/liquidation-gate.js'
import { type PublishMarketState, publishAccount } from '../../publish/publish-market.js'
import { LiquidationGate, MarginSummary } from '../../risk/order-check.js'
import type { Batch } from '../../state/batch.js'
import type { EngineConfig } from '../../state/market/engine-config.js'

interface DecideModeState extends LiquidationGateState, PublishMarketState {
  readonly config: EngineConfig
}

const setMode = new SetMarginModeCommand()
const summary = new MarginSummary()

/**
 * Guards of a SetMarginMode whose nonce and signer are valid. It fails with `portfolio` where that is not offered. It
 * also fails for a mode in which the wallet, with its working orders, would not meet initial margin; the details give
 * the required margin and the equity. Naming the current mode again is accepted, whatever the margin. A wallet that the
 * engine has taken over keeps its mode, because bids are signed over its requirements in that mode. In the grace period
 * it may change to a mode in which it meets initial margin.
 */
export function checkMarginMode(
  state: DecideModeState,
  account: number,
  command: AnyCommand,
  batch: Batch,
  ticket: number,
): Result {
  const { mode } = setMode.of(command)
  if (mode !== MarginMode.Standard && mode !== MarginMode.Portfolio) return Result.ValueRefused
  if (mode === MarginMode.Portfolio && !state.config.portfolioModeAllowed) {
    return Result.MarginModeUnavailable
  }
  if (state.risk.marginMode[account] === mode) return Result.Accepted
  if (state.walletStops.has(account)) return Result.WalletClosed
  if (liquidationGate(state, account) === LiquidationGate.Closed) return Result.AccountInLiquidation
  if (state.risk.meetsMarginIn(account, mode, summary)) return Result.Accepted
  const { totalMarginUsed, equity } = summary
  const details = batch.beginDetails(ticket)
  batch.details[details] = totalMarginUsed
  batch.details[details + 1] = equity
  batch.details[details + 2] = Math.max(0, totalMarginUsed - equity)
  return Result.MarginNotMet
}

/** Executes an accepted SetMarginMode and publishes it, even if the mode is unchanged. */
export function applyMarginMode(
  state: DecideModeState,
  account: number,
  command: AnyCommand,
  out: OrderFacts,
): void {
  const { mode } = setMode.of(command)
  const previous = state.risk.marginMode[account] as MarginMode
  const isFree = liquidationGate(state, account) !== LiquidationGate.Closed
  assert(isFree || mode === previous, 'margin mode: it is fixed during liquidation')
  out.previousMode = previous
  state.risk.setMarginMode(account, mode)
  publishAccount(state, account, AccountChange.Modes)
}
