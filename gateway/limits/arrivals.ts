import { setImmediate } from 'node:timers'
import { addressKeyOf } from './address-limits.js'
import { FairTurns, type Payer } from './fair-turns.js'

/** Bounds of a gateway's work in one turn of the event loop, and of the items that wait. */
export interface ArrivalLimits {
  /** Commands of sources with credit, done on arrival. */
  readonly commandMillisMax: number
  /** Other work of sources with credit, done on arrival. */
  readonly otherMillisMax: number
  /** Work of sources without credit, done on arrival. */
  readonly directMillisMax: number
  /** Items and bytes done on arrival in every turn, even when the thread is late. */
  readonly directItemsMin: number
  readonly directBytesMin: number
  /** Work on waiting items: first those of sources with credit, then all. */
  readonly creditedMillisMax: number
  readonly laterMillisMax: number
  /** Work for one source before the next source has its turn. */
  readonly quantumMillis: number
  /** Credit after a command of a known signer. */
  readonly creditMillis: number
  /** Waiting items of all sources. Each address has an equal share, and within it each source. */
  readonly itemsMax: number
  /** The same in bytes. */
  readonly bytesMax: number
  /** Smallest share of a source. */
  readonly sourceItemsMin: number
  readonly sourceBytesMin: number
}

export const arrivalLimits: ArrivalLimits = {
  // Above `turnMillisMax`, after which new orders fail, so that only cancels wait.
  commandMillisMax: 25,
  otherMillisMax: 2,
  directMillisMax: 1,
  // Requests that a client may pipeline: the native transport closes the connection when one of them waits.
  directItemsMin: 16,
  directBytesMin: 32 * 1024,
  creditedMillisMax: 5,
  laterMillisMax: 1,
  quantumMillis: 0.1,
  creditMillis: 5,
  // One takes two microseconds to receive and copy, and all may arrive in one turn.
  itemsMax: 2048,
  bytesMax: 64 * 1024 * 1024,
  // A market maker that connects during a flood cancels its quotes in one packet.
  sourceItemsMin: 64,
  // The largest frame of a provider.
  sourceBytesMin: 1088 * 1024,
}

// A wallet whose credit was evicted gets a new one with its next command.
const creditsMax = 4096
// Objects that hold an item.
const itemBytes = 256

/** Bound that the items of a source exceed. */
export type FullCause = 'frame_limit' | 'byte_limit'

export interface SourceOptions {
  /** Bytes of the client's address. */
  readonly address: Uint8Array
  /** Most waiting items and bytes of this source. */
  readonly itemsMax: number
  readonly bytesMax: () => number
  /** Packs the messages of the work into few writes. */
  readonly cork: (run: () => void) => void
  /** Runs when an item does not fit; the item is dropped. */
  readonly onFlood: (cause: FullCause) => void
  /** Runs when the first item waits (true), and when none waits any more (false). */
  readonly onWait?: (isWaiting: boolean) => void
}

/** Does the work of an item. @param arrivedMillis steady time of its arrival. */
type Work = (arrivedMillis: number) => void

interface Item {
  readonly work: Work
  readonly bytes: number
  readonly arrivedMillis: number
}

/**
 * Milliseconds of work that a wallet's connections get before all others. A command of a known signer refills it. All
 * connections of the wallet share it, so more connections bring no more credit.
 */
interface Credit {
  readonly wallet: string
  millis: number
}

/** One connection, or one request if the transport does not distinguish connections. */
export class ArrivalSource implements Payer {
  readonly address: string
  readonly account = ''
  readonly options: SourceOptions
  /** Credit of the wallet that sent the latest command; null before the first command. */
  credit: Credit | null = null
  /** True if its latest item was a command of a known signer. */
  isCommanding = false
  /** Work above its quantum, deducted from its next turns. */
  debtMillis = 0
  isClosed = false
  waitingBytes = 0
  readonly items: Item[] = []

  constructor(options: SourceOptions) {
    this.options = options
    this.address = Buffer.from(addressKeyOf(options.address).bytes).toString('latin1')
  }
}

