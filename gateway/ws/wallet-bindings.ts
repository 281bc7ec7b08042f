/** State of one wallet on a connection. */
interface Binding {
  isBound: boolean
  /** Pending requests that would bind it. */
  asked: number
}

/** Limit per connection: each wallet costs some 100 bytes, and a command when the connection closes. */
export const boundWalletsMax = 256

/**
 * Wallets whose orders are cancelled when one connection closes: those that the engine has bound to it, and those with
 * a pending request to bind.
 */
export class WalletBindings {
  readonly #wallets = new Map<string, Binding>()

  /** Notes a request of the connection. @param wallet Lower-case text. */
  asked(wallet: string, enabled: boolean): void {
    const binding = this.#wallets.get(wallet) ?? { isBound: false, asked: 0 }
    if (enabled) binding.asked++
    this.#keep(wallet, binding)
  }

  /** Notes the answer to a request. @param hasEffect True if it was accepted and is not a duplicate. */
  answered(wallet: string, enabled: boolean, hasEffect: boolean): void {
    const binding = this.#wallets.get(wallet) ?? { isBound: false, asked: 0 }
    if (enabled) binding.asked--
    if (hasEffect) binding.isBound = enabled
    this.#keep(wallet, binding)
  }

  /** True if the connection may bind the wallet. */
  hasRoom(wallet: string): boolean {
    return this.#wallets.size < boundWalletsMax || this.#wallets.has(wallet)
  }

  isBound(wallet: string): boolean {
    return this.#wallets.get(wallet)?.isBound === true
  }

  /** Returns the wallets to cancel for when the connection closes. */
  names(): readonly string[] {
    return [...this.#wallets.keys()]
  }

  #keep(wallet: string, binding: Binding): void {
    if (binding.isBound || binding.asked > 0) this.#wallets.set(wallet, binding)
    else this.#wallets.delete(wallet)
  }
}
