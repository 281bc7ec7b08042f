/** Who pays for an item: a client address, and within it an account that has shown who it is, or '' for all others. */
export interface Payer {
  readonly address: string
  readonly account: string
}

/**
 * Items that take turns. An address has as many turns as any other, however many items it has; within one the accounts
 * that have shown who they are, each as many as all others of the address together; within those item by item. So who
 * has many connections waits for himself, and strangers behind one address hold up no account.
 *
 *      address ──► account ──► item        whoever had the turn goes behind its like, on each level
 */
export class FairTurns<Item> {
  readonly #addresses = new Map<string, Map<string, Set<Item>>>()
  readonly #payers = new Map<Item, Payer>()

  get size(): number {
    return this.#payers.size
  }

  /** Its first turn comes behind those of its payer's other items. */
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

  /** Number of equal parts if each address has as much as any other, and within one each account and each of its items. */
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

  /** The one whose turn it is among those that can go on, which goes behind the others; null: none can. */
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

  /** Whether any can go on; nobody's turn passes by it. */
  some(canGoOn: (item: Item) => boolean): boolean {
    for (const item of this.#payers.keys()) if (canGoOn(item)) return true
    return false
  }
}
