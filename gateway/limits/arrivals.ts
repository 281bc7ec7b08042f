import { setImmediate } from 'node:timers'
import { addressKeyOf } from './address-limits.js'
import { FairTurns, type Payer } from './fair-turns.js'

/** Bounds of the work that a gateway does in one turn of the event loop, and of what waits. */
export interface ArrivalLimits {
  /** Commands of sources with credit, done on arrival. */
  readonly commandMillisMax: number
  /** Other work of sources with credit, done on arrival. */
  readonly otherMillisMax: number
  /** Work of sources without credit, done on arrival. */
  readonly directMillisMax: number
  /** Done on arrival in any turn, however long the thread was kept from it. */
  readonly directItemsMin: number
  readonly directBytesMin: number
  /** Work on what waits: of sources with credit first, then of all. */
  readonly creditedMillisMax: number
  readonly laterMillisMax: number
  /** Work for one source before the next source has its turn. */
  readonly quantumMillis: number
  /** Credit after a command of a known signer. */
  readonly creditMillis: number
  /** Items that wait, of all sources; each address has an equal share of them, and within it each source. */
  readonly itemsMax: number
  /** The same in bytes. */
  readonly bytesMax: number
  /** Smallest share of a source. */
  readonly sourceItemsMin: number
  readonly sourceBytesMin: number
}

export const arrivalLimits: ArrivalLimits = {
  // Above the time after which a turn refuses new orders: of commands, cancels alone wait.
  commandMillisMax: 25,
  otherMillisMax: 2,
  directMillisMax: 1,
  // A client may pipeline so many requests; where one waits the native transport cuts it off.
  directItemsMin: 16,
  directBytesMin: 32 * 1024,
  creditedMillisMax: 5,
  laterMillisMax: 1,
  quantumMillis: 0.1,
  creditMillis: 5,
  // To receive and copy one takes two microseconds, and one turn may bring all of them.
  itemsMax: 2048,
  bytesMax: 64 * 1024 * 1024,
  // A market maker that connects during a flood cancels his quotes in one packet.
  sourceItemsMin: 64,
  // One frame of the largest size, of a provider.
  sourceBytesMin: 1088 * 1024,
}

// Of the objects that keep an item.
const itemBytes = 256

/** Which bound the items of a source exceed. */
export type FullCause = 'frame_limit' | 'byte_limit'

export interface SourceOptions {
  /** Bytes of the client's address. */
  readonly address: Uint8Array
  /** Most items and bytes of this source that wait. */
  readonly itemsMax: number
  readonly bytesMax: () => number
  /** Packs what the work sends into few writes. */
  readonly cork: (run: () => void) => void
  /** Runs when an item does not fit, which is then dropped. */
  readonly onFlood: (cause: FullCause) => void
  /** Runs when the first item has to wait (true), and when none waits any more (false). */
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
 * One connection, or one request where the transport does not tell connections apart. Its credit is work that precedes
 * that of others: a command of a known signer sets it, all work takes from it.
 */
export class ArrivalSource implements Payer {
  readonly address: string
  readonly account = ''
  readonly options: SourceOptions
  creditMillis = 0
  /** Whether its latest item was a command of a known signer. */
  isCommanding = false
  /** Work above its quantum, which its next turns make up for. */
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
 * What does not fit waits: then sources take turns by address and within an address by connection, each in its own
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
  #current: ArrivalSource | null = null
  #beginMillis = 0
  #isCredited = false
  #isCommand = false
  #isSpared = false
  /** Work of this turn for sources with credit. */
  #commandMillis = 0
  #otherMillis = 0
  /** What arrived in this turn without credit, and the work on it. */
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
   * Asks whether the work of an item may be done at once; then the caller does it, and calls `end`. Otherwise the caller
   * gives it to `keep`.
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

  /** Steady time of the item that `begin` was asked about. */
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

  /** Has an item wait whose bytes nobody else changes. */
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

  /** A command of the source at work was signed by a known signer and fits the limits of its wallet. */
  earn(): void {
    if (this.#current === null) return
    this.#current.creditMillis = this.#limits.creditMillis
    this.#isCommand = true
  }

  /** The item at work was refused unread, for a full turn: it takes nothing from the credit of its source. */
  spare(): void {
    this.#isSpared = true
  }

  /** Drops what waits of a source that has ended. */
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

  /** Ends a turn of the event loop, in which every socket that was ready has been read. */
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

  readonly #hasCredit = (source: ArrivalSource): boolean => source.creditMillis > 0

  /** Whether this turn has time for the work of a source with credit. A command is expected of one that sent the last. */
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

  /** Ends the work of an item and takes it from the credit of its source. @returns what it counts, in milliseconds. */
  #finish(source: ArrivalSource | null, beginMillis: number): number {
    const [isCommand, isSpared] = [this.#isCommand, this.#isSpared]
    this.#current = null
    this.#isCommand = false
    this.#isSpared = false
    const millis = this.#nowMillis() - beginMillis
    if (source === null) return millis
    source.isCommanding = isCommand || isSpared
    if (isSpared && source.creditMillis > 0) return 0
    source.creditMillis = Math.max(0, source.creditMillis - millis)
    return millis
  }
}