/**
 * Decides when a gateway works on what arrives: frames of streams and providers, and requests. Commands of sources with
 * credit are served at once. Their other frames, and all other sources, share small parts of each turn of the event loop.
 * Items that do not fit wait. Sources then take turns by address, and within an address by connection, each in its own
 * order, those with credit first.
 *
 *                   credit, or time left in this turn
 *   frame, request ─┬──────────────────────────────────► work
 *                   └─► items of its source ──► turns ──►
 *                       bounded                 in a later turn of the event loop
 */
export class Arrivals {
  readonly #limits: ArrivalLimits
  readonly #nowMillis: () => number
  readonly #turns = new FairTurns<ArrivalSource>()
  /** By wallet, oldest first. */
  readonly #credits = new Map<string, Credit>()
  #current: ArrivalSource | null = null
  #beginMillis = 0
  #isCredited = false
  #isCommand = false
  #isSpared = false
  /** Work of this turn for sources with credit. */
  #commandMillis = 0
  #otherMillis = 0
  /** Items of this turn without credit, their bytes, and the work on them. */
  #directItems = 0
  #directBytes = 0
  #directMillis = 0
  #items = 0
  #bytes = 0
  #isScheduled = false

  constructor(
    limits: ArrivalLimits = arrivalLimits,
    nowMillis: () => number = performance.now.bind(performance),
  ) {
    this.#limits = limits
    this.#nowMillis = nowMillis
  }

  /** Items that wait. */
  get waiting(): number {
    return this.#items
  }

