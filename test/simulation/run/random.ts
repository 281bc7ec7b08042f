const wordCount = 0x1_0000_0000

/**
 * A stream of seeded numbers (sfc32). Every concern of a simulation has a stream of its own, by
 * name: leaving one kind of fault out does not change what the other streams say.
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

  /** 32 bits, unsigned. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** An integer from 0 to `count - 1`; 0 when there is nothing to choose from. */
  below(count: number): number {
    return count <= 1 ? 0 : Math.floor((this.next() / wordCount) * count)
  }

  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability * wordCount
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]
  }

  /** One of `items`, each as often as its weight says. */
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
