/** Client address and account that an item counts for; '' for all without an authenticated account. */
export interface Payer {
  readonly address: string
  readonly account: string
}

/**
 * Round-robin schedule. Each address has equally many turns, whatever its number of items. Within an address each
 * authenticated account has as many turns as all other items of the address together, and within an account each item.
 * So a client with many connections delays only itself, and strangers of one address delay no account.
 *
 *      address ──► account ──► item        after its turn an entry moves to the end of its level
 */
export class FairTurns<Item> {
  readonly #addresses = new Map<string, Map<string, Set<Item>>>()
  readonly #payers = new Map<Item, Payer>()

  get size(): number {
    return this.#payers.size
  }

  /** Adds an item after the other items of its payer. */
  add(item: Item, payer: Payer): void {
    const { address, account } = payer
    this.#payers.set(item, payer)
    const accounts = this.#addresses.get(address) ?? new Map<string, Set<Item>>()
    const items = accounts.get(account) ?? new Set<Item>()
    this.#addresses.set(address, accounts.set(account, items.add(item)))
  }

  payerOf(item: Item): Payer | undefined {
    return this.#payers.get(item)
  }

  /** Returns the number of equal parts if each address, each account in it and each of its items has the same share. */
  partsFor({ address, account }: Payer): number {
    const accounts = this.#addresses.get(address)
    const items = accounts?.get(account)
    const addressCount = this.#addresses.size + (accounts === undefined ? 1 : 0)
    const accountCount = (accounts?.size ?? 0) + (items === undefined ? 1 : 0)
    return addressCount * accountCount * Math.max(1, items?.size ?? 0)
  }

  delete(item: Item): void {
    const payer = this.#payers.get(item)
    if (payer === undefined) return
    this.#payers.delete(item)
    const accounts = this.#addresses.get(payer.address)!
    const items = accounts.get(payer.account)!
    items.delete(item)
    if (items.size === 0) accounts.delete(payer.account)
    if (accounts.size === 0) this.#addresses.delete(payer.address)
  }

  /** Returns the next item that can continue and moves it to the end; null: none can. */
  next(canGoOn: (item: Item) => boolean): Item | null {
    for (const [address, accounts] of this.#addresses) {
      for (const [account, items] of accounts) {
        for (const item of items) {
          if (!canGoOn(item)) continue
          items.delete(item)
          items.add(item)
          accounts.delete(account)
          accounts.set(account, items)
          this.#addresses.delete(address)
          this.#addresses.set(address, accounts)
          return item
        }
      }
    }
    return null
  }

  /** Returns true if any item can continue; changes no turns. */
  some(canGoOn: (item: Item) => boolean): boolean {
    for (const item of this.#payers.keys()) if (canGoOn(item)) return true
    return false
  }
}
