import type { FillRow } from '../read-model/history/history-rows.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { StreamMessage } from './stream-types.js'
import type { StrikebookClient } from './strikebook-client.js'

/** What stream and history tell of a fill alike. */
export type Fill = Omit<FillRow, 'created_at' | 'realized_pnl' | 'explorer_url'>

export interface FillFeedOptions {
  /** Of the client's wallet. */
  readonly stream: Pick<StreamClient, 'listen' | 'subscribe' | 'answered' | 'isConnected'>
  readonly client: Pick<StrikebookClient, 'fills'>
  /** Each fill once, by rising ids. @param isMissed it was made while the stream was down. */
  readonly onFill: (fill: Fill, isMissed: boolean) => void
  /** All is told up to here: after the first connection, and after each later one with what was missed. */
  readonly onReconciled?: () => void
  /** Fills above this one are told, for whoever has kept the last one that it has seen; default: from now on. */
  readonly afterFillId?: number
}

const pageRows = 100
const retryMillis = 500

/**
 * The fills of a wallet without a gap: after each connection that could not go on where the one before it ended, the
 * history is read back to the last fill that is known, and what the stream has told meanwhile follows that. Each is told
 * once, whoever says it.
 */
export class FillFeed {
  /** Id of the last fill told, or passed over at the beginning; null until the first connection is reconciled. */
  lastFillId: number | null
  readonly #options: FillFeedOptions
  readonly #ends: (() => void)[]
  /** Told by the stream while the history is being read. */
  #held: Fill[] | null = []
  #isReading = false
  /** All is told up to where the stream was lost: what it goes on with is what was missed. */
  #isWhole = false
  /** What was read for an earlier one may lack what was missed before a later one. */
  #connections = 0

  /**
   * @example
   * const feed = new FillFeed({ stream, client, onFill: ({ side, size }) => console.log(side, size) })
   */
  constructor(options: FillFeedOptions) {
    this.#options = options
    this.lastFillId = options.afterFillId ?? null
    const { stream } = options
    const listener = {
      onMessage: (message: StreamMessage) => this.#take(message),
      onConnected: (_count: number, resumed: ReadonlySet<string>) =>
        void this.#onConnected(resumed),
      onDisconnected: () => {
        this.#held ??= []
      },
    }
    this.#ends = [stream.listen(listener), stream.subscribe('fills')]
    void stream.answered().then(() => this.#reconcile())
  }

  /**
   * Ends it, and its subscription.
   * @example
   * fillFeed.close()
   */
  close(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  #take(message: StreamMessage): void {
    if (message.type !== 'Fill') return
    const fill = message as unknown as Fill
    if (this.#held === null) this.#tell(fill, false)
    else this.#held.push(fill)
  }

  #tell(fill: Fill, isMissed: boolean): void {
    if (this.lastFillId !== null && fill.fill_id <= this.lastFillId) return
    this.lastFillId = fill.fill_id
    this.#options.onFill(fill, isMissed)
  }

  #onConnected(resumed: ReadonlySet<string>): Promise<void> {
    if (!this.#isWhole || !resumed.has('fills')) return this.#reconcile()
    this.#release([], true)
    return Promise.resolve()
  }

  /** Tells what was missed, then what the stream has told meanwhile. */
  #release(missed: readonly Fill[], isHeldMissed: boolean): void {
    const held = this.#held ?? []
    this.#held = null
    this.#isWhole = true
    for (const fill of missed) this.#tell(fill, true)
    for (const fill of held) this.#tell(fill, isHeldMissed)
    this.#options.onReconciled?.()
  }

  async #reconcile(): Promise<void> {
    this.#connections++
    if (this.#isReading || this.#held === null) return
    this.#isWhole = false
    this.#isReading = true
    while (this.#ends.length > 0 && this.#options.stream.isConnected) {
      try {
        const connections = this.#connections
        const missed = await this.#readMissed()
        if (connections !== this.#connections) continue
        this.#release(missed, false)
        break
      } catch {
        await sleep(retryMillis) // the history is not there yet, or no answer came
      }
    }
    this.#isReading = false
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
