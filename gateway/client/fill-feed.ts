import { GaplessChannel, type GaplessChannelOptions } from './gapless-channel.js'
import type { StreamMessages } from './generated/stream-messages.js'
import type { StrikebookClient } from './strikebook-client.js'

/** What stream and history tell of a fill alike. */
export type Fill = Omit<StreamMessages['Fill'], 'type' | 'seq' | 'client_id'>

export interface FillFeedOptions {
  /** Of the client's wallet. */
  readonly stream: GaplessChannelOptions<Fill>['stream']
  readonly client: Pick<StrikebookClient, 'fills'>
  /** Each fill once, by rising ids. @param isMissed it was made while the stream was down. */
  readonly onFill: (fill: Fill, isMissed: boolean) => void
  /** All is told up to here: after the first connection, and after each later one with what was missed. */
  readonly onReconciled?: () => void
  /** Fills above this one are told, for whoever has kept the last one that it has seen; default: from now on. */
  readonly afterFillId?: number
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
      onReconciled: () => options.onReconciled?.(),
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
    this.#options.onFill(fill, isMissed)
  }

  /** Fills above the last one told, the oldest first; at the beginning none, from the latest one on. */
  async #readMissed(): Promise<readonly Fill[]> {
    const { client } = this.#options
    if (this.lastFillId === null) {
      const [latest] = await client.fills({ limit: 1 })
      this.lastFillId = latest?.fill_id ?? 0
      return []
    }
    const known = this.lastFillId
    const missed = new Map<number, Fill>()
    for (let offset = 0; ; offset += pageRows) {
      const page = await client.fills({ limit: pageRows, offset })
      for (const fill of page) if (fill.fill_id > known) missed.set(fill.fill_id, fill)
      const isLast = page.length < pageRows || page.at(-1)!.fill_id <= known
      if (isLast) break
    }
    return [...missed.values()].sort((one, other) => one.fill_id - other.fill_id)
  }
}
