import type { Accounts } from '../../../engine/state/accounts/accounts.js'
import type { ApiWallets } from '../../../engine/state/accounts/api-wallets.js'
import { formatHex } from '../../../schemas/hex.js'
import { formatAddress } from '../../../schemas/wallet.js'
import type { PublishedKeys } from '../published/published-keys.js'
import { mustHold } from '../run/simulation-errors.js'

interface KeyInvariantsState {
  readonly accounts: Accounts
  readonly apiWallets: ApiWallets
}

/**
 * Checks that the published trading keys are the core's keys, once a reader has read everything.
 * @throws Violation
 */
export function checkKeys(
  { accounts, apiWallets }: KeyInvariantsState,
  published: PublishedKeys,
): void {
  for (let account = 0; account < accounts.count; account++) {
    const named = published.of(account)
    const keys = apiWallets.of(account)
    const isSame =
      keys.length === named.size &&
      keys.every(({ name, address }) => {
        return named.get(formatHex(name, 0, name.length)) === formatAddress(address, 0)
      })
    mustHold(isSame, () => `readers received other keys of account ${account}`)
  }
}
