import { failed, type ResultRow } from './result-row.js'

/** Results of rejected referral codes and referrers; part of `Result`. */
export const ReferralResult = {
  ReferralCodeTaken: -2051,
  ReferralCodeKept: -2052,
  ReferralCodeUnknown: -2053,
  ReferrerNotOwner: -2054,
  ReferrerIsWallet: -2055,
  ReferrerKept: -2056,
  ReferrerReferred: -2057,
} as const

export const referralResultRows: Record<
  (typeof ReferralResult)[keyof typeof ReferralResult],
  ResultRow
> = {
  [ReferralResult.ReferralCodeTaken]: failed(
    'conflict',
    409,
    'Conflict: the code is already taken',
  ),
  [ReferralResult.ReferralCodeKept]: failed(
    'conflict',
    409,
    'Conflict: the wallet already has a code',
  ),
  [ReferralResult.ReferralCodeUnknown]: failed('not_found', 404, 'Referral code not found'),
  [ReferralResult.ReferrerNotOwner]: failed(
    'invalid_field',
    400,
    'Invalid referrer: must own the code',
  ),
  [ReferralResult.ReferrerIsWallet]: failed(
    'invalid_field',
    400,
    'Invalid referrer: must not be the wallet itself',
  ),
  [ReferralResult.ReferrerKept]: failed(
    'conflict',
    409,
    'Conflict: the wallet already has a referrer',
  ),
  [ReferralResult.ReferrerReferred]: failed(
    'conflict',
    409,
    'Conflict: the wallet itself referred this referrer',
  ),
}
