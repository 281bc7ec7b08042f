import { ReconnectPauses } from './reconnect-pauses.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { PublishedMessage } from './stream-types.js'

export interface GaplessChannelOptions<Row> {
  /** Stream of the client's wallet. */
  readonly stream: Pick<StreamClient, 'listen' | 'subscribe' | 'answered' | 'isConnected'>
  readonly channel: string
  /** Returns the row of a message, or null if the message is of another kind. */
  readonly rowOf: (message: PublishedMessage) => Row | null
  /** Reads rows that the stream may have missed, oldest first. It may read a row again. */
  readonly readMissed: () => Promise<readonly Row[]>
  /** May receive a row more than once. @param isMissed True if the row dates from before the connection. */
  readonly tell: (row: Row, isMissed: boolean) => void
  /** Called when all rows up to now have been delivered. */
  readonly onReconciled: () => void
  /** Called when the exchange was restored from a backup and may assign ids again, before missed rows are read. */
  readonly onSetBack: () => void
  /** Called when missed rows could not be read. The channel retries. */
  readonly onError: (error: unknown) => void
}

const retryMillisMin = 500

/**
 * Private channel without gaps. After each connection that could not resume the previous one, the channel reads and
 * delivers the missed rows, and then those that the stream has sent in the meantime.
 */
export class GaplessChannel<Row> {
  readonly #options: GaplessChannelOptions<Row>
  readonly #ends: (() => void)[]
  /** Rows from the stream while missed rows are being read. */
  #held: Row[] | null = []
  #isReading = false
  /**
   * True once all rows up to the disconnection were delivered: a resumed stream then delivers exactly the missed ones.
   */
  #isWhole = false
  /** Counts connections. A read begun for an earlier one may lack rows missed before a later one. */
  #connections = 0
  readonly #pauses = new ReconnectPauses({ backoffMillisMin: retryMillisMin })

  constructor(options: GaplessChannelOptions<Row>) {
    this.#options = options
    const { stream, channel } = options
    const listener = {
      onMessage: (message: PublishedMessage) => this.#take(message),
      onConnected: (_count: number, resumed: ReadonlySet<string>, isSetBack: boolean) => {
        if (isSetBack) options.onSetBack()
        this.#onConnected(resumed)
      },
      onDisconnected: () => {
        this.#held ??= []
      },
    }
    this.#ends = [stream.listen(listener), stream.subscribe(channel)]
    void stream.answered().then(() => this.#reconcile())
  }

  get isClosed(): boolean {
    return this.#ends.length === 0
  }

  /** Closes the channel and ends its subscription. */
  close(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  #take(message: PublishedMessage): void {
    const row = this.#options.rowOf(message)
    if (row === null) return
    if (this.#held === null) this.#options.tell(row, false)
    else this.#held.push(row)
  }

  #onConnected(resumed: ReadonlySet<string>): void {
    if (this.#isWhole && resumed.has(this.#options.channel)) this.#release([], true)
    else void this.#reconcile()
  }

  /** Delivers the missed rows, then those that the stream has sent in the meantime. */
  #release(missed: readonly Row[], isHeldMissed: boolean): void {
    const held = this.#held ?? []
    this.#held = null
    this.#isWhole = true
    for (const row of missed) this.#options.tell(row, true)
    for (const row of held) this.#options.tell(row, isHeldMissed)
    this.#options.onReconciled()
  }

  async #reconcile(): Promise<void> {
    this.#connections++
    if (this.#isReading || this.#held === null) return
    this.#isWhole = false
    this.#isReading = true
    try {
      await this.#readWithRetries()
    } finally {
      this.#isReading = false
    }
  }

  async #readWithRetries(): Promise<void> {
    while (!this.isClosed && this.#options.stream.isConnected) {
      try {
        const connections = this.#connections
        const missed = await this.#options.readMissed()
        if (connections !== this.#connections) continue
        this.#release(missed, false)
        this.#pauses.succeeded()
        break
      } catch (error) {
        // The history is not available yet, or no answer came, so retry later.
        if (!this.isClosed) this.#options.onError(error)
        await sleep(this.#pauses.nextMillis())
      }
    }
  }
}
