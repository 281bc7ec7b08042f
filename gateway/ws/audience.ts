/**
 * Members of one channel by symbol. Counts the subscriptions of each member, so that overlapping ones end one by one,
 * and visits a member once however many of them match.
 */
export class Audience<Member> {
  /** By symbol; null holds the members that receive all symbols. */
  readonly #counts = new Map<string | null, Listeners<Member>>()

  /**
   * @param symbols Null for all.
   */
  add(member: Member, symbols: ReadonlySet<string> | null): void {
    for (const symbol of symbols ?? allSymbols) {
      const listeners = this.#counts.get(symbol)
      if (listeners === undefined) this.#counts.set(symbol, member)
      else if (listeners instanceof Map) listeners.set(member, (listeners.get(member) ?? 0) + 1)
      else {
        const counts = new Map<Member, number>([[listeners, 1]])
        this.#counts.set(symbol, counts.set(member, listeners === member ? 2 : 1))
      }
    }
  }

  /** Reverts one `add` with the same symbols. */
  remove(member: Member, symbols: ReadonlySet<string> | null): void {
    for (const symbol of symbols ?? allSymbols) {
      const listeners = this.#counts.get(symbol)
      if (listeners === member) this.#counts.delete(symbol)
      if (!(listeners instanceof Map)) continue
      const count = listeners.get(member) ?? 0
      if (count > 1) listeners.set(member, count - 1)
      else listeners.delete(member)
      if (listeners.size === 0) this.#counts.delete(symbol)
    }
  }

  /** True if a member receives the symbol. A message is encoded only then. */
  hears(symbol: string): boolean {
    return this.#counts.has(null) || this.#counts.has(symbol)
  }

  visit(symbol: string, visitor: (member: Member) => void): void {
    const unfiltered = this.#counts.get(null)
    for (const member of membersOf(unfiltered)) visitor(member)
    for (const member of membersOf(this.#counts.get(symbol))) {
      const isVisited = unfiltered instanceof Map ? unfiltered.has(member) : unfiltered === member
      if (!isVisited) visitor(member)
    }
  }

  isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** Returns every member once. */
  members(): Set<Member> {
    return new Set([...this.#counts.values()].flatMap((listeners) => [...membersOf(listeners)]))
  }
}

/** One member with one subscription, the usual case, or counts by member: a map per name would cost 200 bytes. */
type Listeners<Member> = Member | Map<Member, number>

function membersOf<Member>(listeners: Listeners<Member> | undefined): Iterable<Member> {
  if (listeners === undefined) return []
  return listeners instanceof Map ? listeners.keys() : [listeners]
}

const allSymbols = [null] as const
