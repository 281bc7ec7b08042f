import { formatNumber } from '../../schemas/number-text.js'
import { BusyError, ProtocolError } from './client-error.js'
import type { RestClient } from './rest-client.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { PublishedMessage } from './stream-types.js'

/** One price level of a side, as decimal texts. */
export interface BookLevel {
  readonly price: string
  readonly size: string
}

/**
 * `live`: as on the exchange, except for messages in flight. `repairing`: being reloaded. `stale`: last known book,
 * while the stream is down. `unlisted`: the exchange has no such instrument. `closed`: closed by `close`.
 */
export type BookState = 'repairing' | 'live' | 'stale' | 'unlisted' | 'closed'

export interface LocalBookOptions {
  readonly stream: Pick<StreamClient, 'listen' | 'subscribe' | 'answered' | 'isConnected'>
  readonly rest: Pick<RestClient, 'request'>
  readonly symbol: string
  /** Levels kept per side, at most those that the stream sends (100 unless configured). */
  readonly depth?: number
  /** Called after levels or state change. */
  readonly onChange?: (book: LocalBook) => void
}

interface Ladder {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
  readonly seq: number
}

/** Answer of GET /orderbook, limited to the fields used. */
interface BookAnswer {
  readonly result: { readonly bids: readonly NumberLevel[]; readonly asks: readonly NumberLevel[] }
  readonly as_of_seq: number
}

type NumberLevel = readonly [price: number, size: number]

const depthDefault = 100
const retryMillis = 500
const sequenceWaitMillisMax = 10_000

/**
 * Order book of one instrument, maintained from the stream. Each message replaces both sides, so the next message
 * repairs a lost one. A message whose sequence is not above the known one is stale and is dropped.
 *
 * The book is reloaded with GET /orderbook after every connection, after a message that is not a valid book (crossed or
 * unsorted sides, empty levels), and after a sequence below that of the previous message. The reload asks for a
 * sequence not below any seen, so it also detects a book that became empty, about which the stream sends nothing. If
 * the exchange does not reach that sequence in ten seconds, it was restored from a backup: the client then accepts its
 * book as it is.
 */
export class LocalBook {
  bids: readonly BookLevel[] = []
  asks: readonly BookLevel[] = []
  /** Sequence of the latest event that the book contains. */
  seq = 0
  /** Number of late messages dropped. */
  staleMessages = 0
  /** Number of reloads by GET /orderbook. */
  repairs = 0
  readonly symbol: string
  /** Sequence of the last message on this connection. */
  #receivedSeq = 0
  readonly #options: LocalBookOptions
  readonly #ends: (() => void)[]
  #state: BookState = 'repairing'
  #isLoading = false
  /** Incremented for each reason to reload. An answer to a request from before the increment may be outdated. */
  #reasons = 0

  /**
   * Subscribes, and loads the book after the acknowledgement.
   * @example
   * const onChange = ({ bids, state }: LocalBook) => console.log(state, bids[0]?.price)
   * const book = new LocalBook({ stream, rest: client.rest, symbol, onChange })
   */
  constructor(options: LocalBookOptions) {
    const { stream, symbol } = options
    this.#options = options
    this.symbol = symbol
    const listener = {
      onMessage: (message: PublishedMessage) => this.#take(message),
      onConnected: () => void this.#repair(),
      onDisconnected: () => {
        this.#receivedSeq = 0
        this.#become('stale')
      },
    }
    this.#ends = [stream.listen(listener), stream.subscribe('orderbook', { symbols: [symbol] })]
    void stream.answered().then(() => this.#repair())
  }

  /**
   * State of the book relative to the exchange.
   * @example
   * if (localBook.state === 'live') console.log(localBook.asks[0]?.price)
   */
  get state(): BookState {
    return this.#state
  }

  /**
   * Closes the book and ends its subscription.
   * @example
   * localBook.close()
   */
  close(): void {
    for (const end of this.#ends.splice(0)) end()
    this.#become('closed')
  }

  #take(message: PublishedMessage): void {
    if (message.type !== 'OrderbookUpdate' || message.symbol !== this.symbol) return
    const { bids, asks, seq } = message
    const received = { bids: bids.map(levelOf), asks: asks.map(levelOf), seq }
    const isSetBack = seq < this.#receivedSeq
    this.#receivedSeq = seq
    if (seq <= this.seq) this.staleMessages++
    else if (!isBook(received)) void this.#repair()
    else this.#replace(received)
    if (isSetBack) void this.#repair()
  }

  #replace({ bids, asks, seq }: Ladder): void {
    const { depth = depthDefault } = this.#options
    this.bids = bids.slice(0, depth)
    this.asks = asks.slice(0, depth)
    this.seq = seq
    this.#options.onChange?.(this)
  }

  async #repair(): Promise<void> {
    this.#reasons++
    this.#become('repairing')
    if (this.#isLoading || this.#state === 'closed') return
    this.#isLoading = true
    let waitingSince: number | null = null
    while (this.#options.stream.isConnected && this.state === 'repairing') {
      try {
        const reasons = this.#reasons
        const answer = await this.#ask()
        waitingSince = null
        if (reasons === this.#reasons) this.#load(answer)
      } catch (error) {
        if (isNotReady(error)) waitingSince ??= performance.now()
        if (waitingSince !== null && performance.now() - waitingSince >= sequenceWaitMillisMax) {
          this.seq = 0
          waitingSince = null
        }
        await sleep(retryMillis) // after any error: without a book there is nothing else to do
      }
    }
    this.#isLoading = false
  }

  /** Requests the book at a sequence not below the known one. */
  #ask(): Promise<BookAnswer> {
    const { rest, depth = depthDefault } = this.#options
    const query = { instrument_id: this.symbol, depth, min_seq: this.seq }
    return rest.request<BookAnswer>('GET', '/orderbook', { query })
  }

  #load({ result, as_of_seq: seq }: BookAnswer): void {
    if (this.#state !== 'repairing') return
    if (result === null) {
      this.#become('unlisted')
      return
    }
    const received = { bids: result.bids.map(levelOf), asks: result.asks.map(levelOf), seq }
    if (!isBook(received)) throw new ProtocolError('the answer is no book')
    this.repairs++
    this.#state = 'live'
    // The stream may have sent a newer book in the meantime.
    if (seq >= this.seq) this.#replace(received)
    else this.#options.onChange?.(this)
  }

  #become(state: BookState): void {
    if (this.#state === 'closed' || this.#state === state) return
    this.#state = state
    this.#options.onChange?.(this)
  }
}

function levelOf([price, size]: readonly [string | number, string | number]): BookLevel {
  return { price: textOf(price), size: textOf(size) }
}

/** Formats without an exponent. */
function textOf(value: string | number): string {
  return typeof value === 'string' ? value : formatNumber(value)
}

/** True if the exchange has not reached the requested sequence. */
function isNotReady(error: unknown): boolean {
  return error instanceof BusyError && error.code === 'not_ready'
}

/** True if the sides are sorted best first, do not cross, and have no empty level. */
function isBook({ bids, asks, seq }: Ladder): boolean {
  const ascending = [...bids]
    .reverse()
    .concat(asks)
    .map(({ price }) => Number(price))
  const isInOrder = ascending.every(
    (price, place) => price > (place === 0 ? 0 : ascending[place - 1]!),
  )
  const isFilled = [...bids, ...asks].every(({ size }) => Number(size) > 0)
  return Number.isSafeInteger(seq) && isInOrder && isFilled
}
