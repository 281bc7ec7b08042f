import { referralCodeBytesMin } from '../../../schemas/bounds.js'
import {
  type AnyCommand,
  CreateReferralCodeCommand,
  SetReferrerCommand,
} from '../../../schemas/generated/commands.js'
import { Result } from '../../../schemas/results.js'
import { type PublishReferralsState, publishReferral } from '../../publish/publish-referrals.js'
import type { ReferralTable } from '../../state/accounts/referral-table.js'

interface DecideReferralsState extends PublishReferralsState {
  readonly referrals: ReferralTable
  readonly nowMillis: number
}

const codeText = /^[A-Z0-9_-]+$/
const creation = new CreateReferralCodeCommand()
const binding = new SetReferrerCommand()

/** CreateReferralCode: gives a wallet one permanent code that no other wallet has. */
export function checkReferralCode(
  state: DecideReferralsState,
  account: number,
  command: AnyCommand,
): Result {
  const { codeText: code } = creation.of(command)
  if (code.length < referralCodeBytesMin || !codeText.test(code)) return Result.ValueRefused
  const { referrals } = state
  // A wallet with a code must not learn which other codes are taken.
  if ((referrals.find(account)?.code ?? '') !== '') return Result.ReferralCodeKept
  return referrals.ownerOf(code) < 0 ? Result.Accepted : Result.ReferralCodeTaken
}

export function applyReferralCode(
  state: DecideReferralsState,
  account: number,
  command: AnyCommand,
): void {
  const { codeText: code } = creation.of(command)
  publishReferral(state, state.referrals.addCode(account, code, state.nowMillis))
}

/**
 * SetReferrer: binds a wallet to the owner of a code, permanently. The signature covers the referrer, not the code, so
 * both must agree. A wallet cannot refer one that referred it, directly or through others.
 */
export function checkReferrer(
  state: DecideReferralsState,
  account: number,
  command: AnyCommand,
): Result {
  const { codeText: code, u8, referrerAt } = binding.of(command)
  const { referrals } = state
  if ((referrals.find(account)?.referrer ?? -1) >= 0) return Result.ReferrerKept
  const referrer = state.accounts.find(u8, referrerAt)
  if (referrer === account) return Result.ReferrerIsWallet
  const owner = referrals.ownerOf(code)
  if (owner < 0) return Result.ReferralCodeUnknown
  if (owner !== referrer) return Result.ReferrerNotOwner
  return referrals.isAbove(account, referrer) ? Result.ReferrerReferred : Result.Accepted
}

export function applyReferrer(
  state: DecideReferralsState,
  account: number,
  command: AnyCommand,
): void {
  const { u8, referrerAt } = binding.of(command)
  const referrer = state.accounts.find(u8, referrerAt)
  publishReferral(state, state.referrals.bind(account, referrer))
}
