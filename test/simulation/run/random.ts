const wordCount = 0x1_0000_0000

/**
 * Stream of seeded numbers (sfc32). Every concern of a simulation has its own stream, by name: leaving out one kind of
 * fault does not change the other streams.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, stream: string) {
    let hash = 0x811c9dc5
    for (let i = 0; i < stream.length; i++) {
      hash = Math.imul(hash ^ stream.charCodeAt(i), 0x01000193)
    }
    this.#a = seed | 0
    this.#b = hash | 0
    this.#c = Math.floor(seed / wordCount) | 0
    for (let i = 0; i < 12; i++) this.next()
  }

  /** Returns 32 bits, unsigned. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** Returns an integer from 0 to `count - 1`, or 0 if `count` is 0. */
  below(count: number): number {
    return count <= 1 ? 0 : Math.floor((this.next() / wordCount) * count)
  }

  /** Returns an integer from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability * wordCount
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]
  }

  /** Returns one of `items`, each in proportion to its weight. */
  pickWeighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let total = 0
    for (const { weight } of items) total += weight
    let left = this.below(total)
    for (const item of items) {
      left -= item.weight
      if (left < 0) return item
    }
    return items[items.length - 1]
  }
}
