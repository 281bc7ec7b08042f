import type { Mutant } from './mutant.js'

export const referralMutants: readonly Mutant[] = [
  {
    file: 'engine/core/account/decide-referrals.ts',
    fault: 'a code of somebody else is taken again',
    original: 'referrals.ownerOf(code) < 0 ? Result.Accepted',
    replacement: 'true ? Result.Accepted',
  },
  {
    file: 'engine/core/account/decide-referrals.ts',
    fault: 'a wallet may have a second code',
    original: "(referrals.find(account)?.code ?? '') !== ''",
    replacement: 'false',
  },
  {
    file: 'engine/core/account/decide-referrals.ts',
    fault: 'a referrer need not own the code',
    original: 'owner !== referrer',
    replacement: 'false',
  },
  {
    file: 'engine/core/account/decide-referrals.ts',
    fault: 'a wallet may change its referrer',
    original: '(referrals.find(account)?.referrer ?? -1) >= 0',
    replacement: 'false',
  },
  {
    file: 'engine/state/accounts/referral-table.ts',
    fault: 'only who was brought by the wallet itself cannot have brought it',
    original: 'this.#topOf(referrer) === account',
    replacement: 'this.#above(referrer) === account',
  },
  {
    file: 'engine/state/accounts/referral-table.ts',
    fault: 'who stands above whom is lost with a snapshot',
    original: 'row.above = row.referrer',
    replacement: 'row.above = -1',
  },
]
