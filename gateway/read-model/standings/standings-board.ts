import { AnyEvent } from '../../../schemas/generated/events.js'
import { type RecordViews, viewsOfCopy } from '../../../schemas/record-views.js'
import type { Ledger, LedgerListener } from './ledger.js'
import { LedgerBook } from './ledger-book.js'

/** Standings as somebody has kept them, as of one event. */
export interface KeptStandings {
  /** Sequence of the last event that is in them. */
  readonly seq: number
  /** Puts them into an empty book, some at a time. */
  read(book: LedgerBook): Iterator<void>
  close(): void
}

/** What the board asks of the thread that runs it. */
export interface BoardParts {
  /** Whether what there is of competitions is known. */
  isReady(): boolean
  /** Whether any competition has begun, ended ones too. */
  hasBegun(): boolean
  isStoreDown(): boolean
}

/** Hears of competitions that begin or end, once the board has its book. */
export interface BoardObserver {
  onTurn(ledger: Ledger): void
}

interface KeptEvent {
  readonly seq: number
  readonly views: RecordViews
}

/** A store that is being read. */
interface Reading {
  readonly kept: KeptStandings
  readonly book: LedgerBook
  readonly steps: Iterator<void>
}

const retryMillis = 200
const keptEventsMax = 65_536

/**
 * Standings of all competitions for a reader of the event log that begins somewhere in it. What happened before is in the
 * history store, as of an event of its own: until it has been read, what the log tells is kept, and what lies behind that
 * event is taken then. Without a store, or while it is filled again, there are none yet.
 */
export class StandingsBoard implements LedgerListener {
  observer: BoardObserver | null = null
  readonly #parts: BoardParts
  #book: LedgerBook | null = null
  #open: (() => KeptStandings) | null = null
  #reading: Reading | null = null
  #events: KeptEvent[] = []
  /** Everything from this sequence on is in `#events`; -1: nothing was heard. */
  #fromSeq = -1
  /** What lies up to here is in the book. */
  #passedSeq = -1
  #retryMillis = 0
  readonly #cursor = new AnyEvent()

  constructor(parts: BoardParts) {
    this.#parts = parts
  }

  /** Null while it is not known what has happened so far. */
  get book(): LedgerBook | null {
    return this.#book
  }

  /** Whether it has to read a store, and was not told how. */
  get lacksStore(): boolean {
    return this.#book === null && this.#open === null && this.#parts.hasBegun()
  }

  /** @param open throws where there is none, or somebody else has it: it is asked again. */
  bringStore(open: () => KeptStandings): void {
    this.#open = open
  }

  take(event: AnyEvent): void {
    if (this.#fromSeq < 0) this.#fromSeq = event.seq
    if (!LedgerBook.concerns(event.recordType)) return
    if (this.#book !== null) {
      if (event.seq > this.#passedSeq) this.#book.take(event)
      return
    }
    const { at, recordBytes, seq, views } = event
    this.#events.push({ seq, views: viewsOfCopy(views.u8.subarray(at), recordBytes) })
    if (this.#events.length > keptEventsMax) this.#forgetHalf()
  }

  /** Reads on what was kept. @returns how much was done. */
  goOn(nowMillis: number): number {
    if (this.#book !== null || !this.#parts.isReady()) return 0
    if (!this.#parts.hasBegun()) return this.#begin(new LedgerBook(this, true), -1)
    if (this.#reading === null) return this.#tryToRead(nowMillis)
    try {
      return this.#readOn(this.#reading)
    } catch {
      this.#giveUp()
      return 0
    }
  }

  onBegin(ledger: Ledger): void {
    if (this.#book !== null) this.observer?.onTurn(ledger)
  }

  onRow(): void {}

  onEnd(ledger: Ledger): void {
    if (this.#book !== null) this.observer?.onTurn(ledger)
  }

  onHolding(): void {}

  onStartMark(): void {}

  #tryToRead(nowMillis: number): number {
    if (this.#open === null || nowMillis < this.#retryMillis) return 0
    this.#retryMillis = nowMillis + retryMillis
    if (this.#parts.isStoreDown()) return 0
    let kept: KeptStandings
    try {
      kept = this.#open()
    } catch {
      return 0
    }
    if (kept.seq < this.#fromSeq - 1) {
      kept.close()
      return 0
    }
    const book = new LedgerBook(this, true)
    this.#reading = { kept, book, steps: kept.read(book) }
    return 1
  }

  #readOn({ book, kept, steps }: Reading): number {
    if (steps.next().done !== true) return 1
    kept.close()
    this.#reading = null
    for (const ledger of book.all) ledger.standings?.rankAll()
    return this.#begin(book, kept.seq)
  }

  /** @param seq that the book is as of. */
  #begin(book: LedgerBook, seq: number): number {
    for (const { seq: at, views } of this.#events) {
      if (at > seq) book.take(this.#cursor.over(views, 0))
    }
    this.#passedSeq = seq
    this.#events = []
    this.#book = book
    return 1
  }

  /** The store has failed meanwhile: another one is waited for. */
  #giveUp(): void {
    try {
      this.#reading?.kept.close()
    } catch {
      // Nobody asks it anything any more.
    }
    this.#reading = null
  }

  #forgetHalf(): void {
    const gone = this.#events.splice(0, keptEventsMax / 2)
    this.#fromSeq = gone.at(-1)!.seq + 1
  }
}
