import { ConnectionError } from './client-error.js'
import { GaplessChannel, type GaplessChannelOptions } from './gapless-channel.js'
import type { StreamMessages } from './generated/interface.js'
import type { StrikebookClient } from './strikebook-client.js'

/** Fields of a fill that stream and history have in common. */
export type Fill = Omit<StreamMessages['Fill'], 'type' | 'seq' | 'client_id'>

export interface FillFeedOptions {
  /** Stream of the client's wallet. */
  readonly stream: GaplessChannelOptions<Fill>['stream']
  readonly client: { readonly profile: Pick<StrikebookClient['profile'], 'trades'> }
  /** Receives each fill once, by ascending id. @param isMissed True if it was made while the stream was down. */
  readonly onFill: (fill: Fill, isMissed: boolean) => void
  /** Called when all fills up to now have been delivered: after the first connection, and after each gap. */
  readonly onReconciled?: () => void
  /**
   * Called when missed fills could not be read; the feed continues from the same place, with backoff. Also called when
   * the exchange was restored from a backup and assigns ids again: the message names the first id delivered.
   */
  readonly onError?: (error: unknown) => void
  /** Delivers fills above this id, for a caller that stored the last one seen. Default: only new fills. */
  readonly afterFillId?: number
}

/** Position of a backward walk through the history, newest first. */
interface Walk {
  /** This fill and all below it are known. */
  readonly downToId: number
  /** First millisecond outside the query; null at the start. */
  endMillis: number | null
  /** Number of rows already read of the last millisecond before `endMillis`. */
  offset: number
}

const pageRows = 100

/**
 * Fills of a wallet without gaps. After each connection that could not resume the previous one, the feed reads the
 * history back to the last known fill, then delivers the fills that the stream has sent in the meantime. It delivers
 * each fill once, from whichever source.
 */
export class FillFeed {
  /** Id of the last fill delivered or skipped at the start; null until the first connection is reconciled. */
  lastFillId: number | null
  readonly #options: FillFeedOptions
  readonly #channel: GaplessChannel<Fill>
  /** Fills read and not yet delivered, by id. */
  readonly #missed = new Map<number, Fill>()
  /** Exchange time of the last fill delivered, milliseconds; null if none was. */
  #lastMillis: number | null = null
  #isSetBack = false
  /** Unfinished walk, kept after a failed read. */
  #walk: Walk | null = null

  /**
   * @example
   * const feed = new FillFeed({ stream, client, onFill: ({ side, size }) => console.log(side, size) })
   */
  constructor(options: FillFeedOptions) {
    this.#options = options
    this.lastFillId = options.afterFillId ?? null
    this.#channel = new GaplessChannel({
      stream: options.stream,
      channel: 'fills',
      rowOf: (message) => (message.type === 'Fill' ? message : null),
      readMissed: () => this.#readMissed(),
      tell: (fill, isMissed) => this.#tell(fill, isMissed),
      onReconciled: () => {
        this.#missed.clear()
        options.onReconciled?.()
      },
      onSetBack: () => {
        this.#isSetBack = true
      },
      onError: (error) => options.onError?.(error),
    })
  }

  /**
   * Closes the feed and ends its subscription.
   * @example
   * fillFeed.close()
   */
  close(): void {
    this.#channel.close()
  }

  #tell(fill: Fill, isMissed: boolean): void {
    if (this.lastFillId !== null && fill.fill_id <= this.lastFillId) return
    this.lastFillId = fill.fill_id
    this.#lastMillis = fill.timestamp
    this.#options.onFill(fill, isMissed)
  }

  /** Returns the fills above the last one delivered, oldest first. On the first call, skips to the latest fill. */
  async #readMissed(): Promise<readonly Fill[]> {
    if (this.lastFillId === null) {
      this.#isSetBack = false
      const [latest] = await this.#options.client.profile.trades({ limit: 1 })
      this.lastFillId = latest?.fill_id ?? 0
      return []
    }
    if (this.#isSetBack) await this.#goBack(this.lastFillId)
    // Fills made since an earlier walk began are above it. Finish that walk, then walk down to its top.
    let isOfNow = false
    while (!isOfNow && !this.#channel.isClosed) {
      isOfNow = this.#walk === null
      this.#walk ??= { downToId: this.#topId(this.lastFillId), endMillis: null, offset: 0 }
      await this.#goDown(this.#walk)
      this.#walk = null
    }
    return [...this.#missed.values()].sort((one, other) => one.fill_id - other.fill_id)
  }

  /** Restarts after ids were set back: finds the last fill delivered by its time. */
  async #goBack(deliveredId: number): Promise<void> {
    const span = this.#lastMillis === null ? {} : { to_ts_ms: this.#lastMillis + 1 }
    const [known] = await this.#options.client.profile.trades({ limit: 1, ...span })
    this.#missed.clear()
    this.#walk = null
    this.#isSetBack = false
    this.lastFillId = known?.fill_id ?? 0
    const fills = `fill ${deliveredId} was delivered, its latest is ${this.lastFillId}`
    this.#options.onError?.(new ConnectionError(`the exchange was set back: ${fills}`))
  }

  #topId(deliveredId: number): number {
    let topId = deliveredId
    for (const id of this.#missed.keys()) topId = Math.max(topId, id)
    return topId
  }

  /**
   * Walks back by time, because offsets are bounded. Pages overlap by one millisecond, whose fills may span two pages.
   * Within a millisecond of more than one page, continues by offset.
   */
  async #goDown(walk: Walk): Promise<void> {
    const { profile } = this.#options.client
    while (!this.#channel.isClosed) {
      const { downToId, endMillis, offset } = walk
      const span = endMillis === null ? {} : { to_ts_ms: endMillis }
      const page = await profile.trades({ limit: pageRows, offset, ...span })
      for (const fill of page) if (fill.fill_id > downToId) this.#missed.set(fill.fill_id, fill)
      const last = page.at(-1)
      if (last === undefined || page.length < pageRows || last.fill_id <= downToId) return
      walk.endMillis = last.timestamp + 1
      walk.offset = walk.endMillis === endMillis ? offset + pageRows : 0
    }
  }
}
