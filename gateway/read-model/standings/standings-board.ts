import { AnyEvent } from '../../../schemas/generated/events.js'
import { type RecordViews, viewsOfCopy } from '../../../schemas/record-views.js'
import { EndedLedgers } from './ended-ledgers.js'
import { Ledger, type LedgerListener } from './ledger.js'
import { LedgerBook } from './ledger-book.js'

/** Stored standings, as of one event. */
export interface KeptStandings {
  /** Sequence of the last event included. */
  readonly seq: number
  /** Reads the active ledgers into an empty book, incrementally. */
  read(book: LedgerBook): Iterator<void>
  /** Reads the participants of an ended competition into an empty ledger, incrementally. */
  readEnded(ledger: Ledger): Iterator<void>
  close(): void
}

/** Queries of the board to its thread. */
interface BoardParts {
  /** Returns true if the competitions are known. */
  isReady(): boolean
  /** Returns true if a competition is active. */
  hasActive(): boolean
  isStoreDown(): boolean
}

/** Notified of competitions that begin or end, once the board has its book. */
export interface BoardObserver {
  onTurn(ledger: Ledger): void
}

interface BufferedEvent {
  readonly seq: number
  readonly views: RecordViews
}

/** Store being read. */
interface Reading {
  readonly kept: KeptStandings
  readonly steps: Iterator<void>
  readonly onEnd: () => void
}

const retryMillis = 200
const bufferedEventsMax = 65_536

/**
 * Standings for a reader that joins the event log somewhere. Earlier events are in the history store, which is as of an
 * event of its own. Until the store has been read, the board buffers the log's events, and then applies those after
 * that event. Reads the standings of an ended competition on demand. Without a store, or while it is being refilled,
 * there are none.
 */
export class StandingsBoard implements LedgerListener {
  observer: BoardObserver | null = null
  readonly #parts: BoardParts
  #book: LedgerBook | null = null
  readonly #ended = new EndedLedgers()
  /** Requested competitions that have ended, with the sequence that a store must include. */
  readonly #requested = new Map<number, number>()
  #open: (() => KeptStandings) | null = null
  #reading: Reading | null = null
  #events: BufferedEvent[] = []
  /** Everything from this sequence on is in `#events`; -1: nothing received yet. */
  #fromSeq = -1
  #lastSeq = -1
  /** Events up to here are in the book. */
  #passedSeq = -1
  #retryMillis = 0
  readonly #cursor = new AnyEvent()

  constructor(parts: BoardParts) {
    this.#parts = parts
  }

  /** Active ledgers; null until earlier events are known. */
  get active(): readonly Ledger[] | null {
    return this.#book?.active ?? null
  }

  /** True if it must read a store, and has no function to open one. */
  get lacksStore(): boolean {
    return this.#open === null && this.#wantsStore
  }

  /**
   * @param open Throws if there is none, or it is in use; it is then called again.
   */
  bringStore(open: () => KeptStandings): void {
    this.#open = open
  }

  /** Returns the ledger of a competition that has begun; null if it is not known yet. Schedules a read if needed. */
  find(id: number, hasEnded: boolean): Ledger | null {
    if (!hasEnded) return this.#book?.find(id) ?? null
    const ended = this.#ended.find(id)
    if (ended === null && !this.#requested.has(id)) this.#requested.set(id, this.#lastSeq)
    return ended
  }

  take(event: AnyEvent): void {
    this.#lastSeq = event.seq
    if (this.#fromSeq < 0) this.#fromSeq = event.seq
    if (!LedgerBook.concerns(event.recordType)) return
    if (this.#book !== null) {
      if (event.seq > this.#passedSeq) this.#book.take(event)
      return
    }
    const { at, recordBytes, seq, views } = event
    this.#events.push({ seq, views: viewsOfCopy(views.u8.subarray(at), recordBytes) })
    if (this.#events.length > bufferedEventsMax) this.#forgetHalf()
  }

  /** Continues to read the store. @returns Work done. */
  goOn(nowMillis: number): number {
    const parts = this.#parts
    if (!parts.isReady()) return 0
    if (this.#book === null && !parts.hasActive()) {
      return this.#begin(new LedgerBook(this, true), this.#lastSeq)
    }
    try {
      return this.#reading === null
        ? this.#tryToRead(nowMillis)
        : this.#continueReading(this.#reading)
    } catch {
      this.#giveUp()
      return 0
    }
  }

  onBegin(ledger: Ledger): void {
    if (this.#book !== null) this.observer?.onTurn(ledger)
  }

  onEnd(ledger: Ledger): void {
    this.#ended.add(ledger)
    if (this.#book !== null) this.observer?.onTurn(ledger)
  }

  get #wantsStore(): boolean {
    return this.#requested.size > 0 || (this.#book === null && this.#parts.hasActive())
  }

  #tryToRead(nowMillis: number): number {
    if (this.#open === null || nowMillis < this.#retryMillis || !this.#wantsStore) return 0
    this.#retryMillis = nowMillis + retryMillis
    if (this.#parts.isStoreDown()) return 0
    const kept = this.#open()
    this.#reading = this.#book === null ? this.#readingOfBook(kept) : this.#readingOfEnded(kept)
    if (this.#reading === null) kept.close()
    return 1
  }

  /**
   * @returns Null if the store is too far behind.
   */
  #readingOfBook(kept: KeptStandings): Reading | null {
    if (kept.seq < this.#fromSeq - 1) return null
    const book = new LedgerBook(this, true)
    const onEnd = () => {
      for (const ledger of book.all) ledger.standings?.rankAll()
      this.#begin(book, kept.seq)
    }
    return { kept, steps: kept.read(book), onEnd }
  }

  #readingOfEnded(kept: KeptStandings): Reading | null {
    const [[id, seq]] = [...this.#requested] as [[number, number]]
    if (kept.seq < seq) return null
    const ledger = new Ledger(id, {}, true)
    const onEnd = () => {
      ledger.standings?.rankAll()
      this.#ended.add(ledger)
      this.#requested.delete(id)
      this.#retryMillis = 0
    }
    return { kept, steps: kept.readEnded(ledger), onEnd }
  }

  #continueReading({ kept, onEnd, steps }: Reading): number {
    if (steps.next().done !== true) return 1
    kept.close()
    this.#reading = null
    onEnd()
    return 1
  }

  /**
   * @param seq Sequence that the book is as of.
   */
  #begin(book: LedgerBook, seq: number): number {
    for (const { seq: at, views } of this.#events) {
      if (at > seq) book.take(this.#cursor.over(views, 0))
    }
    this.#passedSeq = seq
    this.#events = []
    this.#book = book
    return 1
  }

  /** Gives up a store that failed, and waits for another one. */
  #giveUp(): void {
    try {
      this.#reading?.kept.close()
    } catch {
      // The store is not used any more.
    }
    this.#reading = null
  }

  #forgetHalf(): void {
    const gone = this.#events.splice(0, bufferedEventsMax / 2)
    this.#fromSeq = gone.at(-1)!.seq + 1
  }
}
