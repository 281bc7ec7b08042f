import { type AnyCommand, SetTierCommand } from '../../../schemas/generated/commands.js'
import { AccountChange } from '../../../schemas/record-values.js'
import { Result } from '../../../schemas/results.js'
import { formatAddress } from '../../../schemas/wallet.js'
import { publishAccount } from '../../publish/publish-market.js'
import { type AnnouncedState, accountFor } from '../steps/announced.js'

const newTier = new SetTierCommand()

/** A tier whose margin model allows no short without cover is not for a wallet that has one, or works towards it. */
function checkTier(state: AnnouncedState, command: AnyCommand): Result {
  const { tier, u8, walletAt } = newTier.of(command)
  const account = state.accounts.find(u8, walletAt)
  if (account < 0) return Result.Accepted
  return state.risk.wouldUncover(account, tier) ? Result.Conflict : Result.Accepted
}

/** Sets the tier of the wallet in the header; by the operator's port or a signer of the operator. */
export function setTier(state: AnnouncedState, command: AnyCommand): Result {
  const allowed = checkTier(state, command)
  if (allowed !== Result.Accepted) return allowed
  const { tier, u8, walletAt } = newTier.of(command)
  const account = accountFor(state, u8, walletAt)
  state.risk.setTier(account, tier)
  publishAccount(state, account, AccountChange.Tier)
  return Result.Accepted
}

/** A tier is signed by one of the addresses that the operator has named. */
export function checkUserTier(
  state: AnnouncedState,
  _account: number,
  command: AnyCommand,
): Result {
  const { u8, signerAt } = command
  const isSigner = state.config.operatorSigners.includes(formatAddress(u8, signerAt))
  return isSigner ? checkTier(state, command) : Result.Unauthorized
}
