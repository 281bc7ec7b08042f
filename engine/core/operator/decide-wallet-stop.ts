import { assert } from '../../../schemas/assert.js'
import { type AnyCommand, SetWalletStopCommand } from '../../../schemas/generated/commands.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import type { Ring } from '../../memory/ring.js'
import { type PublishMarketState, publishAccount } from '../../publish/publish-market.js'
import { endRfqsBy, type RfqStatesState } from '../../rfq/rfq-states.js'
import type { MarketOutcome } from '../steps/market-outcome.js'
import { beginShellCommand } from './accept-loss.js'

export interface DecideWalletStopState extends PublishMarketState, RfqStatesState {}

const stop = new SetWalletStopCommand()

/** Appends the stop of one wallet to the shell's ring, which must be empty. */
export function putWalletStop(
  { accounts }: DecideWalletStopState,
  shell: Ring,
  account: number,
): void {
  assert(stop.claim(shell), 'shell ring: empty before the stop of a wallet')
  beginShellCommand(stop)
  accounts.addresses.write(account, stop.u8, stop.walletAt)
  stop.stopped = 1
  shell.commit()
}

/**
 * Stops or resumes a wallet. A stopped wallet may cancel, but must not raise its risk. Its requests for quote and live
 * quotes end in this step, its orders in auctions are canceled, and its other orders keep resting.
 */
export function setWalletStop(
  state: DecideWalletStopState,
  command: AnyCommand,
  out: MarketOutcome,
): Result {
  const { stopped, u8, walletAt } = stop.of(command)
  const account = state.accounts.find(u8, walletAt)
  if (account < 0) return Result.NotFound
  out.repeat = !state.walletStops.set(account, stopped === 1)
  if (out.repeat) return Result.Accepted
  publishAccount(state, account, AccountChange.Modes)
  if (stopped !== 1) return Result.Accepted
  endRfqsBy(state, account, Result.WalletStopped, () => true)
  assert(state.rfqs.openCountOf(account) === 0, 'wallet stop: no request stays open')
  state.rfqs.mayBeStale = true
  return Result.Accepted
}
