import { ConnectionError } from './client-error.js'
import { GaplessChannel, type GaplessChannelOptions } from './gapless-channel.js'
import type { StreamMessages } from './generated/interface.js'
import type { StrikebookClient } from './strikebook-client.js'

/** What stream and history tell of a fill alike. */
export type Fill = Omit<StreamMessages['Fill'], 'type' | 'seq' | 'client_id'>

export interface FillFeedOptions {
  /** Of the client's wallet. */
  readonly stream: GaplessChannelOptions<Fill>['stream']
  readonly client: { readonly profile: Pick<StrikebookClient['profile'], 'trades'> }
  /** Each fill once, by rising ids. @param isMissed it was made while the stream was down. */
  readonly onFill: (fill: Fill, isMissed: boolean) => void
  /** All is told up to here: after the first connection, and after each later one with what was missed. */
  readonly onReconciled?: () => void
  /**
   * What was missed could not be read just now: it is tried again, less and less often, from where it had come to. Or the
   * exchange was set up from a backup, and gives ids again: the message says from which one on they are told.
   */
  readonly onError?: (error: unknown) => void
  /** Fills above this one are told, for whoever has kept the last one that it has seen; default: from now on. */
  readonly afterFillId?: number
}

/** A way back through the history, newest first, and where it has come to. */
interface Walk {
  /** Known already, with all below it. */
  readonly downToId: number
  /** The first millisecond that is not asked for any more; null at the top. */
  endMillis: number | null
  /** Rows of the last millisecond before that which are read. */
  offset: number
}

const pageRows = 100

/**
 * The fills of a wallet without a gap: after each connection that could not go on where the one before it ended, the
 * history is read back to the last fill that is known, and what the stream has told meanwhile follows that. Each is told
 * once, whoever says it.
 */
export class FillFeed {
  /** Id of the last fill told, or passed over at the beginning; null until the first connection is reconciled. */
  lastFillId: number | null
  readonly #options: FillFeedOptions
  readonly #channel: GaplessChannel<Fill>
  /** Read and not told yet, by ids. */
  readonly #missed = new Map<number, Fill>()
  /** Of the last fill told, milliseconds of the exchange; null: none was told. */
  #lastMillis: number | null = null
  #isSetBack = false
  /** Not at its end: a read has failed. */
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
   * Ends it, and its subscription.
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

  /** Fills above the last one told, the oldest first; at the beginning none, from the latest one on. */
  async #readMissed(): Promise<readonly Fill[]> {
    if (this.lastFillId === null) {
      this.#isSetBack = false
      const [latest] = await this.#options.client.profile.trades({ limit: 1 })
      this.lastFillId = latest?.fill_id ?? 0
      return []
    }
    if (this.#isSetBack) await this.#goBack(this.lastFillId)
    // What was made since an earlier walk began is above it: that one is ended, then another goes down to its top.
    let isOfNow = false
    while (!isOfNow && !this.#channel.isClosed) {
      isOfNow = this.#walk === null
      this.#walk ??= { downToId: this.#topId(this.lastFillId), endMillis: null, offset: 0 }
      await this.#goDown(this.#walk)
      this.#walk = null
    }
    return [...this.#missed.values()].sort((one, other) => one.fill_id - other.fill_id)
  }

  /** Ids are given again: what was made behind the last fill that was told is known by its time. */
  async #goBack(toldId: number): Promise<void> {
    const span = this.#lastMillis === null ? {} : { to_ts_ms: this.#lastMillis + 1 }
    const [known] = await this.#options.client.profile.trades({ limit: 1, ...span })
    this.#missed.clear()
    this.#walk = null
    this.#isSetBack = false
    this.lastFillId = known?.fill_id ?? 0
    const told = `fill ${toldId} was told, its latest of then is ${this.lastFillId}`
    this.#options.onError?.(new ConnectionError(`the exchange was set back: ${told}`))
  }

  #topId(toldId: number): number {
    let topId = toldId
    for (const id of this.#missed.keys()) topId = Math.max(topId, id)
    return topId
  }

  /**
   * By time, since an offset has a bound. Pages overlap by a millisecond, whose fills need not end with a page; within one
   * that has more than a page they go on by offset.
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
