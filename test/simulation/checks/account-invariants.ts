import type { PushTable } from '../../../engine/state/accounts/push-table.js'
import type { ReferralTable } from '../../../engine/state/accounts/referral-table.js'
import { pushPerWalletMax, pushSubscriptionsMax } from '../../../schemas/bounds.js'
import { pushTopicsAll } from '../../../schemas/record-values.js'
import { mustHold } from '../run/simulation-errors.js'

interface AccountInvariantsState {
  readonly referrals: ReferralTable
  readonly push: PushTable
}

/**
 * Checks that each code belongs to one wallet, and that each bound referrer has a code and was not itself referred by
 * the wallet.
 */
export function checkReferrals({ referrals }: AccountInvariantsState): void {
  const codes = new Set<string>()
  const numbers = new Set<number>()
  for (const { account, code, referrer, number } of referrals.rows()) {
    if (code !== '') {
      mustHold(!codes.has(code), () => `code ${code} is of two wallets`)
      mustHold(referrals.ownerOf(code) === account, () => `code ${code} is not found`)
      codes.add(code)
    }
    mustHold(referrer < 0 === (number === 0), () => `account ${account} is bound to nobody`)
    if (referrer < 0) continue
    mustHold(!numbers.has(number), () => `binding ${number} is of two wallets`)
    numbers.add(number)
    const isOwner = (referrals.find(referrer)?.code ?? '') !== ''
    mustHold(isOwner, () => `account ${account} came by one without a code`)
    checkAbove(referrals, account)
  }
}

/** Follows the referrers upward and fails on a circle: the chain must end at an account without a referrer. */
function checkAbove(referrals: ReferralTable, account: number): void {
  const seen = new Set<number>()
  for (let above = account; above >= 0; above = referrals.find(above)?.referrer ?? -1) {
    mustHold(!seen.has(above), () => `account ${account} came by itself, over others`)
    seen.add(above)
  }
}

/**
 * Checks the subscription limits, that a wallet has each endpoint once, and that its oldest subscription comes first.
 */
export function checkPush({ push }: AccountInvariantsState): void {
  let count = 0
  for (const { account, topics, subscriptions } of push.rows()) {
    const { length } = subscriptions
    count += length
    mustHold(length <= pushPerWalletMax, () => `account ${account} has ${length} subscriptions`)
    const says = length > 0 || topics !== pushTopicsAll
    mustHold(says, () => `account ${account} has a row that says nothing`)
    const endpoints = new Set(subscriptions.map(({ endpoint }) => endpoint))
    mustHold(endpoints.size === length, () => `account ${account} has an endpoint twice`)
    const rises = subscriptions.every(({ id }, at) => at === 0 || subscriptions[at - 1].id < id)
    mustHold(rises, () => `subscriptions of account ${account} are out of order`)
  }
  mustHold(count <= pushSubscriptionsMax, () => `${count} subscriptions`)
}
