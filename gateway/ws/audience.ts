/**
 * Who hears about which symbol on one channel. A member counts its subscriptions, so that overlapping ones
 * end one by one, and is visited once however many of them match.
 */
export class Audience<Member> {
  /** By symbol, and under null those who hear about all of them. */
  readonly #counts = new Map<string | null, Map<Member, number>>()

  /** @param symbols null for all of them. */
  add(member: Member, symbols: ReadonlySet<string> | null): void {
    for (const symbol of symbols ?? everything) {
      let counts = this.#counts.get(symbol)
      if (counts === undefined) this.#counts.set(symbol, (counts = new Map()))
      counts.set(member, (counts.get(member) ?? 0) + 1)
    }
  }

  /** Takes back one `add` with the same symbols. */
  remove(member: Member, symbols: ReadonlySet<string> | null): void {
    for (const symbol of symbols ?? everything) {
      const counts = this.#counts.get(symbol)
      const count = counts?.get(member) ?? 0
      if (count > 1) counts?.set(member, count - 1)
      else counts?.delete(member)
      if (counts?.size === 0) this.#counts.delete(symbol)
    }
  }

  /** Whether anybody hears about the symbol: a message is encoded only then. */
  hears(symbol: string): boolean {
    return this.#counts.has(null) || this.#counts.has(symbol)
  }

  visit(symbol: string, visitor: (member: Member) => void): void {
    const everyone = this.#counts.get(null)
    if (everyone !== undefined) for (const member of everyone.keys()) visitor(member)
    const members = this.#counts.get(symbol)
    if (members === undefined) return
    for (const member of members.keys()) if (!everyone?.has(member)) visitor(member)
  }

  isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** Every member once. */
  members(): Set<Member> {
    return new Set([...this.#counts.values()].flatMap((counts) => [...counts.keys()]))
  }
}

const everything = [null] as const
