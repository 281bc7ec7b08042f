/** Counts by name, in order of first occurrence. */
export class Statistics {
  readonly counts = new Map<string, number>()

  add(name: string, count = 1): void {
    this.counts.set(name, this.of(name) + count)
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0
  }

  /** Adds all counts of `other`. */
  addAll(other: Statistics): void {
    for (const [name, count] of other.counts) this.add(name, count)
  }
}
