import { ReconnectPauses } from './reconnect-pauses.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { ToldMessage } from './stream-types.js'

export interface GaplessChannelOptions<Row> {
  /** Of the client's wallet. */
  readonly stream: Pick<StreamClient, 'listen' | 'subscribe' | 'answered' | 'isConnected'>
  readonly channel: string
  /** What a message of the stream tells, or null when it is of something else. */
  readonly rowOf: (message: ToldMessage) => Row | null
  /** Reads what the stream may not have told, the oldest first. Rows may be read and then dropped, and read again. */
  readonly readMissed: () => Promise<readonly Row[]>
  /** May be given a row more than once. @param isMissed it came about while the stream was down, or before. */
  readonly tell: (row: Row, isMissed: boolean) => void
  /** All is told up to here. */
  readonly onReconciled: () => void
  /** The exchange was set up from a backup: ids that were told may be given again. Comes before what was missed is read. */
  readonly onSetBack: () => void
  /** What was missed could not be read; it is tried again. */
  readonly onError: (error: unknown) => void
}

const retryMillisMin = 500

/**
 * A private channel without a gap. After each connection that could not go on where the one before it ended, what was
 * missed is read and told, and then what the stream has told meanwhile.
 */
export class GaplessChannel<Row> {
  readonly #options: GaplessChannelOptions<Row>
  readonly #ends: (() => void)[]
  /** Told by the stream while what was missed is being read. */
  #held: Row[] | null = []
  #isReading = false
  /** All is told up to where the stream was lost: what it goes on with is what was missed. */
  #isWhole = false
  /** What was read for an earlier one may lack what was missed before a later one. */
  #connections = 0
  readonly #pauses = new ReconnectPauses({ backoffMillisMin: retryMillisMin })

  constructor(options: GaplessChannelOptions<Row>) {
    this.#options = options
    const { stream, channel } = options
    const listener = {
      onMessage: (message: ToldMessage) => this.#take(message),
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

  /** Ends it, and its subscription. */
  close(): void {
    for (const end of this.#ends.splice(0)) end()
  }

  #take(message: ToldMessage): void {
    const row = this.#options.rowOf(message)
    if (row === null) return
    if (this.#held === null) this.#options.tell(row, false)
    else this.#held.push(row)
  }

  #onConnected(resumed: ReadonlySet<string>): void {
    if (this.#isWhole && resumed.has(this.#options.channel)) this.#release([], true)
    else void this.#reconcile()
  }

  /** Tells what was missed, then what the stream has told meanwhile. */
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
      await this.#readUntilRead()
    } finally {
      this.#isReading = false
    }
  }

  async #readUntilRead(): Promise<void> {
    while (!this.isClosed && this.#options.stream.isConnected) {
      try {
        const connections = this.#connections
        const missed = await this.#options.readMissed()
        if (connections !== this.#connections) continue
        this.#release(missed, false)
        this.#pauses.succeeded()
        break
      } catch (error) {
        // The history is not there yet, or no answer came: time may help.
        if (!this.isClosed) this.#options.onError(error)
        await sleep(this.#pauses.nextMillis())
      }
    }
  }
}
