/** How one wallet stands to a connection. */
interface Binding {
  isBound: boolean
  /** Requests under way that would bind it. */
  asked: number
}

/** Wallets of one connection: some 100 bytes each, and a command each when it ends. */
export const boundWalletsMax = 256

/**
 * Wallets whose orders end with one connection: those that the engine has bound to it, and those that it may bind yet,
 * because the connection has asked and has no answer.
 */
export class WalletBindings {
  readonly #wallets = new Map<string, Binding>()

  /** The connection has sent the request. @param wallet lower-case text. */
  asked(wallet: string, enabled: boolean): void {
    const binding = this.#wallets.get(wallet) ?? { isBound: false, asked: 0 }
    if (enabled) binding.asked++
    this.#keep(wallet, binding)
  }

  /** It is answered. @param hasEffect whether it was accepted, and is no repeat. */
  answered(wallet: string, enabled: boolean, hasEffect: boolean): void {
    const binding = this.#wallets.get(wallet) ?? { isBound: false, asked: 0 }
    if (enabled) binding.asked--
    if (hasEffect) binding.isBound = enabled
    this.#keep(wallet, binding)
  }

  /** Returns whether the connection may bind the wallet too. */
  hasRoom(wallet: string): boolean {
    return this.#wallets.size < boundWalletsMax || this.#wallets.has(wallet)
  }

  isBound(wallet: string): boolean {
    return this.#wallets.get(wallet)?.isBound === true
  }

  /** Whom the end of the connection concerns. */
  names(): readonly string[] {
    return [...this.#wallets.keys()]
  }

  #keep(wallet: string, binding: Binding): void {
    if (binding.isBound || binding.asked > 0) this.#wallets.set(wallet, binding)
    else this.#wallets.delete(wallet)
  }
}
