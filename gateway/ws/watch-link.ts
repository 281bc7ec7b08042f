import type { WatchRecord } from '../../schemas/generated/reads.js'

/** Connection to the read model. @see ReadClient.watch */
export interface ReadModelLink {
  watch(type: WatchRecord, slot: number, wallet: string): boolean
}

interface QueuedWatch {
  readonly type: WatchRecord
  readonly slot: number
  readonly wallet: string
}

// Above this the read model has been stalled for long, and new subscriptions of its channels fail.
const queuedMax = 4096

/** Sends watch requests to the read model, in order. Queues those that do not fit into the ring. */
export class WatchLink {
  readonly #link: ReadModelLink
  readonly #queued: QueuedWatch[] = []
  #slot = 0

  constructor(link: ReadModelLink) {
    this.#link = link
  }

  get isBusy(): boolean {
    return this.#queued.length >= queuedMax
  }

  /** Sends queued requests while there is room. */
  flush(): void {
    let sent = 0
    for (const { type, slot, wallet } of this.#queued) {
      if (!this.#link.watch(type, slot, wallet)) break
      sent++
    }
    if (sent > 0) this.#queued.splice(0, sent)
  }

  /**
   * Starts or ends a publication.
   * @param wallet '' for the options chain.
   * @returns Slot of the request, which a portfolio's snapshot and every row of the chain repeat.
   */
  say(type: WatchRecord, wallet: string): number {
    this.#slot = (this.#slot + 1) & 0x7fffffff || 1
    this.#queued.push({ type, slot: this.#slot, wallet })
    this.flush()
    return this.#slot
  }
}
