import type { UsernameEvent } from '../../../schemas/generated/events.js'
import { formatAddress } from '../../../schemas/wallet.js'

/** Approved usernames of wallets. Pending requests are not public. */
export class UsernameViews {
  readonly #names = new Map<string, string>()

  /**
   * @param wallet Lower-case address text. @returns Null if it has none.
   */
  of(wallet: string): string | null {
    return this.#names.get(wallet) ?? null
  }

  apply({ u8, usernameText, walletAt }: UsernameEvent): void {
    const wallet = formatAddress(u8, walletAt)
    if (usernameText === '') this.#names.delete(wallet)
    else this.#names.set(wallet, usernameText)
  }
}
