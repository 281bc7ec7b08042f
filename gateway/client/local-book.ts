import { formatNumber } from '../../schemas/number-text.js'
import { BusyError, ProtocolError } from './client-error.js'
import type { RestClient } from './rest-client.js'
import { sleep } from './sleep.js'
import type { StreamClient } from './stream-client.js'
import type { ToldMessage } from './stream-types.js'

/** One price of a side, as decimal texts. */
export interface BookLevel {
  readonly price: string
  readonly size: string
}

/**
 * `live`: as the exchange has it, but for what is under way. `repairing`: being loaded anew. `stale`: what was last known,
 * while the stream is down. `unlisted`: the exchange knows no such instrument. `closed`: by `close`.
 */
export type BookState = 'repairing' | 'live' | 'stale' | 'unlisted' | 'closed'

export interface LocalBookOptions {
  readonly stream: Pick<StreamClient, 'listen' | 'subscribe' | 'answered' | 'isConnected'>
  readonly rest: Pick<RestClient, 'request'>
  readonly symbol: string
  /** Levels of a side that are kept, at most those that the stream tells (100 unless configured). */
  readonly depth?: number
  /** Levels or state have changed. */
  readonly onChange?: (book: LocalBook) => void
}

interface Ladder {
  readonly bids: readonly BookLevel[]
  readonly asks: readonly BookLevel[]
  readonly seq: number
}

/** Answer of GET /orderbook, as far as it is read. */
interface BookAnswer {
  readonly result: { readonly bids: readonly NumberLevel[]; readonly asks: readonly NumberLevel[] }
  readonly as_of_seq: number
}

type NumberLevel = readonly [price: number, size: number]

const depthDefault = 100
const retryMillis = 500
const floorMillisMax = 10_000

/**
 * The book of one instrument, kept by the stream. Each message replaces both sides whole, so one that is lost heals with
 * the next; one whose sequence is not above that of what is known is stale, and left out. After every connection, and
 * when a message cannot be a book (sides that cross or are out of order, levels of nothing) or has a sequence below the
 * one told before it, it is loaded anew by GET /orderbook, as of a sequence that is not below any that was seen: so a book
 * that has become empty meanwhile, of which nobody is told anything, is noticed too. An exchange that does not come
 * to it in ten seconds was never there, or has been restored from before: then its book counts as it is.
 */
export class LocalBook {
  bids: readonly BookLevel[] = []
  asks: readonly BookLevel[] = []
  /** Of the latest event that the book shows. */
  seq = 0
  /** Messages that came late and were left out. */
  staleMessages = 0
  /** Times it was loaded by GET /orderbook. */
  repairs = 0
  readonly symbol: string
  /** Of the last message of this connection. */
  #toldSeq = 0
  readonly #options: LocalBookOptions
  readonly #ends: (() => void)[]
  #state: BookState = 'repairing'
  #isLoading = false
  /** Rises with each reason to load the book: an answer to an earlier one may be of before it. */
  #reasons = 0

  /**
   * Subscribes, and loads the book when that is answered.
   * @example
   * const onChange = ({ bids, state }: LocalBook) => console.log(state, bids[0]?.price)
   * const book = new LocalBook({ stream, rest: client.rest, symbol, onChange })
   */
  constructor(options: LocalBookOptions) {
    const { stream, symbol } = options
    this.#options = options
    this.symbol = symbol
    const listener = {
      onMessage: (message: ToldMessage) => this.#take(message),
      onConnected: () => void this.#repair(),
      onDisconnected: () => {
        this.#toldSeq = 0
        this.#become('stale')
      },
    }
    this.#ends = [stream.listen(listener), stream.subscribe('orderbook', { symbols: [symbol] })]
    void stream.answered().then(() => this.#repair())
  }

  /**
   * Whether it is as the exchange has it.
   * @example
   * if (localBook.state === 'live') console.log(localBook.asks[0]?.price)
   */
  get state(): BookState {
    return this.#state
  }

  /**
   * Ends it, and its subscription.
   * @example
   * localBook.close()
   */
  close(): void {
    for (const end of this.#ends.splice(0)) end()
    this.#become('closed')
  }

  #take(message: ToldMessage): void {
    if (message.type !== 'OrderbookUpdate' || message.symbol !== this.symbol) return
    const { bids, asks, seq } = message
    const told = { bids: bids.map(levelOf), asks: asks.map(levelOf), seq }
    const isBack = seq < this.#toldSeq
    this.#toldSeq = seq
    if (seq <= this.seq) this.staleMessages++
    else if (!isBook(told)) void this.#repair()
    else this.#replace(told)
    if (isBack) void this.#repair()
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
        if (waitingSince !== null && performance.now() - waitingSince >= floorMillisMax) {
          this.seq = 0
          waitingSince = null
        }
        await sleep(retryMillis) // whatever it was: without a book there is nothing else to do
      }
    }
    this.#isLoading = false
  }

  /** As of a sequence that is at least the one known. */
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
    const told = { bids: result.bids.map(levelOf), asks: result.asks.map(levelOf), seq }
    if (!isBook(told)) throw new ProtocolError('the answer is no book')
    this.repairs++
    this.#state = 'live'
    // What the stream has told meanwhile may be newer already.
    if (seq >= this.seq) this.#replace(told)
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

/** Text without an exponent. */
function textOf(value: string | number): string {
  return typeof value === 'string' ? value : formatNumber(value)
}

/** The exchange has not come to the sequence that was asked for. */
function isNotReady(error: unknown): boolean {
  return error instanceof BusyError && error.code === 'not_ready'
}

/** Whether the sides are in order, best first, and do not cross, and each level is something. */
function isBook({ bids, asks, seq }: Ladder): boolean {
  const rising = [...bids]
    .reverse()
    .concat(asks)
    .map(({ price }) => Number(price))
  const isInOrder = rising.every((price, place) => price > (place === 0 ? 0 : rising[place - 1]!))
  const isFilled = [...bids, ...asks].every(({ size }) => Number(size) > 0)
  return Number.isSafeInteger(seq) && isInOrder && isFilled
}
