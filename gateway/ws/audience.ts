/**
 * Who hears about which symbol on one channel. A member counts its subscriptions, so that overlapping ones
 * end one by one, and is visited once however many of them match.
 */
export class Audience<Member> {
  readonly #everyone = new Map<Member, number>()
  readonly #bySymbol = new Map<string, Map<Member, number>>()

  /** @param symbols null for all of them. */
  add(member: Member, symbols: ReadonlySet<string> | null): void {
    if (symbols === null) increment(this.#everyone, member)
    else {
      for (const symbol of symbols) {
        let members = this.#bySymbol.get(symbol)
        if (members === undefined) this.#bySymbol.set(symbol, (members = new Map()))
        increment(members, member)
      }
    }
  }

  /** Takes back one `add` with the same symbols. */
  remove(member: Member, symbols: ReadonlySet<string> | null): void {
    if (symbols === null) decrement(this.#everyone, member)
    else {
      for (const symbol of symbols) {
        const members = this.#bySymbol.get(symbol)
        if (members === undefined) continue
        decrement(members, member)
        if (members.size === 0) this.#bySymbol.delete(symbol)
      }
    }
  }

  /** Whether anybody hears about the symbol: a message is encoded only then. */
  hears(symbol: string): boolean {
    return this.#everyone.size > 0 || this.#bySymbol.has(symbol)
  }

  visit(symbol: string, visitor: (member: Member) => void): void {
    for (const member of this.#everyone.keys()) visitor(member)
    const members = this.#bySymbol.get(symbol)
    if (members === undefined) return
    for (const member of members.keys()) if (!this.#everyone.has(member)) visitor(member)
  }

  isEmpty(): boolean {
    return this.#everyone.size === 0 && this.#bySymbol.size === 0
  }

  /** Every member once. */
  members(): Set<Member> {
    const members = new Set(this.#everyone.keys())
    for (const some of this.#bySymbol.values())
      for (const member of some.keys()) members.add(member)
    return members
  }
}

function increment<Member>(counts: Map<Member, number>, member: Member): void {
  counts.set(member, (counts.get(member) ?? 0) + 1)
}

function decrement<Member>(counts: Map<Member, number>, member: Member): void {
  const count = counts.get(member) ?? 0
  if (count > 1) counts.set(member, count - 1)
  else counts.delete(member)
}
