import { type AnyCommand, SetTierCommand } from '../../../schemas/generated/commands.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { publishAccount } from '../../publish/publish-market.js'
import { type AnnouncedState, accountFor } from '../steps/announced.js'

const newTier = new SetTierCommand()

/** Rejects a tier without uncovered shorts for a wallet that has such a short, or an order that could open one. */
function checkTier(state: AnnouncedState, command: AnyCommand): Result {
  const { tier, u8, walletAt } = newTier.of(command)
  const account = state.accounts.find(u8, walletAt)
  if (account < 0) return Result.Accepted
  return state.risk.wouldUncover(account, tier) ? Result.Conflict : Result.Accepted
}

/** Sets the tier of the wallet in the header. The operator port and the operator's signers may do this. */
export function setTier(state: AnnouncedState, command: AnyCommand): Result {
  const result = checkTier(state, command)
  if (result !== Result.Accepted) return result
  const { tier, u8, walletAt } = newTier.of(command)
  const account = accountFor(state, u8, walletAt)
  state.risk.setTier(account, tier)
  publishAccount(state, account, AccountChange.Tier)
  return Result.Accepted
}

/** Rejects a signed tier change unless its signer is one of the operator's signers. */
export function checkUserTier(
  state: AnnouncedState,
  _account: number,
  command: AnyCommand,
): Result {
  const { u8, signerAt } = command
  const isSigner = state.config.operatorSigners.includes(formatAddress(u8, signerAt))
  return isSigner ? checkTier(state, command) : Result.Unauthorized
}
