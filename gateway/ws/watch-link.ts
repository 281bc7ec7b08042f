import type { WatchRecord } from '../../schemas/generated/reads.js'

/** The way to the read model. @see ReadClient.watch */
export interface ReadModelLink {
  watch(type: WatchRecord, slot: number, wallet: string): boolean
}

interface Unsaid {
  readonly type: WatchRecord
  readonly slot: number
  readonly wallet: string
}

// Beyond this the read model has stood still for long: new subscriptions of its channels are refused.
const unsaidMax = 4096

/** Tells the read model what to publish, in order; what finds no room in the ring is said later. */
export class WatchLink {
  readonly #link: ReadModelLink
  readonly #unsaid: Unsaid[] = []
  #slot = 0

  constructor(link: ReadModelLink) {
    this.#link = link
  }

  get isBusy(): boolean {
    return this.#unsaid.length >= unsaidMax
  }

  /** Says what waits, as far as there is room. */
  flush(): void {
    let said = 0
    for (const { type, slot, wallet } of this.#unsaid) {
      if (!this.#link.watch(type, slot, wallet)) break
      said++
    }
    if (said > 0) this.#unsaid.splice(0, said)
  }

  /**
   * Says what to publish from now on, or no longer.
   * @param wallet '' on the chain.
   * @returns the slot that comes back with a portfolio's snapshot, and with every row of the chain.
   */
  say(type: WatchRecord, wallet: string): number {
    this.#slot = (this.#slot + 1) & 0x7fffffff || 1
    this.#unsaid.push({ type, slot: this.#slot, wallet })
    this.flush()
    return this.#slot
  }
}
