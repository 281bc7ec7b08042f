import type { UsernameEvent } from '../../../schemas/generated/events.js'
import { formatAddress } from '../../../schemas/wallet.js'

/** What wallets go by; what they have asked for is nobody's business before it is approved. */
export class UsernameViews {
  readonly #names = new Map<string, string>()

  /** @param wallet lower-case address text. @returns null: it has none. */
  of(wallet: string): string | null {
    return this.#names.get(wallet) ?? null
  }

  apply({ u8, usernameText, walletAt }: UsernameEvent): void {
    const wallet = formatAddress(u8, walletAt)
    if (usernameText === '') this.#names.delete(wallet)
    else this.#names.set(wallet, usernameText)
  }
}