  /**
   * Returns true if the work of an item may be done at once. If so, the caller does it and calls `end`; otherwise it
   * passes the item to `keep`.
   * @param source null: a request of its own, which has no credit.
   */
  begin(source: ArrivalSource | null, bytes: number): boolean {
    this.#beginMillis = this.#nowMillis()
    if (source !== null && source.items.length > 0) return false
    this.#isCredited = source !== null && this.#hasCredit(source) && this.#hasTimeFor(source)
    if (!this.#isCredited) {
      const { directMillisMax, directItemsMin, directBytesMin } = this.#limits
      this.#directItems++
      this.#directBytes += bytes
      const isAmongFirst =
        this.#directItems <= directItemsMin && this.#directBytes <= directBytesMin
      if (this.#directMillis >= directMillisMax && !isAmongFirst) return false
    }
    this.#current = source
    return true
  }

  /** Steady time of the latest call of `begin`. */
  get arrivedMillis(): number {
    return this.#beginMillis
  }

  end(): void {
    const source = this.#current
    const millis = this.#finish(source, this.#beginMillis)
    if (!this.#isCredited) this.#directMillis += millis
    else if (source!.isCommanding) this.#commandMillis += millis
    else this.#otherMillis += millis
    this.#schedule()
  }

  /** Queues an item whose bytes no other code changes. */
  keep(source: ArrivalSource, bytes: number, work: Work): void {
    if (source.isClosed) return
    const cause = this.#fault(source, bytes)
    if (cause !== null) {
      this.forget(source)
      source.options.onFlood(cause)
      return
    }
    const isFirst = source.items.length === 0
    const item = { work, bytes: bytes + itemBytes, arrivedMillis: this.#beginMillis }
    source.items.push(item)
    source.waitingBytes += item.bytes
    this.#items++
    this.#bytes += item.bytes
    if (!isFirst) return
    this.#turns.add(source, source)
    source.options.onWait?.(true)
    this.#schedule()
  }

  /** Gives the current source the credit of a wallet: a known signer signed its command, within the wallet's limits. */
  earn(wallet: string): void {
    if (this.#current === null) return
    if (this.#current.credit?.wallet !== wallet) this.#current.credit = this.#creditOf(wallet)
    this.#current.credit.millis = this.#limits.creditMillis
    this.#isCommand = true
  }

  #creditOf(wallet: string): Credit {
    const known = this.#credits.get(wallet)
    if (known !== undefined) return known
    const credit = { wallet, millis: 0 }
    this.#credits.set(wallet, credit)
    if (this.#credits.size > creditsMax) this.#credits.delete(this.#credits.keys().next().value!)
    return credit
  }

  /** Lets the current item keep the credit of its source: it failed unread because the turn was full. */
  spare(): void {
    this.#isSpared = true
  }

  /** Drops the waiting items of a source that has closed. */
  forget(source: ArrivalSource): void {
    source.isClosed = true
    this.#items -= source.items.length
    this.#bytes -= source.waitingBytes
    source.items.length = 0
    source.waitingBytes = 0
    this.#turns.delete(source)
  }

  #fault(source: ArrivalSource, bytes: number): FullCause | null {
    const { itemsMax, bytesMax, sourceItemsMin, sourceBytesMin } = this.#limits
    const { options, items, waitingBytes } = source
    const parts = this.#turns.partsFor(source)
    const itemsShare = Math.max(sourceItemsMin, itemsMax / parts)
    if (items.length >= Math.min(options.itemsMax, itemsShare)) return 'frame_limit'
    const bytesShare = Math.max(sourceBytesMin, bytesMax / parts)
    const isFull = waitingBytes + bytes > Math.min(options.bytesMax(), bytesShare)
    return isFull ? 'byte_limit' : null
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#run)
  }

  /** Ends a turn of the event loop, in which all ready sockets were read. */
  readonly #run = (): void => {
    this.#isScheduled = false
    this.#directItems = 0
    this.#directBytes = 0
    this.#directMillis = 0
    this.#commandMillis = 0
    this.#otherMillis = 0
    if (this.#turns.size === 0) return
    const { creditedMillisMax, laterMillisMax } = this.#limits
    const creditedEnd = this.#nowMillis() + creditedMillisMax
    while (this.#nowMillis() < creditedEnd && this.#serveNext(this.#hasCredit));
    const end = this.#nowMillis() + laterMillisMax
    while (this.#nowMillis() < end && this.#turns.size > 0) this.#serveNext(this.#hasTurn)
    if (this.#turns.size > 0) this.#schedule()
  }

  readonly #hasCredit = ({ credit }: ArrivalSource): boolean => credit !== null && credit.millis > 0

  /** Returns true if this turn has time for a source with credit. The source's latest item decides which time counts. */
  #hasTimeFor({ isCommanding }: ArrivalSource): boolean {
    const { commandMillisMax, otherMillisMax } = this.#limits
    if (isCommanding) return this.#commandMillis < commandMillisMax
    return this.#otherMillis < otherMillisMax
  }

  readonly #hasTurn = (source: ArrivalSource): boolean => {
    source.debtMillis = Math.max(0, source.debtMillis - this.#limits.quantumMillis)
    return source.debtMillis === 0
  }

  /** Serves the source whose turn it is. @returns false if there is none. */
  #serveNext(hasTurn: (source: ArrivalSource) => boolean): boolean {
    const source = this.#turns.next(hasTurn)
    source?.options.cork(() => this.#serve(source))
    return source !== null
  }

  /** Works on items of a source for a quantum. */
  #serve(source: ArrivalSource): void {
    const { quantumMillis } = this.#limits
    let spentMillis = 0
    while (source.items.length > 0 && spentMillis < quantumMillis) {
      const { work, bytes, arrivedMillis } = source.items.shift()!
      source.waitingBytes -= bytes
      this.#bytes -= bytes
      this.#items--
      const beginMillis = this.#nowMillis()
      this.#current = source
      work(arrivedMillis)
      spentMillis += this.#finish(source, beginMillis)
      if (source.isClosed) return
    }
    source.debtMillis = Math.max(0, spentMillis - quantumMillis)
    if (source.items.length > 0) return
    this.#turns.delete(source)
    source.options.onWait?.(false)
  }

  /** Ends the work of an item and takes it from the credit of its source. @returns its cost in milliseconds. */
  #finish(source: ArrivalSource | null, beginMillis: number): number {
    const isCommand = this.#isCommand
    const isSpared = this.#isSpared
    this.#current = null
    this.#isCommand = false
    this.#isSpared = false
    const millis = this.#nowMillis() - beginMillis
    if (source === null) return millis
    source.isCommanding = isCommand || isSpared
    const { credit } = source
    if (credit === null) return millis
    if (isSpared && credit.millis > 0) return 0
    credit.millis = Math.max(0, credit.millis - millis)
    return millis
  }
}
